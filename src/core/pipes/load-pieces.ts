import {
  ConnectionLost,
  SourceFailed,
  type Blame,
  type SelectBatch,
  type SelectPieces,
} from '../../ports/connector.ts';
import type { ObjectOutcome } from '../../ports/object-ledger.ts';
import { TelemetryError } from '../../ports/telemetry.ts';
import { join, sql, type Sql } from '../../sql/sql.ts';
import { insertSelect, withoutSecrets, type SelectDestination } from './select-statement.ts';
import {
  filledColumn,
  pathColumn,
  versionColumn,
  type Counted,
  type Meter,
  type Stage,
} from './stage.ts';

export interface PiecesLoad {
  stage: Stage;
  to: SelectDestination;
  batch: SelectBatch;
  pieces: SelectPieces;
  signal: AbortSignal;
}

type Outcome = ObjectOutcome & Pick<Blame, 'unreached'>;

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
 * @throws ConnectionLost when nothing at all can be fetched, other pieces of the source neither.
 */
export async function loadPieces(load: PiecesLoad): Promise<LoadedPieces> {
  const { stage, pieces } = load;
  if (pieces.refusal !== undefined) {
    return {
      loading: await stage.create(),
      outcomes: pieces.names.map((name) => ({
        name,
        state: 'refused',
        rows: 0,
        reason: pieces.refusal!,
      })),
    };
  }
  const gathered = new Gathered(stage);
  const outcomes = await loadSet(load, pieces.names, gathered);
  if (outcomes.length > 0 && outcomes.every(({ unreached }) => unreached !== undefined)) {
    // A source that refuses these and gives others is not away: then they are what is wrong.
    const isTheirs =
      outcomes.every(({ unreached }) => unreached === 'refused') && (await givesOthers(load));
    if (!isTheirs) {
      throw new ConnectionLost(`no object can be fetched: ${outcomes[0]!.reason!}`);
    }
  }
  return { loading: await gathered.table(), outcomes };
}

/** Whether the engine can fetch any piece that is not of this batch; a content that it cannot read was fetched. */
async function givesOthers({ stage, pieces, batch, signal }: PiecesLoad): Promise<boolean> {
  for (const name of await pieces.others(signal)) {
    try {
      await stage.load(
        sql`SELECT _path FROM ${pieces.of([name])} LIMIT 1 ${batch.settings ? sql`SETTINGS ${batch.settings} ` : sql``}FORMAT Null`,
      );
      return true;
    } catch (error) {
      if (!mayBeThePieces(error, signal)) {
        throw error;
      }
      if (
        pieces.blame(withoutSecrets(error, batch.secrets ?? []) as Error, name).unreached ===
        undefined
      ) {
        return true;
      }
    }
  }
  return false;
}

/** What was read well. The first table is kept as it is: mostly there is no other. */
class Gathered {
  readonly #stage: Stage;
  #table: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async add(own: string): Promise<void> {
    if (this.#table === undefined) {
      this.#table = own;
      return;
    }
    await this.#stage.move(own, this.#table);
    await this.#stage.drop(own);
  }

  async table(): Promise<string> {
    return this.#table ?? this.#stage.create();
  }
}

const namedMax = 3;

async function loadSet(
  load: PiecesLoad,
  names: readonly string[],
  into: Gathered,
): Promise<Outcome[]> {
  let left = names;
  const outcomes: Outcome[] = [];
  for (let named = 0; named < namedMax && left.length > 1; named++) {
    const tried = await tryTogether(load, left, into);
    if (tried.done) {
      return [...outcomes, ...tried.outcomes];
    }
    if (tried.suspects.length === 0) {
      break;
    }
    outcomes.push(...tried.outcomes);
    left = left.filter((name) => !tried.suspects.includes(name));
    for (const name of tried.suspects) {
      if (!tried.outcomes.some((outcome) => outcome.name === name)) {
        outcomes.push(await loadOne(load, name, into));
      }
    }
  }
  const [first, ...others] = left;
  if (first === undefined) {
    return outcomes;
  }
  if (others.length === 0) {
    return [...outcomes, await loadOne(load, first, into)];
  }
  const half = Math.ceil(left.length / 2);
  return [
    ...outcomes,
    ...(await loadSet(load, left.slice(0, half), into)),
    ...(await loadSet(load, left.slice(half), into)),
  ];
}

/** `suspects` must be taken out before the others are tried again; the outcome of some of them is known. */
interface Tried {
  done: boolean;
  outcomes: ObjectOutcome[];
  suspects: string[];
}

async function tryTogether(
  load: PiecesLoad,
  names: readonly string[],
  into: Gathered,
): Promise<Tried> {
  const { stage, pieces, signal } = load;
  const own = await stage.create();
  try {
    const outcomes = await outcomesOf(load, names, own);
    const bad = outcomes.filter(({ state }) => state !== 'loaded');
    if (bad.length === 0) {
      await into.add(own);
      return { done: true, outcomes, suspects: [] };
    }
    await stage.drop(own);
    return { done: false, outcomes: bad, suspects: bad.map(({ name }) => name) };
  } catch (error) {
    await stage.drop(own);
    if (!mayBeThePieces(error, signal)) {
      throw error;
    }
    const text = (error as Error).message;
    const suspect = names.find(
      (name) =>
        text.includes(`in file/uri ${pieces.pathOf(name)})`) ||
        text.includes(`while reading '${name}'`) ||
        text.includes(`while reading key: ${name}, from bucket: `) ||
        text.includes(`S3 object ${pieces.pathOf(name)} was replaced`),
    );
    return { done: false, outcomes: [], suspects: suspect === undefined ? [] : [suspect] };
  }
}

async function loadOne(load: PiecesLoad, name: string, into: Gathered): Promise<Outcome> {
  const { stage, pieces, signal, batch } = load;
  const own = await stage.create();
  try {
    const [outcome] = await outcomesOf(load, [name], own);
    await (outcome!.state === 'loaded' ? into.add(own) : stage.drop(own));
    return outcome!;
  } catch (error) {
    await stage.drop(own);
    if (!mayBeThePieces(error, signal)) {
      throw error;
    }
    return {
      name,
      rows: 0,
      ...pieces.blame(withoutSecrets(error, batch.secrets ?? []) as Error, name),
    };
  }
}

/** Reads these, then looks whether they are still what was to be read, where the engine did not see to that itself. */
async function outcomesOf(
  load: PiecesLoad,
  names: readonly string[],
  into: string,
): Promise<ObjectOutcome[]> {
  const { pieces, signal } = load;
  const counts = await insertCounted(load, names, into);
  const versions = new Map(
    names.flatMap((name) => {
      const version = counts.get(pieces.pathOf(name))?.version;
      return version === undefined ? [] : [[name, version] as const];
    }),
  );
  const changed = await pieces.changed(names, versions, signal);
  return names.map((name) =>
    outcomeOf(pieces, name, counts.get(pieces.pathOf(name)), changed.get(name)),
  );
}

async function insertCounted(
  { stage, to, batch, pieces }: PiecesLoad,
  names: readonly string[],
  into: string,
): Promise<Map<string, Counted>> {
  const versioned = pieces.versioned && (await to.checksVersions?.()) === true;
  const meter: Meter = await stage.meter(
    into,
    to.columns.map(({ name }) => name),
    versioned,
  );
  const extra: { name: string; value: Sql }[] = [
    { name: pathColumn, value: sql`_path` },
    { name: filledColumn, value: sql`_filled` },
    ...(versioned ? [{ name: versionColumn, value: sql`_etag` }] : []),
  ];
  const settings = join(
    [
      sql`max_bytes_to_read = ${pieces.bytesMax(names)}, read_overflow_mode = 'throw'`,
      ...(versioned ? [sql`s3_validate_etag_on_read = 1`] : []),
      ...(batch.settings ? [batch.settings] : []),
    ],
    ', ',
  );
  try {
    const load = (): Promise<void> =>
      stage.load(
        insertSelect(to, stage.at(meter.inlet), pieces.of(names, versioned), settings, extra),
        to,
      );
    await (to.turns ? to.turns.use(load) : load());
    return await meter.read();
  } finally {
    await meter.drop();
  }
}

function outcomeOf(
  { emptyReason }: SelectPieces,
  name: string,
  count: Counted | undefined,
  changed: Pick<ObjectOutcome, 'state' | 'reason'> | undefined,
): ObjectOutcome {
  if (changed !== undefined) {
    return { name, rows: 0, ...changed };
  }
  if (count !== undefined && count.filled === 0 && emptyReason !== undefined) {
    return { name, state: 'refused', rows: 0, reason: emptyReason };
  }
  return { name, state: 'loaded', rows: count?.rows ?? 0, reason: null };
}

/** What the engine says of the target, of itself, or because it was told to stop, is no piece's fault. */
function mayBeThePieces(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof ConnectionLost || error instanceof SourceFailed || signal.aborted) {
    return false;
  }
  return (
    error instanceof TelemetryError &&
    !['unavailable', 'aborted', 'unknown_table', 'unknown_column'].includes(error.kind)
  );
}
