import { sql } from 'kysely';
import type { LedgerEntry, ListedObject, ObjectLedger, ObjectOutcome, ObjectState } from '../../ports/object-ledger.ts';
import type { Claim } from '../../ports/pipe-store.ts';
import type { ObjectTables } from './object-schema.ts';
import type { Session } from './session.ts';
import { statement } from './statement.ts';

/** The ledger as whoever holds this claim may use it. */
export function createObjectLedger(session: Session, claim: Claim): ObjectLedger {
  const { workspaceId, pipeId, partition } = claim;
  return {
    entries: (names) => entries(session, claim, names),
    plan: (batch, objects, fingerprint) => session.atomically(async (inside) => (await isHeld(inside, claim) ? plan(inside, claim, batch, objects, fingerprint) : undefined)),
    batch: async (batch) => (await session.all(selectBatch, { workspaceId, pipeId, partition, batch })).map(entryOf),
    settle: (batch, outcomes) => session.atomically(async (inside) => {
      if (!await isHeld(inside, claim)) return false;
      await settle(inside, claim, batch, outcomes);
      return true;
    }),
    waiting: async () => Number((await session.first(countWaiting, { workspaceId, pipeId }))?.count ?? 0),
    unfinished: async () => {
      const planned = await session.all(selectPlanned, { workspaceId, pipeId });
      const intended = await session.all(selectIntended, { workspaceId, pipeId });
      return [...new Set([...planned, ...intended].map((row) => row.source_partition))].sort();
    },
  };
}

type Key = { workspaceId: string; pipeId: string };
type BatchKey = Key & { partition: string; batch: string };

const columns = ['name', 'etag', 'bytes', 'modified_at_ms', 'state', 'fingerprint', 'stored_rows', 'reason', 'tries'] as const;
type Row = Pick<ObjectTables['pipe_objects'], (typeof columns)[number]>;

/** An object has ten values of its own, and SQLite takes 32,766 in a statement. */
const objectsPerStatement = 500;
/** The engine of the store compares each name with each branch. */
const outcomesPerStatement = 200;

/** Writes the row of the claim, so that nobody else can claim before this transaction ends. */
const touchClaim = statement<Key & { partition: string; epoch: number }>()((queries, { workspaceId, pipeId, partition, epoch }) =>
  queries.ofWorkspace(workspaceId).updateTable('pipe_partitions').set({ epoch }).where('pipe_id', '=', pipeId).where('source_partition', '=', partition).where('epoch', '=', epoch));

const selectBatch = statement<BatchKey>()((queries, { workspaceId, pipeId, partition, batch }) =>
  queries.ofWorkspace(workspaceId).selectFrom('pipe_objects').select(columns).where('pipe_id', '=', pipeId).where('source_partition', '=', partition).where('batch', '=', batch).orderBy('name'));

const countWaiting = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).selectFrom('pipe_objects').select((eb) => eb.fn.countAll<number>().as('count')).where('pipe_id', '=', pipeId).where('state', '=', sql.lit('waiting')));
const selectPlanned = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).selectFrom('pipe_objects').select('source_partition').distinct().where('pipe_id', '=', pipeId).where('state', '=', sql.lit('planned')));
const selectIntended = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).selectFrom('pipe_partitions').select('source_partition').where('pipe_id', '=', pipeId).where('intended', 'is not', null));

async function isHeld(inside: Session, { workspaceId, pipeId, partition, epoch }: Claim): Promise<boolean> {
  return await inside.run(touchClaim, { workspaceId, pipeId, partition, epoch }) > 0;
}

async function entries(session: Session, { workspaceId, pipeId }: Claim, names: readonly string[]): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  for (const some of chunks(names)) {
    const query = session.queries.ofWorkspace(workspaceId).selectFrom('pipe_objects').select(columns).where('pipe_id', '=', pipeId).where('name', 'in', some);
    found.push(...(await session.execute<Row>(query)).rows.map(entryOf));
  }
  return found;
}

async function plan(inside: Session, { workspaceId, pipeId, partition }: Claim, batch: string, objects: readonly ListedObject[], fingerprint: string): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const some of chunks(objects)) {
    const rows = some.map(({ name, etag, bytes, modifiedAtMs }) => ({
      pipe_id: pipeId, name, source_partition: partition, batch, etag, bytes, modified_at_ms: modifiedAtMs, state: 'planned', fingerprint, stored_rows: 0, reason: null, tries: 0, changed_at_ms: inside.queries.now,
    }));
    const query = inside.queries.ofWorkspace(workspaceId).insertInto('pipe_objects', rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'pipe_id', 'name']).doUpdateSet((eb) => ({
        source_partition: partition, batch, etag: eb.ref('excluded.etag'), bytes: eb.ref('excluded.bytes'), modified_at_ms: eb.ref('excluded.modified_at_ms'), state: 'planned', fingerprint, stored_rows: 0, reason: null, changed_at_ms: inside.queries.now,
        // A new content is a new beginning, unless it is the very reason of the wait.
        tries: eb.case().when('pipe_objects.state', '=', sql.lit('waiting')).then(eb('pipe_objects.tries', '+', 1)).else(0).end(),
      })).where('pipe_objects.state', '<>', sql.lit('planned')).where((eb) => eb.or([eb('pipe_objects.state', '<>', sql.lit('loaded')), eb('pipe_objects.etag', '<>', eb.ref('excluded.etag'))])))
      .returning('name');
    for (const { name } of (await inside.execute<{ name: string }>(query)).rows) taken.add(name);
  }
  return taken;
}

/** Those that came out alike together: one statement for hundreds instead of one each. */
async function settle(inside: Session, { workspaceId, pipeId, partition }: Claim, batch: string, outcomes: readonly ObjectOutcome[]): Promise<void> {
  const alike = new Map<string, ObjectOutcome[]>();
  for (const outcome of outcomes) {
    const key = JSON.stringify([outcome.state, outcome.reason]);
    const group = alike.get(key);
    if (group) group.push(outcome);
    else alike.set(key, [outcome]);
  }
  for (const group of alike.values()) for (const some of chunks(group, outcomesPerStatement)) {
    const { state, reason } = some[0]!;
    const rows = sql<number>`CASE name ${sql.join(some.map((outcome) => sql`WHEN ${outcome.name} THEN CAST(${outcome.rows} AS bigint)`), sql` `)} END`;
    await inside.execute(inside.queries.ofWorkspace(workspaceId).updateTable('pipe_objects').set({ state, reason, stored_rows: rows, changed_at_ms: inside.queries.now })
      .where('pipe_id', '=', pipeId).where('source_partition', '=', partition).where('batch', '=', batch).where('name', 'in', some.map(({ name }) => name)));
  }
}

function* chunks<T>(all: readonly T[], size = objectsPerStatement): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

function entryOf(row: Row): LedgerEntry {
  return {
    name: row.name, etag: row.etag, bytes: Number(row.bytes), modifiedAtMs: Number(row.modified_at_ms), state: row.state as ObjectState, fingerprint: row.fingerprint,
    rows: Number(row.stored_rows), reason: row.reason, tries: row.tries,
  };
}
