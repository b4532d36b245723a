import { sql } from 'kysely';
import { Fault } from '../../../contract/errors.ts';
import type {
  LedgerEntry,
  ListedObject,
  ObjectLedger,
  ObjectOutcome,
  ObjectState,
} from '../../../ports/store/object-ledger.ts';
import type { Claim } from '../../../ports/store/pipe-store.ts';
import type { ObjectTables } from '../statements/object-schema.ts';
import type { Session } from '../statements/session.ts';
import { statement, type Queries } from '../statements/statement.ts';

/** The ledger as whoever holds this claim may use it. */
export function createObjectLedger(session: Session, claim: Claim): ObjectLedger {
  const { workspaceId, pipeId, partition } = claim;
  return {
    entries: async (names) =>
      (await session.all(selectEntries, { workspaceId, pipeId, names: JSON.stringify(names) })).map(
        entryOf,
      ),
    plan: (batch, objects, fingerprint) =>
      session.atomically(async (inside) =>
        (await isHeld(inside, claim))
          ? plan(inside, claim, batch, objects, fingerprint)
          : undefined,
      ),
    batch: async (batch) =>
      (await session.all(selectBatch, { workspaceId, pipeId, partition, batch })).map(entryOf),
    recordOutcomes: (batch, outcomes) =>
      session.atomically(async (inside) => {
        if (!(await isHeld(inside, claim))) {
          return false;
        }
        if (outcomes.length > 0) {
          await inside.run(updateObjects, {
            workspaceId,
            pipeId,
            partition,
            batch,
            outcomes: JSON.stringify(outcomes.map(outcomeRow)),
          });
        }
        return true;
      }),
    waiting: async () =>
      Number((await session.first(countWaiting, { workspaceId, pipeId }))?.count ?? 0),
    unfinished: async () => {
      const planned = await session.all(selectPlanned, { workspaceId, pipeId });
      const intended = await session.all(selectIntended, { workspaceId, pipeId });
      return [...new Set([...planned, ...intended].map((row) => row.source_partition))].sort();
    },
  };
}

type Key = { workspaceId: string; pipeId: string };
type BatchKey = Key & { partition: string; batch: string };

const columns = [
  'name',
  'etag',
  'bytes',
  'modified_at_ms',
  'state',
  'fingerprint',
  'stored_rows',
  'reason',
  'tries',
] as const;
type Row = Pick<ObjectTables['pipe_objects'], (typeof columns)[number]>;

/** However many objects: one statement, and one value. An object is an array, read by position. */
const given = (queries: Queries, objects: string) =>
  queries.dialect === 'sqlite'
    ? sql`json_each(${objects}) as given`
    : sql`json_array_elements(cast(${objects} as json)) as given(value)`;
const text = (index: number) => sql<string>`given.value ->> ${sql.lit(index)}`;
const whole = (index: number) => sql<number>`cast(given.value ->> ${sql.lit(index)} as bigint)`;

/** Writes the row of the claim, so that nobody else can claim before this transaction ends. */
const touchClaim = statement<Key & { partition: string; epoch: number }>()(
  (queries, { workspaceId, pipeId, partition, epoch }) =>
    queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_partitions')
      .set({ epoch })
      .where('pipe_id', '=', pipeId)
      .where('source_partition', '=', partition)
      .where('epoch', '=', epoch),
);

const selectBatch = statement<BatchKey>()((queries, { workspaceId, pipeId, partition, batch }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_objects')
    .select(columns)
    .where('pipe_id', '=', pipeId)
    .where('source_partition', '=', partition)
    .where('batch', '=', batch)
    .orderBy('name'),
);

const countWaiting = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_objects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pipe_id', '=', pipeId)
    .where('state', '=', sql.lit('waiting')),
);
const selectPlanned = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_objects')
    .select('source_partition')
    .distinct()
    .where('pipe_id', '=', pipeId)
    .where('state', '=', sql.lit('planned')),
);
const selectIntended = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_partitions')
    .select('source_partition')
    .where('pipe_id', '=', pipeId)
    .where('intended', 'is not', null),
);

async function isHeld(
  inside: Session,
  { workspaceId, pipeId, partition, epoch }: Claim,
): Promise<boolean> {
  return (await inside.run(touchClaim, { workspaceId, pipeId, partition, epoch })) > 0;
}

const selectEntries = statement<Key & { names: string }>()(
  (queries, { workspaceId, pipeId, names }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('pipe_objects')
      .select(columns)
      .where('pipe_id', '=', pipeId)
      .where(sql<boolean>`name in (select value from ${nameList(queries, names)})`),
);

/** A JSON array of names as a table with the column `value`. */
function nameList({ dialect }: Queries, names: string) {
  return dialect === 'sqlite'
    ? sql`json_each(${names})`
    : sql`json_array_elements_text(cast(${names} as json)) as given(value)`;
}

type Planned = BatchKey & { objects: string; fingerprint: string };

const objectRow = ({ name, etag, bytes, modifiedAtMs }: ListedObject): (string | number)[] => [
  storable(name),
  storable(etag),
  bytes,
  modifiedAtMs,
];

function insertPlanned(
  queries: Queries,
  { workspaceId, pipeId, partition, batch, objects, fingerprint }: Planned,
) {
  return queries.ofWorkspace(workspaceId).insertSelected(
    'pipe_objects',
    {
      pipe_id: sql`${pipeId}`,
      name: text(0),
      source_partition: sql`${partition}`,
      batch: sql`${batch}`,
      etag: text(1),
      bytes: whole(2),
      modified_at_ms: whole(3),
      state: sql.lit('planned'),
      fingerprint: sql`${fingerprint}`,
      stored_rows: sql.lit(0),
      reason: sql`null`,
      tries: sql.lit(0),
      changed_at_ms: queries.now,
    },
    sql`${given(queries, objects)} where true`,
  );
}

const planNew = statement<Planned>()((queries, values) =>
  insertPlanned(queries, values).onConflict((conflict) => conflict.doNothing()),
);

const planAny = statement<Planned>()((queries, values) =>
  insertPlanned(queries, values).onConflict((conflict) =>
    conflict
      .columns(['workspace_id', 'pipe_id', 'name'])
      .doUpdateSet((eb) => ({
        ...excluded(eb, [
          'source_partition',
          'batch',
          'etag',
          'bytes',
          'modified_at_ms',
          'state',
          'fingerprint',
          'stored_rows',
          'reason',
          'changed_at_ms',
        ]),
        // A new content is a new beginning, unless it is the very reason of the wait.
        tries: eb
          .case()
          .when('pipe_objects.state', '=', sql.lit('waiting'))
          .then(eb('pipe_objects.tries', '+', 1))
          .else(0)
          .end(),
      }))
      .where('pipe_objects.state', '<>', sql.lit('planned'))
      .where((eb) =>
        eb.or([
          eb('pipe_objects.state', '<>', sql.lit('loaded')),
          eb('pipe_objects.etag', '<>', eb.ref('excluded.etag')),
        ]),
      ),
  ),
);

/** Mostly none of them was ever seen: then they are known without reading them back. */
async function plan(
  inside: Session,
  { workspaceId, pipeId, partition }: Claim,
  batch: string,
  objects: readonly ListedObject[],
  fingerprint: string,
): Promise<LedgerEntry[]> {
  const planned = {
    workspaceId,
    pipeId,
    partition,
    batch,
    fingerprint,
    objects: JSON.stringify(objects.map(objectRow)),
  };
  if ((await inside.run(planNew, planned)) === objects.length) {
    return objects.map((object) => ({
      ...object,
      state: 'planned',
      fingerprint,
      rows: 0,
      reason: null,
      tries: 0,
    }));
  }
  await inside.run(planAny, planned);
  return (await inside.all(selectBatch, { workspaceId, pipeId, partition, batch })).map(entryOf);
}

const outcomeRow = ({ name, state, rows, reason }: ObjectOutcome): (string | number | null)[] => [
  name,
  state,
  rows,
  reason && reason.toWellFormed().replaceAll('\0', '\uFFFD'),
];

/**
 * An insert of rows that are all there already: as an update from a list SQLite would go through
 * the whole list for each object. Of the row as it was planned only the key counts, and that it is
 * in this batch.
 */
const updateObjects = statement<BatchKey & { outcomes: string }>()((
  queries,
  { workspaceId, pipeId, partition, batch, outcomes },
) => {
  const kept = (column: keyof ObjectTables['pipe_objects']) => sql`known.${sql.ref(column)}`;
  return queries
    .ofWorkspace(workspaceId)
    .insertSelected(
      'pipe_objects',
      {
        pipe_id: kept('pipe_id'),
        name: kept('name'),
        source_partition: kept('source_partition'),
        batch: kept('batch'),
        etag: kept('etag'),
        bytes: kept('bytes'),
        modified_at_ms: kept('modified_at_ms'),
        state: text(1),
        fingerprint: kept('fingerprint'),
        stored_rows: whole(2),
        reason: text(3),
        tries: kept('tries'),
        changed_at_ms: queries.now,
      },
      sql`${given(queries, outcomes)} cross join pipe_objects as known
    where known.workspace_id = ${workspaceId}
      and known.pipe_id = ${pipeId}
      and known.name = ${text(0)}
      and known.source_partition = ${partition}
      and known.batch = ${batch}`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'pipe_id', 'name'])
        .doUpdateSet((eb) => excluded(eb, ['state', 'stored_rows', 'reason', 'changed_at_ms'])),
    );
});

type Excluded = { ref(column: `excluded.${keyof ObjectTables['pipe_objects']}`): unknown };

/** What was to be inserted takes the place of what is there. */
function excluded<C extends keyof ObjectTables['pipe_objects']>(
  eb: unknown,
  names: readonly C[],
): Record<C, never> {
  return Object.fromEntries(
    names.map((name) => [name, (eb as Excluded).ref(`excluded.${name}`)]),
  ) as Record<C, never>;
}

/** PostgreSQL cannot hold it in a text, and in JSON it is an escape that nobody else looks for. */
function storable(value: string): string {
  if (value.includes('\0')) {
    throw new Fault('bad_request', 'text must not contain the character U+0000');
  }
  return value;
}

function entryOf(row: Row): LedgerEntry {
  return {
    name: row.name,
    etag: row.etag,
    bytes: Number(row.bytes),
    modifiedAtMs: Number(row.modified_at_ms),
    state: row.state as ObjectState,
    fingerprint: row.fingerprint,
    rows: Number(row.stored_rows),
    reason: row.reason,
    tries: row.tries,
  };
}
