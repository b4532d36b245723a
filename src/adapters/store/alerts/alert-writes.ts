import { sql } from 'kysely';
import type { HistoryLine, AlertProgress, OutboxEntry } from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
import { rowWriter, rowsPerStatement, writeRows, type Columns } from './row-writer.ts';

/** A tick writes as many rows as there are alerts, so that each row has to be cheap. */
export const writeProgress = (session: Session, rows: readonly AlertProgress[]): Promise<number> =>
  writeRows(session, progressTable, rows);
export const writeEvaluations = (session: Session, rows: readonly HistoryLine[]): Promise<number> =>
  writeRows(session, historyTable, rows);

/** @returns the entries that wait for delivery: the new ones, and known ones not yet settled. */
export async function writeOutbox(
  session: Session,
  entries: readonly OutboxEntry[],
): Promise<OutboxEntry[]> {
  if (entries.length === 0) {
    return [];
  }
  // The usual case: every entry is new.
  if ((await writeRows(session, outboxTable, entries)) === entries.length) {
    return [...entries];
  }
  const waiting = new Set<string>();
  const ids = [...new Set(entries.map(({ eventId }) => eventId))];
  for (let start = 0; start < ids.length; start += rowsPerStatement) {
    const query = session.queries
      .ofEveryWorkspace()
      .selectFrom('alert_outbox')
      .select(['event_id', 'webhook_id'])
      .where('status', '=', sql.lit('pending'))
      .where('event_id', 'in', ids.slice(start, start + rowsPerStatement));
    for (const row of (await session.execute<{ event_id: string; webhook_id: string }>(query))
      .rows) {
      waiting.add(`${row.event_id}/${row.webhook_id}`);
    }
  }
  return entries.filter(({ eventId, webhookId }) => waiting.has(`${eventId}/${webhookId}`));
}

/** Only `setDeliveryErrors` changes `delivery_errors`. */
const progressTable = rowWriter(
  'alert_progress',
  {
    workspace_id: { type: 'text', value: (row) => row.workspaceId },
    alert_id: { type: 'text', value: (row) => row.alertId },
    shard: { type: 'integer', value: (row) => row.shard },
    interval_ms: { type: 'bigint', value: (row) => row.intervalMs },
    last_end_ms: { type: 'bigint', value: (row) => row.lastEndMs },
    line_end_ms: { type: 'bigint', value: (row) => row.lineEndMs },
    state: { type: 'text', value: (row) => row.state },
    last_value: { type: 'double precision', value: (row) => row.lastValue },
    last_evaluated_ms: { type: 'bigint', value: (row) => row.lastEvaluatedAtMs },
    group_by: { type: 'text', value: (row) => row.groupBy },
    groups: { type: 'text', value: (row) => row.groups },
    errors: {
      type: 'text',
      value: (row) =>
        row.executionErrors.length === 0 ? '[]' : JSON.stringify(row.executionErrors),
    },
    delivery_errors: { fixed: '[]' },
  } satisfies Columns<AlertProgress, 'alert_progress'>,
  { key: ['alert_id'], keep: ['workspace_id', 'delivery_errors'] },
);

const historyTable = rowWriter(
  'alert_history',
  {
    workspace_id: { type: 'text', value: (row) => row.workspaceId },
    alert_id: { type: 'text', value: (row) => row.alertId },
    window_start_ms: { type: 'bigint', value: (row) => row.windowStartMs },
    window_end_ms: { type: 'bigint', value: (row) => row.windowEndMs },
    evaluated_ms: { type: 'bigint', value: (row) => row.evaluatedAtMs },
    state: { type: 'text', value: (row) => row.state },
    value: { type: 'double precision', value: (row) => row.value },
    duration_ms: { type: 'double precision', value: (row) => row.durationMs },
    rows_read: { type: 'bigint', value: (row) => row.rowsRead },
    reason: { type: 'text', value: (row) => row.reason },
    groups: { type: 'text', value: (row) => row.groups },
    skipped: { type: 'integer', value: (row) => row.skipped },
    calm_before: { type: 'integer', value: (row) => row.calmBefore },
    decision: { type: 'text', value: (row) => row.decision ?? null },
  } satisfies Columns<HistoryLine, 'alert_history'>,
  { key: ['alert_id', 'window_end_ms'], keep: ['workspace_id'] },
);

/** A window that is evaluated again notifies nobody twice: the first row for an event stands. */
const outboxTable = rowWriter(
  'alert_outbox',
  {
    workspace_id: { type: 'text', value: (row) => row.workspaceId },
    alert_id: { type: 'text', value: (row) => row.alertId },
    shard: { type: 'integer', value: (row) => row.shard },
    event_id: { type: 'text', value: (row) => row.eventId },
    webhook_id: { type: 'text', value: (row) => row.webhookId },
    window_end_ms: { type: 'bigint', value: (row) => row.windowEndMs },
    event: { type: 'text', value: (row) => row.event },
    created_ms: { type: 'bigint', value: (row) => row.createdAtMs },
    status: { fixed: 'pending' },
    attempts: { fixed: 0 },
    next_attempt_ms: { type: 'bigint', value: (row) => row.createdAtMs },
    error: { fixed: null },
    settled_ms: { fixed: null },
    attempt_log: { fixed: null },
  } satisfies Columns<OutboxEntry, 'alert_outbox'>,
  { key: ['event_id', 'webhook_id'], keep: 'all' },
);
