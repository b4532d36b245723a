import { sql } from 'kysely';
import type { PipeState } from '../../../contract/pipe/pipe.ts';
import {
  replayPartition,
  type DeletedPipe,
  type PipeReplayStatus,
  type PipeStatus,
  type PipeStore,
  type PipeWish,
} from '../../../ports/store/pipe-store.ts';
import { createObjectLedger } from './object-ledger.ts';
import { createIntents } from './pipe-intents.ts';
import { createReplays } from './pipe-replays.ts';
import {
  partitionColumns,
  partitionOf,
  pipeReports,
  totalsColumns,
  totalsOf,
} from './pipe-reports.ts';
import type { PipeTables } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

/**
 * The state of pipes. A write to a partition succeeds only with the epoch of the latest claim.
 */
export function createPipeStore(session: Session): PipeStore {
  return {
    insert: async (workspaceId, pipeId) =>
      void (await session.run(insertStatus, { workspaceId, pipeId })),
    status: async (workspaceId, pipeId) =>
      optional(await session.first(selectStatus, { workspaceId, pipeId }), status),
    statuses: async (workspaceId) =>
      (await session.all(selectStatuses, { workspaceId })).map(status),
    everyStatus: async () => (await session.all(selectEvery, {})).map(status),
    ask: (workspaceId, pipeId, change) => ask(session, workspaceId, pipeId, change),
    report: async (workspaceId, pipeId, generation, state, message) =>
      (await session.run(setState, { workspaceId, pipeId, generation, state, message })) > 0,
    noteSourceOpened: async (workspaceId, pipeId) =>
      (await session.run(setSourceOpened, { workspaceId, pipeId })) > 0,
    markDeleted: async (workspaceId, pipeId, pipe) =>
      void (await session.run(setDeletedPipe, {
        workspaceId,
        pipeId,
        parting: JSON.stringify(pipe),
      })),
    deletedPipe: async (workspaceId, pipeId) => {
      const row = await session.first(selectDeletedPipe, { workspaceId, pipeId });
      return row?.parting == null ? undefined : (JSON.parse(row.parting) as DeletedPipe);
    },
    remove: (workspaceId, pipeId) =>
      session.atomically(async (inside) => {
        await inside.run(removeObjects, { workspaceId, pipeId });
        await inside.run(removePartitions, { workspaceId, pipeId });
        await inside.run(removeStatus, { workspaceId, pipeId });
      }),
    claim: (workspaceId, pipeId, partition) => claim(session, workspaceId, pipeId, partition),
    ...createIntents(session),
    ...createReplays(session),
    advance: (claim, position, counted, backlog) =>
      advance(session, claim, position, counted, backlog),
    partitions: async (workspaceId, pipeId) =>
      (await session.all(selectPartitions, { workspaceId, pipeId })).map(partitionOf),
    totals: async (workspaceId, pipeId) =>
      optional(await session.first(selectTotals, { workspaceId, pipeId }), totalsOf),
    reports: (workspaceId) => pipeReports(session, workspaceId),
    objects: (claim) => createObjectLedger(session, claim),
    noteError: async (workspaceId, pipeId, message) =>
      void (await session.run(setError, { workspaceId, pipeId, message })),
  };
}

type StatusRow = Pick<PipeTables['pipe_statuses'], (typeof statusColumns)[number]>;
type Key = { workspaceId: string; pipeId: string };
type ClaimValues = Key & { partition: string; epoch: number };

const statusColumns = [
  'workspace_id',
  'pipe_id',
  'wish',
  'generation',
  'run',
  'state',
  'message',
  'changed_at_ms',
  'source_opened',
  'replay',
] as const;

const insertStatus = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).insertInto('pipe_statuses', {
    pipe_id: pipeId,
    wish: 'run',
    generation: 1,
    run: 1,
    state: 'Provisioning',
    message: null,
    changed_at_ms: queries.now,
    stored_rows: 0,
    stored_bytes: 0,
    refused_records: 0,
    batches: 0,
    last_error: null,
    last_error_at_ms: null,
    parting: null,
    source_opened: 0,
    replay: null,
  }),
);

const selectStatus = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_statuses')
    .select(statusColumns)
    .where('pipe_id', '=', pipeId),
);
const selectStatuses = statement<{ workspaceId: string }>()((queries, { workspaceId }) =>
  queries.ofWorkspace(workspaceId).selectFrom('pipe_statuses').select(statusColumns),
);
const selectEvery = statement<Record<string, never>>()((queries) =>
  queries.ofEveryWorkspace().selectFrom('pipe_statuses').select(statusColumns).orderBy('pipe_id'),
);

const setState = statement<Key & { generation: number; state: string; message: string | null }>()(
  (queries, { workspaceId, pipeId, generation, state, message }) =>
    queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_statuses')
      .set({ state, message, changed_at_ms: queries.now })
      .where('pipe_id', '=', pipeId)
      .where('generation', '=', generation),
);

const addCounters = statement<
  Key & { rows: number; bytes: number; errors: number; batches: number }
>()((queries, { workspaceId, pipeId, rows, bytes, errors, batches }) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_statuses')
    .set((eb) => ({
      stored_rows: eb('stored_rows', '+', rows),
      stored_bytes: eb('stored_bytes', '+', bytes),
      refused_records: eb('refused_records', '+', errors),
      batches: eb('batches', '+', batches),
    }))
    .where('pipe_id', '=', pipeId),
);

const setError = statement<Key & { message: string }>()(
  (queries, { workspaceId, pipeId, message }) =>
    queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_statuses')
      .set({ last_error: message, last_error_at_ms: queries.now })
      .where('pipe_id', '=', pipeId),
);

const selectTotals = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_statuses')
    .select(totalsColumns)
    .where('pipe_id', '=', pipeId),
);

const setSourceOpened = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_statuses')
    .set({ source_opened: 1 })
    .where('pipe_id', '=', pipeId),
);
const setDeletedPipe = statement<Key & { parting: string }>()(
  (queries, { workspaceId, pipeId, parting }) =>
    queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_statuses')
      .set((eb) => ({ parting, wish: 'remove', generation: eb('generation', '+', 1) }))
      .where('pipe_id', '=', pipeId),
);
const selectDeletedPipe = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_statuses')
    .select('parting')
    .where('pipe_id', '=', pipeId),
);

const removeStatus = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).deleteFrom('pipe_statuses').where('pipe_id', '=', pipeId),
);
const removeObjects = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).deleteFrom('pipe_objects').where('pipe_id', '=', pipeId),
);
const removePartitions = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries.ofWorkspace(workspaceId).deleteFrom('pipe_partitions').where('pipe_id', '=', pipeId),
);

/** Epochs go on growing, so that a reader from before cannot write. */
const startOver = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_partitions')
    .set((eb) => ({
      epoch: eb('epoch', '+', 1),
      position: null,
      intended: null,
      intended_shard: null,
      inserting: 0,
      remaining: null,
      oldest_at_ms: null,
    }))
    .where('pipe_id', '=', pipeId),
);

const claimOne = statement<Key & { partition: string }>()(
  (queries, { workspaceId, pipeId, partition }) =>
    queries
      .ofWorkspace(workspaceId)
      .insertInto('pipe_partitions', {
        pipe_id: pipeId,
        source_partition: partition,
        epoch: 1,
        position: null,
        intended: null,
        intended_shard: null,
        inserting: 0,
        remaining: null,
        oldest_at_ms: null,
        stored_at_ms: queries.now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'pipe_id', 'source_partition'])
          .doUpdateSet((eb) => ({ epoch: eb('pipe_partitions.epoch', '+', 1) })),
      )
      .returning(partitionColumns),
);

const setPosition = statement<
  ClaimValues & { position: string; remaining: number | null; oldestAtMs: number | null }
>()((queries, { workspaceId, pipeId, partition, epoch, position, remaining, oldestAtMs }) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_partitions')
    .set({
      position,
      intended: null,
      intended_shard: null,
      inserting: 0,
      remaining,
      oldest_at_ms: oldestAtMs,
      stored_at_ms: queries.now,
    })
    .where('pipe_id', '=', pipeId)
    .where('source_partition', '=', partition)
    .where('epoch', '=', epoch),
);

const selectPartitions = statement<Key>()((queries, { workspaceId, pipeId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_partitions')
    .select(partitionColumns)
    .where('pipe_id', '=', pipeId)
    .where('source_partition', '!=', sql.lit(replayPartition))
    .orderBy('source_partition'),
);

async function claim(
  session: Session,
  workspaceId: string,
  pipeId: string,
  partition: string,
): ReturnType<PipeStore['claim']> {
  const row = await session.first(claimOne, { workspaceId, pipeId, partition });
  if (!row) {
    throw new Error('the claim of a partition returned no row');
  }
  return {
    claim: { workspaceId, pipeId, partition, epoch: row.epoch },
    partition: partitionOf(row),
  };
}

function advance(
  session: Session,
  ...[claimed, position, counted, backlog]: Parameters<PipeStore['advance']>
): Promise<boolean> {
  return session.atomically(async (inside) => {
    const moved =
      (await inside.run(setPosition, {
        ...claimed,
        position,
        remaining: backlog?.remaining ?? null,
        oldestAtMs: backlog?.oldestAtMs ?? null,
      })) > 0;
    if (moved && Object.values(counted).some((value) => value !== 0)) {
      const { workspaceId, pipeId } = claimed;
      await inside.run(addCounters, { workspaceId, pipeId, ...counted });
    }
    return moved;
  });
}

async function ask(
  session: Session,
  workspaceId: string,
  pipeId: string,
  change: { wish?: PipeWish; state?: PipeState; resync?: boolean },
): Promise<PipeStatus | undefined> {
  return session.atomically(async (inside) => {
    const query = inside.queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_statuses')
      .set((eb) => ({
        generation: eb('generation', '+', 1),
        ...(change.resync === true ? { run: eb('run', '+', 1) } : {}),
        ...(change.wish === undefined ? {} : { wish: change.wish }),
        ...(change.state === undefined
          ? {}
          : { state: change.state, message: null, changed_at_ms: inside.queries.now }),
      }))
      .where('pipe_id', '=', pipeId)
      .returning(statusColumns);
    if (change.resync === true) {
      await inside.run(startOver, { workspaceId, pipeId });
    }
    return optional((await inside.execute<StatusRow>(query)).rows[0], status);
  });
}

function optional<R, T>(row: R | undefined, map: (row: R) => T): T | undefined {
  return row === undefined ? undefined : map(row);
}

function status(row: StatusRow): PipeStatus {
  return {
    workspaceId: row.workspace_id,
    pipeId: row.pipe_id,
    wish: row.wish as PipeWish,
    generation: row.generation,
    run: row.run,
    state: row.state as PipeState,
    message: row.message,
    changedAtMs: Number(row.changed_at_ms),
    sourceOpened: Number(row.source_opened) !== 0,
    replay: row.replay === null ? null : (JSON.parse(row.replay) as PipeReplayStatus),
  };
}
