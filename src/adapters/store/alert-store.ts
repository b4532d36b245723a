import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  shardCount,
  type AlertProgress,
  type AlertStatus,
  type AlertStore,
  type DeliveryMark,
  type DocumentStamp,
  type ExecutionError,
  type PendingDelivery,
} from '../../ports/alert-store.ts';
import type { DocumentKind, JsonObject, StoredDocument } from '../../ports/store.ts';
import {
  dropCalmBefore,
  newestCalm,
  readNewestCalm,
  writeCalm,
  type CalmReading,
  type CalmRun,
} from './alert-calm.ts';
import { readNewestCalmOfMany, type CalmWanted } from './newest-calm.ts';
import { alertHistory, alertHistoryCount } from './alert-history.ts';
import { writeEvaluations, writeOutbox, writeProgress } from './alert-writes.ts';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';
import { statement, type Queries, type Statement } from './statement.ts';

/** Documents of which an alert's meaning or delivery is made. */
const kinds: DocumentKind[] = ['alert', 'dashboard', 'savedSearch', 'source', 'webhook'];

export function createAlertStore(session: Session): AlertStore {
  return {
    status: (workspaceId, alertIds) => status(session, workspaceId, alertIds),
    history: (workspaceId, alertId, page) => alertHistory(session, workspaceId, alertId, page),
    historyCount: (workspaceId, alertId) => alertHistoryCount(session, workspaceId, alertId),
    documentRevision: async () => {
      const row = await session.first(selectRevision, {});
      return {
        count: Number(row?.count ?? 0),
        latestMs: Number(row?.latest ?? 0),
        versions: Number(row?.versions ?? 0),
      };
    },
    documentsChangedSince: async (sinceMs) =>
      sinceMs > 0
        ? (await session.all(selectChanged, { sinceMs })).map(documentOf)
        : paged(session, selectDocuments, documentOf),
    documentStamps: () =>
      paged(
        session,
        selectStamps,
        ({ kind, id, version }) => ({ kind, id, version: Number(version) }) as DocumentStamp,
      ),
    progress: (shards) => progress(session, shards),
    record: (written) =>
      session.atomically(async (inside) => {
        await writeProgress(inside, written.progress);
        await writeEvaluations(inside, written.evaluations);
        return writeOutbox(inside, written.outbox);
      }),
    recordCalm: (windows) => session.atomically((inside) => writeCalm(inside, windows)),
    setDeliveryErrors: async (alertId, errors) =>
      void (await session.run(updateDeliveryErrors, { alertId, errors: JSON.stringify(errors) })),
    pending: (shards) => pending(session, shards),
    settle: async (marks) => {
      if (marks.length > 0) {
        await session.run(settleMany, { marks: JSON.stringify(marks.map(markRow)) });
      }
    },
    disableWebhook: async (webhookId, version) =>
      void (await session.run(disable, { webhookId, version })),
    disabledWebhooks: async () =>
      new Map(
        (await session.all(selectDisabled, {})).map((row) => [row.webhook_id, Number(row.version)]),
      ),
    heartbeat: (holder, aliveMs) =>
      session.atomically(async (inside) => {
        await inside.run(beat, { holder });
        await inside.run(dropDead, { aliveMs: aliveMs * 20 });
        return (await inside.all(selectAlive, { aliveMs })).map((row) => row.holder);
      }),
    leave: async (holder) => void (await session.run(dropEvaluator, { holder })),
    forget: (alertIds) => forget(session, alertIds),
    sweepBefore: (bounds) => sweep(session, bounds),
  };
}

type Row<T extends keyof Schema> = Schema[T];

/** Without a look at the documents where their totals are kept. */
const selectRevision = statement<Record<string, never>>()((queries) =>
  queries.dialect === 'sqlite'
    ? queries.global
        .selectFrom('document_totals')
        .select(['count', 'versions', 'latest_ms as latest'])
    : queries
        .ofEveryWorkspace()
        .selectFrom('documents')
        .select([
          sql<number>`count(*)`.as('count'),
          sql<number>`sum(version)`.as('versions'),
          sql<number>`max(updated_at_ms)`.as('latest'),
        ])
        .where('kind', 'in', kinds),
);

const selectChanged = statement<{ sinceMs: number }>()((queries, { sinceMs }) =>
  queries
    .ofEveryWorkspace()
    .selectFrom('documents')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('updated_at_ms', '>=', sinceMs),
);

type PageStart = { workspaceId: string; kind: string; id: string };

const selectDocuments = statement<PageStart>()((queries, after) =>
  page(queries, after).selectAll(),
);
const selectStamps = statement<PageStart>()((queries, after) =>
  page(queries, after).select(['workspace_id', 'kind', 'id', 'version']),
);

/** In the order of the key, and found by it: another index would be read and sorted as a whole for every page, and `+` keeps SQLite from that of the kind. */
function page(queries: Queries, { workspaceId, kind, id }: PageStart) {
  const wanted =
    queries.dialect === 'sqlite'
      ? sql<boolean>`+kind in (${sql.join(kinds)})`
      : sql<boolean>`kind in (${sql.join(kinds)})`;
  return queries
    .ofEveryWorkspace()
    .selectFrom('documents')
    .where(wanted)
    .where(sql<boolean>`(workspace_id, kind, id) > (${workspaceId}, ${kind}, ${id})`)
    .orderBy('workspace_id')
    .orderBy('kind')
    .orderBy('id')
    .limit(sql.lit(pageRows));
}

/** All rows, a page at a time: the embedded store reads on the thread that also answers requests. */
async function paged<R extends { workspace_id: string; kind: string; id: string }, T>(
  session: Session,
  rowsAfter: Statement<PageStart, R>,
  shape: (row: R) => T,
): Promise<T[]> {
  const found: T[] = [];
  let after: PageStart = { workspaceId: '', kind: '', id: '' };
  for (;;) {
    const rows = await session.all(rowsAfter, after);
    for (const row of rows) {
      found.push(shape(row));
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) {
      return found;
    }
    after = { workspaceId: last.workspace_id, kind: last.kind, id: last.id };
    await turn();
  }
}

const pageRows = 1000;

const updateDeliveryErrors = statement<{ alertId: string; errors: string }>()(
  (queries, { alertId, errors }) =>
    queries
      .ofEveryWorkspace()
      .updateTable('alert_progress')
      .set({ delivery_errors: errors })
      .where('alert_id', '=', alertId),
);

/** However many: one statement, and one round trip. A mark is an array, read by position. */
const settleMany = statement<{ marks: string }>()((queries, { marks }) => {
  const given = (
    queries.dialect === 'sqlite'
      ? sql`json_each(${marks})`
      : sql`jsonb_array_elements(cast(${marks} as jsonb))`
  ).as('given');
  const field = (name: keyof typeof markFields) =>
    sql<string>`${sql.ref('given.value')} ->> ${sql.lit(markFields[name])}`;
  const whole = (name: keyof typeof markFields) => sql<number>`cast(${field(name)} as bigint)`;
  return queries
    .ofEveryWorkspace()
    .updateTable('alert_outbox')
    .from(given)
    .set({
      status: field('outcome'),
      attempts: whole('attempts'),
      next_attempt_ms: whole('nextAttemptMs'),
      error: field('error'),
      settled_ms: sql`case when ${field('outcome')} = 'pending' then null else ${queries.now} end`,
    })
    .where('event_id', '=', field('eventId'))
    .where('webhook_id', '=', field('webhookId'))
    .where('status', '=', sql.lit('pending'));
});

const markFields = {
  eventId: 0,
  webhookId: 1,
  attempts: 2,
  outcome: 3,
  nextAttemptMs: 4,
  error: 5,
} as const;

/** A name in an error may hold what is no text for PostgreSQL. */
function markRow({
  eventId,
  webhookId,
  attempts,
  outcome,
  nextAttemptMs,
  error,
}: DeliveryMark): (string | number | null)[] {
  return [
    eventId,
    webhookId,
    attempts,
    outcome,
    nextAttemptMs,
    error === null ? null : error.toWellFormed().replaceAll('\0', '\uFFFD'),
  ];
}

const disable = statement<{ webhookId: string; version: number }>()(
  (queries, { webhookId, version }) =>
    queries.global
      .insertInto('alert_disabled_webhooks')
      .values({ webhook_id: webhookId, version })
      .onConflict((conflict) => conflict.column('webhook_id').doUpdateSet({ version })),
);

const selectDisabled = statement<Record<string, never>>()((queries) =>
  queries.global.selectFrom('alert_disabled_webhooks').selectAll(),
);

const beat = statement<{ holder: string }>()((queries, { holder }) =>
  queries.global
    .insertInto('alert_evaluators')
    .values({ holder, seen_ms: queries.now })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet({ seen_ms: queries.now })),
);

/** Seen in the future is as good as alive: the clock was set back. */
const selectAlive = statement<{ aliveMs: number }>()((queries, { aliveMs }) =>
  queries.global
    .selectFrom('alert_evaluators')
    .select('holder')
    .where('seen_ms', '>', sql<number>`${queries.now} - cast(${aliveMs} as bigint)`)
    .orderBy('holder'),
);

const dropDead = statement<{ aliveMs: number }>()((queries, { aliveMs }) =>
  queries.global
    .deleteFrom('alert_evaluators')
    .where(sql<boolean>`abs(seen_ms - ${queries.now}) > cast(${aliveMs} as bigint)`),
);

const dropEvaluator = statement<{ holder: string }>()((queries, { holder }) =>
  queries.global.deleteFrom('alert_evaluators').where('holder', '=', holder),
);

const perQuery = 500;

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / perQuery) }, (_, index) =>
    items.slice(index * perQuery, (index + 1) * perQuery),
  );
}

const statusColumns = [
  'alert_id',
  'state',
  'errors',
  'delivery_errors',
  'last_evaluated_ms',
  'last_value',
  'shard',
  'interval_ms',
  'last_end_ms',
] as const;

const selectStatus = statement<{ workspaceId: string; alertId: string }>()(
  (queries, { workspaceId, alertId }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('alert_progress')
      .select(statusColumns)
      .where('alert_id', '=', alertId),
);

type StatusRow = Pick<Row<'alert_progress'>, (typeof statusColumns)[number]>;

async function status(
  session: Session,
  workspaceId: string,
  alertIds: readonly string[],
): Promise<Map<string, AlertStatus>> {
  const found = new Map<string, AlertStatus>();
  if (alertIds.length === 1) {
    const one = await session.recent(
      selectStatus,
      { workspaceId, alertId: alertIds[0]! },
      statusWithRun,
    );
    if (!one) {
      return found;
    }
    return found.set(
      alertIds[0]!,
      calmed(one.status, one.run && (await readNewestCalm(session, alertIds[0]!, one.run))),
    );
  }
  const wanted: CalmWanted[] = [];
  for (const ids of chunks([...new Set(alertIds)])) {
    const { rows } = await session.execute(
      session.queries
        .ofWorkspace(workspaceId)
        .selectFrom('alert_progress')
        .select(statusColumns)
        .where('alert_id', 'in', ids),
    );
    for (const row of rows) {
      const { status, run } = statusWithRun(row);
      found.set(row.alert_id, status);
      if (run) {
        wanted.push({ alertId: row.alert_id, run });
      }
    }
  }
  for (const [alertId, newest] of await readNewestCalmOfMany(session, wanted)) {
    found.set(alertId, calmed(found.get(alertId)!, newest));
  }
  return found;
}

interface StatusWithRun {
  status: AlertStatus;
  /** Where calm windows since then lie; undefined where there can be none. */
  run: CalmRun | undefined;
}

/** While an alert shows an error of evaluation, nothing of it is recorded as calm. */
function statusWithRun(row: StatusRow): StatusWithRun {
  const status = statusOf(row);
  const calm = status.state === 'inactive' && row.last_end_ms !== null && row.errors === '[]';
  return {
    status,
    run: calm
      ? {
          shard: Number(row.shard),
          intervalMs: Number(row.interval_ms),
          afterMs: Number(row.last_end_ms),
          beforeMs: Number.MAX_SAFE_INTEGER,
        }
      : undefined,
  };
}

/** With what it read since its progress was written. */
function calmed(status: AlertStatus, newest: CalmReading | undefined): AlertStatus {
  return newest
    ? { ...status, lastEvaluatedAtMs: newest.evaluatedAtMs, lastValue: newest.value }
    : status;
}

function statusOf(row: StatusRow): AlertStatus {
  const errors = [
    ...(JSON.parse(row.errors) as ExecutionError[]),
    ...(JSON.parse(row.delivery_errors) as ExecutionError[]),
  ];
  return {
    state: row.state as AlertStatus['state'],
    executionErrors: errors,
    lastEvaluatedAtMs: numberOrNull(row.last_evaluated_ms),
    lastValue: numberOrNull(row.last_value),
  };
}

async function progress(session: Session, shards: readonly number[]): Promise<AlertProgress[]> {
  if (shards.length === 0) {
    return [];
  }
  const calm = new Map<number, Map<string, CalmReading>>();
  for (const shard of shards) {
    calm.set(shard, await newestCalm(session, shard));
    await turn();
  }
  const found: AlertProgress[] = [];
  for (let after = ''; ;) {
    const { rows } = await session.execute<Row<'alert_progress'>>(
      session.queries
        .ofEveryWorkspace()
        .selectFrom('alert_progress')
        .selectAll()
        .where('shard', 'in', shards)
        .where('alert_id', '>', after)
        .orderBy('alert_id')
        .limit(pageRows),
    );
    for (const row of rows) {
      found.push(progressWith(calm.get(Number(row.shard))?.get(row.alert_id), row));
    }
    if (rows.length < pageRows) {
      return found;
    }
    after = rows.at(-1)!.alert_id;
    await turn();
  }
}

/** A calm window after the row was written is progress too. */
function progressWith(newest: CalmReading | undefined, row: Row<'alert_progress'>): AlertProgress {
  const progress = progressOf(row);
  if (newest && progress.lastEndMs !== null && newest.windowEndMs > progress.lastEndMs) {
    Object.assign(progress, {
      lastEndMs: newest.windowEndMs,
      lastEvaluatedAtMs: newest.evaluatedAtMs,
      lastValue: newest.value,
    });
  }
  return progress;
}

function progressOf(row: Row<'alert_progress'>): AlertProgress {
  return {
    ...statusOf(row),
    executionErrors: JSON.parse(row.errors) as ExecutionError[],
    deliveryErrors: JSON.parse(row.delivery_errors) as ExecutionError[],
    workspaceId: row.workspace_id,
    alertId: row.alert_id,
    shard: Number(row.shard),
    intervalMs: Number(row.interval_ms),
    lastEndMs: numberOrNull(row.last_end_ms),
    lineEndMs: numberOrNull(row.line_end_ms),
    groupBy: row.group_by,
    groups: row.groups,
  };
}

async function pending(session: Session, shards: readonly number[]): Promise<PendingDelivery[]> {
  if (shards.length === 0) {
    return [];
  }
  const { rows } = await session.execute<Row<'alert_outbox'>>(
    session.queries
      .ofEveryWorkspace()
      .selectFrom('alert_outbox')
      .selectAll()
      .where('status', '=', sql.lit('pending'))
      .where('shard', 'in', shards)
      .orderBy('window_end_ms')
      .orderBy('event_id'),
  );
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    alertId: row.alert_id,
    shard: Number(row.shard),
    eventId: row.event_id,
    webhookId: row.webhook_id,
    windowEndMs: Number(row.window_end_ms),
    event: row.event,
    createdAtMs: Number(row.created_ms),
    attempts: Number(row.attempts),
    nextAttemptMs: Number(row.next_attempt_ms),
  }));
}

async function forget(session: Session, alertIds: readonly string[]): Promise<void> {
  for (const ids of chunks(alertIds)) {
    await session.atomically(async (inside) => {
      const everywhere = inside.queries.ofEveryWorkspace();
      for (const table of ['alert_progress', 'alert_outbox', 'alert_history'] as const) {
        await inside.execute(everywhere.deleteFrom(table).where('alert_id', 'in', ids));
      }
    });
  }
}

async function sweep(
  session: Session,
  { evaluationsMs, deliveriesMs }: { evaluationsMs: number; deliveriesMs: number },
): Promise<void> {
  const everywhere = session.queries.ofEveryWorkspace();
  const { rows } = await session.execute<{ alert_id: string }>(
    everywhere.selectFrom('alert_progress').select('alert_id'),
  );
  // By alert, because the key of history begins with it: no second index has to be kept for a sweep.
  for (const ids of chunks(rows.map((row) => row.alert_id))) {
    await session.execute(
      everywhere
        .deleteFrom('alert_history')
        .where('alert_id', 'in', ids)
        .where('window_end_ms', '<', evaluationsMs),
    );
  }
  for (let shard = 0; shard < shardCount; shard++) {
    await dropCalmBefore(session, shard, evaluationsMs);
  }
  await session.execute(
    everywhere.deleteFrom('alert_outbox').where('settled_ms', '<', deliveriesMs),
  );
}

function documentOf(row: Row<'documents'>): StoredDocument {
  return {
    kind: row.kind as DocumentKind,
    id: row.id,
    workspaceId: row.workspace_id,
    version: Number(row.version),
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
    body: JSON.parse(row.body) as JsonObject,
    sealed: row.sealed,
  };
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
