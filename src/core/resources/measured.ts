import { newMeter, type AskContext } from '../query/index.ts';
import type { Outcome } from '../verb/outcome.ts';

type Measured<T> = Outcome<T> & Required<Pick<Outcome<T>, 'statistics'>>;

/** Tells what the queries of a call cost. */
export async function measured<T>(
  signal: AbortSignal | undefined,
  ask: (context: AskContext) => Promise<T>,
): Promise<Measured<T>> {
  const meter = newMeter();
  const start = performance.now();
  const value = await ask({ signal, meter });
  const elapsedMs = Math.ceil(performance.now() - start);
  const { rowsRead } = meter;
  const missingShards = [...meter.missingShards].toSorted((one, other) => one - other);
  return { value, statistics: { rowsRead, elapsedMs, missingShards } };
}
