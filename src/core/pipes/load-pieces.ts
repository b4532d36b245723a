import { ConnectionLost, SourceFailed, type SelectBatch, type SelectPieces } from '../../ports/connector.ts';
import type { ObjectOutcome } from '../../ports/object-ledger.ts';
import { TelemetryError } from '../../ports/telemetry.ts';
import { sql, type Sql } from '../../sql/sql.ts';
import { insertSelect, withoutSecrets, type SelectDestination } from './select-statement.ts';
import { filledColumn, pathColumn, type Meter, type Stage } from './stage.ts';

export interface PiecesLoad {
  stage: Stage;
  to: SelectDestination;
  batch: SelectBatch;
  pieces: SelectPieces;
  signal: AbortSignal;
}

export interface LoadedPieces {
  /** The stage table with the rows of those that were loaded. */
  loading: string;
  outcomes: ObjectOutcome[];
}

/**
 * Loads pieces together. When that fails, or one of them was not what it had been, they are loaded one by one, each in a table of its own
 * that joins the others only when the piece is whole: the bad ones fall out with their reason.
 * @throws TelemetryError for what is the destination's fault.
 * @throws ConnectionLost when nothing at all can be fetched.
 */
export async function loadPieces(load: PiecesLoad): Promise<LoadedPieces> {
  const { stage, pieces } = load;
  if (pieces.refusal !== undefined) return { loading: await stage.create(), outcomes: pieces.names.map((name) => ({ name, state: 'refused', rows: 0, reason: pieces.refusal! })) };
  if (pieces.names.length > 1) {
    const together = await tryTogether(load);
    if (together) return together;
  }
  const loading = await stage.create();
  const outcomes: ObjectOutcome[] = [];
  for (const name of pieces.names) {
    const outcome = await loadOne(load, name, loading);
    outcomes.push(outcome);
  }
  const waiting = outcomes.filter(({ state }) => state === 'waiting');
  if (waiting.length === outcomes.length && waiting.every(({ reason }) => reason !== null)) throw new ConnectionLost(`no object can be fetched: ${waiting[0]!.reason!}`);
  return { loading, outcomes };
}

async function tryTogether(load: PiecesLoad): Promise<LoadedPieces | undefined> {
  const { stage, pieces, signal } = load;
  const loading = await stage.create();
  try {
    const counts = await insertCounted(load, pieces.names, loading);
    const changed = await pieces.changed(pieces.names, signal);
    const outcomes = pieces.names.map((name) => outcomeOf(pieces, name, counts.get(pieces.pathOf(name))));
    if (changed.size === 0 && outcomes.every(({ state }) => state === 'loaded')) return { loading, outcomes };
  } catch (error) {
    if (!mayBeThePieces(error, signal)) throw error;
  }
  await stage.abandon();
  return undefined;
}

async function loadOne(load: PiecesLoad, name: string, into: string): Promise<ObjectOutcome> {
  const { stage, pieces, signal, batch } = load;
  const own = await stage.create();
  try {
    const counts = await insertCounted(load, [name], own);
    const changed = (await pieces.changed([name], signal)).get(name);
    const outcome: ObjectOutcome = changed === undefined ? outcomeOf(pieces, name, counts.get(pieces.pathOf(name))) : { name, rows: 0, ...changed };
    if (outcome.state === 'loaded') await stage.move(own, into);
    return outcome;
  } catch (error) {
    if (!mayBeThePieces(error, signal)) throw error;
    return { name, rows: 0, ...pieces.blame(withoutSecrets(error, batch.secrets ?? []) as Error, name) };
  } finally {
    await stage.drop(own);
  }
}

async function insertCounted({ stage, to, batch, pieces }: PiecesLoad, names: readonly string[], into: string): Promise<Map<string, { rows: number; filled: number }>> {
  const meter: Meter = await stage.meter(into, to.columns.map(({ name }) => name));
  const extra: { name: string; value: Sql }[] = [{ name: pathColumn, value: sql`_path` }, { name: filledColumn, value: sql`_filled` }];
  const bound = sql`max_bytes_to_read = ${pieces.bytesMax(names)}, read_overflow_mode = 'throw'`;
  try {
    await stage.run(insertSelect(to, stage.at(meter.inlet), pieces.of(names), batch.settings ? sql`${batch.settings}, ${bound}` : bound, extra), to);
    return await meter.read();
  } finally {
    await meter.drop();
  }
}

function outcomeOf({ emptyReason }: SelectPieces, name: string, count: { rows: number; filled: number } | undefined): ObjectOutcome {
  if (count !== undefined && count.filled === 0 && emptyReason !== undefined) return { name, state: 'refused', rows: 0, reason: emptyReason };
  return { name, state: 'loaded', rows: count?.rows ?? 0, reason: null };
}

/** What the engine says of the target, of itself, or because it was told to stop, is no piece's fault. */
function mayBeThePieces(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof ConnectionLost || error instanceof SourceFailed || signal.aborted) return false;
  return error instanceof TelemetryError && !['unavailable', 'aborted', 'unknown_table', 'unknown_column'].includes(error.kind);
}
