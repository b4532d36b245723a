import type { Telemetry } from '../../../ports/telemetry.ts';
import { sql } from '../../../sql/sql.ts';

/** Whether the engine has a setting of this name. */
export async function engineHasSetting(
  telemetry: Pick<Telemetry, 'query'>,
  name: string,
): Promise<boolean> {
  const { rows } = await telemetry.query(
    sql`SELECT count() FROM system.settings WHERE name = ${name}`,
    { purpose: 'pipe', timeoutMs: 30_000 },
  );
  return Number(rows[0]?.[0]) > 0;
}

/** The same, asked once for each name; a failed question is repeated. */
export function rememberedSettings(
  telemetry: Pick<Telemetry, 'query'>,
): (name: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return async (name) => {
    const answer = answers.get(name) ?? engineHasSetting(telemetry, name);
    answers.set(name, answer);
    try {
      return await answer;
    } catch (error) {
      answers.delete(name);
      throw error;
    }
  };
}
