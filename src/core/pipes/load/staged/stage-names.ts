import { createHash } from 'node:crypto';
import type { Telemetry } from '../../../../ports/telemetry.ts';
import { qualified, sql } from '../../../../sql/sql.ts';
import type { TargetNote } from './moved-parts.ts';

const short = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** How the names of all stage tables begin. */
export const stagePrefix = 'pipe_stage_';

/** How the names of all stage tables of a pipe begin. */
const stagesOfPipe = (pipeId: string): string => `${stagePrefix}${short(pipeId)}_`;

export const partitionPrefix = (pipeId: string, partition: string): string =>
  `${stagesOfPipe(pipeId)}${short(partition)}_`;

/** `key`: the key of the range. */
export const rangePrefix = (prefix: string, key: string): string => `${prefix}${short(key)}_`;

/** The name carries the note, so that a reader that takes the stage over can read it there. */
export function readyName(prefix: string, note: TargetNote | undefined, attempt: string): string {
  const noted = note ? `${note.nextBlock}_${note.rows}_` : '';
  return `${prefix}ready_${noted}${attempt}`;
}

export function noteIn(ready: string): TargetNote | undefined {
  const [, nextBlock, rows] = /_ready_(\d+)_(\d+)_[0-9a-f]+$/.exec(ready) ?? [];
  return nextBlock === undefined ? undefined : { nextBlock: Number(nextBlock), rows: Number(rows) };
}

/** Drops all stage tables of a pipe that is being deleted. */
export async function dropStages(
  telemetry: Pick<Telemetry, 'query' | 'command'>,
  database: string,
  pipeId: string,
): Promise<void> {
  for (const name of await tableNames(telemetry, database, stagesOfPipe(pipeId))) {
    await telemetry.command(sql`DROP TABLE IF EXISTS ${qualified(database, name)}`, {
      purpose: 'pipe',
      tenant: database,
      timeoutMs: 60_000,
    });
  }
}

/** Tables with this prefix; views before the tables that they read. */
export async function tableNames(
  telemetry: Pick<Telemetry, 'query' | 'command'>,
  database: string,
  prefix: string,
): Promise<string[]> {
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.tables
      WHERE database = ${database} AND startsWith(name, ${prefix})
      ORDER BY engine != 'MaterializedView', name`,
    { purpose: 'pipe', tenant: database, timeoutMs: 60_000 },
  );
  return rows.map(([name]) => String(name));
}
