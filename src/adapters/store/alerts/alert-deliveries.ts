import { sql } from 'kysely';
import type {
  DeliveryMark,
  DeliveryPosition,
  PendingDelivery,
  StoredAttempt,
  StoredDelivery,
  StoredExecutionError,
  WaitingDeliveries,
} from '../../../ports/store/alert-store.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

export async function setDeliveryErrors(
  session: Session,
  alertId: string,
  errors: readonly StoredExecutionError[],
): Promise<void> {
  await session.run(updateDeliveryErrors, { alertId, errors: JSON.stringify(errors) });
}

export async function pendingDeliveries(
  session: Session,
  shards: readonly number[],
): Promise<PendingDelivery[]> {
  if (shards.length === 0) {
    return [];
  }
  const { rows } = await session.execute<Schema['alert_outbox']>(
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

export async function recordMarks(session: Session, marks: readonly DeliveryMark[]): Promise<void> {
  if (marks.length > 0) {
    await session.run(updateDeliveries, { marks: JSON.stringify(marks.map(markRow)) });
  }
}

export async function disableWebhook(
  session: Session,
  webhookId: string,
  version: number,
): Promise<void> {
  await session.run(disable, { webhookId, version });
}

export async function disabledWebhooks(session: Session): Promise<Map<string, number>> {
  const rows = await session.all(selectDisabled, {});
  return new Map(rows.map((row) => [row.webhook_id, Number(row.version)]));
}

const updateDeliveryErrors = statement<{ alertId: string; errors: string }>()(
  (queries, { alertId, errors }) =>
    queries
      .ofEveryWorkspace()
      .updateTable('alert_progress')
      .set({ delivery_errors: errors })
      .where('alert_id', '=', alertId),
);

/** Settles any number of marks in one round trip. A mark is an array, read by position. */
const updateDeliveries = statement<{ marks: string }>()((queries, { marks }) => {
  const markList = (
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
    .from(markList)
    .set({
      status: field('outcome'),
      attempts: whole('attempts'),
      next_attempt_ms: whole('nextAttemptMs'),
      error: field('error'),
      attempt_log: sql`case when ${field('attempt')} is null then attempt_log
        else coalesce(attempt_log, '') || (${field('attempt')}) || ${sql.lit('\n')} end`,
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
  attempt: 6,
} as const;

/** Removes characters that PostgreSQL cannot store: an error may quote a name that has them. */
function markRow({
  eventId,
  webhookId,
  attempts,
  outcome,
  nextAttemptMs,
  error,
  attempt,
}: DeliveryMark): (string | number | null)[] {
  return [
    eventId,
    webhookId,
    attempts,
    outcome,
    nextAttemptMs,
    storable(error),
    attempt === undefined ? null : JSON.stringify(attemptRow(attempt)),
  ];
}

const storable = (text: string | null): string | null =>
  text === null ? null : text.toWellFormed().replaceAll('\0', '\uFFFD');

type AttemptRow = [
  atMs: number,
  status: number | null,
  elapsedMs: number,
  body: string | null,
  error: string | null,
];

const attemptRow = ({ atMs, status, elapsedMs, body, error }: StoredAttempt): AttemptRow => [
  atMs,
  status,
  elapsedMs,
  storable(body),
  storable(error),
];

/** One line for each attempt. */
function attemptsOf(log: string | null): StoredAttempt[] {
  return (log ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [atMs, status, elapsedMs, body, error] = JSON.parse(line) as AttemptRow;
      return { atMs, status, elapsedMs, body, error };
    });
}

export async function deliveries(
  session: Session,
  workspaceId: string,
  of: { alertId: string; windowEndMs?: number } | { webhookId: string },
  { limit, after }: { limit: number; after: DeliveryPosition | undefined },
): Promise<StoredDelivery[]> {
  const [column, id] =
    'alertId' in of ? (['alert_id', of.alertId] as const) : (['webhook_id', of.webhookId] as const);
  let query = session.queries
    .ofWorkspace(workspaceId)
    .selectFrom('alert_outbox')
    .selectAll()
    .where(column, '=', id)
    .orderBy('created_ms', 'desc')
    .orderBy('event_id', 'desc')
    .orderBy('webhook_id', 'desc')
    .limit(limit);
  if ('alertId' in of && of.windowEndMs !== undefined) {
    query = query.where('window_end_ms', '=', of.windowEndMs);
  }
  if (after) {
    const { createdAtMs, eventId, webhookId } = after;
    query = query.where(
      sql<boolean>`(created_ms, event_id, webhook_id) < (${createdAtMs}, ${eventId}, ${webhookId})`,
    );
  }
  return (await session.execute<Schema['alert_outbox']>(query)).rows.map((row) => ({
    alertId: row.alert_id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    windowEndMs: Number(row.window_end_ms),
    event: row.event,
    createdAtMs: Number(row.created_ms),
    status: row.status as StoredDelivery['status'],
    attemptCount: Number(row.attempts),
    attempts: attemptsOf(row.attempt_log),
    nextAttemptMs: Number(row.next_attempt_ms),
    settledMs: row.settled_ms === null ? null : Number(row.settled_ms),
    error: row.error,
  }));
}

export async function waitingDeliveries(
  session: Session,
  workspaceId: string,
): Promise<WaitingDeliveries[]> {
  return (await session.all(selectWaiting, { workspaceId })).map((row) => ({
    webhookId: row.webhook_id,
    count: Number(row.count),
    oldestMs: Number(row.oldest_ms),
  }));
}

const selectWaiting = statement<{ workspaceId: string }>()((queries, { workspaceId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('alert_outbox')
    .select((eb) => [
      'webhook_id',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('created_ms').as('oldest_ms'),
    ])
    .where('status', '=', sql.lit('pending'))
    .groupBy('webhook_id')
    .orderBy('oldest_ms')
    .orderBy('webhook_id'),
);

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
