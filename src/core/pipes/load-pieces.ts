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
 * Loads pieces together. When that fails, the one that the engine names is loaded alone, and the others together again; when it names none, or the
 * third one, they are halved. What was read goes into a table of its own and joins the others only when it is whole: the bad ones fall out with
 * their reason.
 * @throws TelemetryError for what is the destination's fault.
 * @throws ConnectionLost when nothing at all can be fetched.
 */
export async function loadPieces(load: PiecesLoad): Promise<LoadedPieces> {
  const { stage, pieces } = load;
  const loading = await stage.create();
  if (pieces.refusal !== undefined) return { loading, outcomes: pieces.names.map((name) => ({ name, state: 'refused', rows: 0, reason: pieces.refusal! })) };
  const outcomes = await loadSet(load, pieces.names, loading);
  const unreached = outcomes.filter(({ state, reason }) => state === 'waiting' && reason !== null);
  if (unreached.length > 0 && unreached.length === outcomes.length) throw new ConnectionLost(`no object can be fetched: ${unreached[0]!.reason!}`);
  return { loading, outcomes };
}

const namedMax = 3;

async function loadSet(load: PiecesLoad, names: readonly string[], into: string): Promise<ObjectOutcome[]> {
  let left = names;
  const outcomes: ObjectOutcome[] = [];
  for (let named = 0; named < namedMax && left.length > 1; named++) {
    const tried = await tryTogether(load, left, into);
    if (tried.done) return [...outcomes, ...tried.outcomes];
    if (tried.suspects.length === 0) break;
    outcomes.push(...tried.outcomes);
    left = left.filter((name) => !tried.suspects.includes(name));
    for (const name of tried.suspects) if (!tried.outcomes.some((outcome) => outcome.name === name)) outcomes.push(await loadOne(load, name, into));
  }
  const [first, ...others] = left;
  if (first === undefined) return outcomes;
  if (others.length === 0) return [...outcomes, await loadOne(load, first, into)];
  const half = Math.ceil(left.length / 2);
  return [...outcomes, ...await loadSet(load, left.slice(0, half), into), ...await loadSet(load, left.slice(half), into)];
}

/** `suspects` must be taken out before the others are tried again; the outcome of some of them is known. */
interface Tried {
  done: boolean;
  outcomes: ObjectOutcome[];
  suspects: string[];
}

async function tryTogether(load: PiecesLoad, names: readonly string[], into: string): Promise<Tried> {
  const { stage, pieces, signal } = load;
  const own = await stage.create();
  try {
    const counts = await insertCounted(load, names, own);
    const changed = await pieces.changed(names, signal);
    const outcomes = names.map((name) => outcomeOf(pieces, name, counts.get(pieces.pathOf(name)), changed.get(name)));
    const bad = outcomes.filter(({ state }) => state !== 'loaded');
    if (bad.length > 0) return { done: false, outcomes: bad, suspects: bad.map(({ name }) => name) };
    await stage.move(own, into);
    return { done: true, outcomes, suspects: [] };
  } catch (error) {
    if (!mayBeThePieces(error, signal)) throw error;
    const text = (error as Error).message;
    const suspect = names.find((name) => text.includes(`in file/uri ${pieces.pathOf(name)})`) || text.includes(`while reading '${name}'`));
    return { done: false, outcomes: [], suspects: suspect === undefined ? [] : [suspect] };
  } finally {
    await stage.drop(own);
  }
}

async function loadOne(load: PiecesLoad, name: string, into: string): Promise<ObjectOutcome> {
  const { stage, pieces, signal, batch } = load;
  const own = await stage.create();
  try {
    const counts = await insertCounted(load, [name], own);
    const outcome = outcomeOf(pieces, name, counts.get(pieces.pathOf(name)), (await pieces.changed([name], signal)).get(name));
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

function outcomeOf({ emptyReason }: SelectPieces, name: string, count: { rows: number; filled: number } | undefined, changed: Pick<ObjectOutcome, 'state' | 'reason'> | undefined): ObjectOutcome {
  if (changed !== undefined) return { name, rows: 0, ...changed };
  if (count !== undefined && count.filled === 0 && emptyReason !== undefined) return { name, state: 'refused', rows: 0, reason: emptyReason };
  return { name, state: 'loaded', rows: count?.rows ?? 0, reason: null };
}

/** What the engine says of the target, of itself, or because it was told to stop, is no piece's fault. */
function mayBeThePieces(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof ConnectionLost || error instanceof SourceFailed || signal.aborted) return false;
  return error instanceof TelemetryError && !['unavailable', 'aborted', 'unknown_table', 'unknown_column'].includes(error.kind);
}
