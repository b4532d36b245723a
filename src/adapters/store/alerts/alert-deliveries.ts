import { sql } from 'kysely';
import type {
  DeliveryMark,
  PendingDelivery,
  StoredExecutionError,
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

/** Removes characters that PostgreSQL cannot store: an error may quote a name that has them. */
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
