import { sql, type Insertable, type Kysely, type RawBuilder } from 'kysely';
import type { AlertLine, AlertProgress, OutboxEntry } from '../../ports/alert-store.ts';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';
import { statement, type Bind, type Queries, type Statement } from './statement.ts';

/** What a tick writes. Its size is the number of alerts, so it has to be cheap. */
export const writeProgress = (session: Session, rows: readonly AlertProgress[]): Promise<number> =>
  write(session, progressTable, rows.map(progressRow));
export const writeEvaluations = (session: Session, rows: readonly AlertLine[]): Promise<number> =>
  write(session, historyTable, rows.map(historyRow));

/** Answers those that wait to be delivered: what is new, and what was written before but not settled yet. */
export async function writeOutbox(
  session: Session,
  entries: readonly OutboxEntry[],
): Promise<OutboxEntry[]> {
  if (entries.length === 0) {
    return [];
  }
  // Nearly always nothing of it was there before.
  if ((await write(session, outboxTable, entries.map(outboxRow))) === entries.length) {
    return [...entries];
  }
  const waiting = new Set<string>();
  const ids = [...new Set(entries.map(({ eventId }) => eventId))];
  for (let at = 0; at < ids.length; at += rowsPerStatement) {
    const query = session.queries
      .ofEveryWorkspace()
      .selectFrom('alert_outbox')
      .select(['event_id', 'webhook_id'])
      .where('status', '=', sql.lit('pending'))
      .where('event_id', 'in', ids.slice(at, at + rowsPerStatement));
    for (const row of (await session.execute<{ event_id: string; webhook_id: string }>(query))
      .rows) {
      waiting.add(`${row.event_id}/${row.webhook_id}`);
    }
  }
  return entries.filter(({ eventId, webhookId }) => waiting.has(`${eventId}/${webhookId}`));
}

type Name = 'alert_progress' | 'alert_history' | 'alert_outbox';
type Row = Record<string, Bind>;

interface Table {
  one: Statement<Row, unknown>;
  many: Statement<{ rows: string }, unknown>;
}

const rowsPerStatement = 500;

/**
 * SQLite: a prepared statement a row, which costs microseconds. PostgreSQL: hundreds of rows travel as one JSON value, because every statement
 * costs a round trip. Answers how many rows were written.
 */
async function write(session: Session, table: Table, rows: readonly Row[]): Promise<number> {
  let written = 0;
  if (session.queries.dialect === 'sqlite') {
    for (const row of rows) {
      written += await session.run(table.one, row);
    }
    return written;
  }
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    written += await session.run(table.many, {
      rows: JSON.stringify(rows.slice(at, at + rowsPerStatement)),
    });
  }
  return written;
}

type Insert = ReturnType<Kysely<Schema>['insertInto']>;

/** `types` are the columns with what PostgreSQL reads them as; `conflict` says what becomes of a row that is there already. */
function table<T extends Name>(
  name: T,
  types: Record<keyof Schema[T] & string, 'text' | 'bigint' | 'integer' | 'double precision'>,
  conflict: (insert: Insert) => Insert,
): Table {
  const columns = Object.keys(types) as (keyof Schema[T] & string)[];
  const into = (queries: Queries) => queries.ofEveryWorkspace().insertInto(name as Name);
  return {
    one: statement<Row>()((queries, row) => {
      const values = Object.fromEntries(columns.map((column) => [column, row[column]]));
      return conflict(
        into(queries).values(values as Insertable<Schema[Name]>) as unknown as Insert,
      ) as never;
    }),
    many: statement<{ rows: string }>()((queries, { rows }) => {
      const record = sql.join(
        columns.map((column) => sql`${sql.ref(column)} ${sql.raw(types[column])}`),
      );
      const given =
        sql`jsonb_to_recordset(cast(${rows} as jsonb)) as given(${record})` as RawBuilder<unknown>;
      const selected = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${given} where true`;
      return conflict(
        into(queries)
          .columns(columns as never)
          .expression(selected as never) as unknown as Insert,
      ) as never;
    }),
  };
}

/** Everything but the key and what only delivery writes. */
const progressChanges = [
  'shard',
  'interval_ms',
  'last_end_ms',
  'line_end_ms',
  'state',
  'last_value',
  'last_evaluated_ms',
  'group_by',
  'groups',
  'errors',
] as const;
const progressTable = table(
  'alert_progress',
  {
    workspace_id: 'text',
    alert_id: 'text',
    shard: 'integer',
    interval_ms: 'bigint',
    last_end_ms: 'bigint',
    line_end_ms: 'bigint',
    state: 'text',
    last_value: 'double precision',
    last_evaluated_ms: 'bigint',
    group_by: 'text',
    groups: 'text',
    errors: 'text',
    delivery_errors: 'text',
  },
  (insert) =>
    insert.onConflict((conflict) =>
      conflict.column('alert_id' as never).doUpdateSet(excluded(progressChanges) as never),
    ),
);

const historyChanges = [
  'window_start_ms',
  'evaluated_ms',
  'state',
  'value',
  'duration_ms',
  'rows_read',
  'reason',
  'groups',
  'skipped',
  'calm_before',
] as const;
const historyTable = table(
  'alert_history',
  {
    workspace_id: 'text',
    alert_id: 'text',
    window_start_ms: 'bigint',
    window_end_ms: 'bigint',
    evaluated_ms: 'bigint',
    state: 'text',
    value: 'double precision',
    duration_ms: 'double precision',
    rows_read: 'bigint',
    reason: 'text',
    groups: 'text',
    skipped: 'integer',
    calm_before: 'integer',
  },
  (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(['alert_id', 'window_end_ms'] as never)
        .doUpdateSet(excluded(historyChanges) as never),
    ),
);

/** The same event for the same webhook is written once and for all: a window that is evaluated again tells nobody twice. */
const outboxTable = table(
  'alert_outbox',
  {
    workspace_id: 'text',
    alert_id: 'text',
    shard: 'integer',
    event_id: 'text',
    webhook_id: 'text',
    window_end_ms: 'bigint',
    event: 'text',
    created_ms: 'bigint',
    status: 'text',
    attempts: 'integer',
    next_attempt_ms: 'bigint',
    error: 'text',
    settled_ms: 'bigint',
  },
  (insert) =>
    insert.onConflict((conflict) =>
      conflict.columns(['event_id', 'webhook_id'] as never).doNothing(),
    ),
);

function excluded(columns: readonly string[]): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(columns.map((column) => [column, sql`excluded.${sql.ref(column)}`]));
}

function progressRow(row: AlertProgress): Row {
  return {
    workspace_id: row.workspaceId,
    alert_id: row.alertId,
    shard: row.shard,
    interval_ms: row.intervalMs,
    last_end_ms: row.lastEndMs,
    line_end_ms: row.lineEndMs,
    state: row.state,
    last_value: row.lastValue,
    last_evaluated_ms: row.lastEvaluatedAtMs,
    group_by: row.groupBy,
    groups: row.groups,
    errors: row.executionErrors.length === 0 ? '[]' : JSON.stringify(row.executionErrors),
    delivery_errors: '[]',
  };
}

function historyRow(row: AlertLine): Row {
  return {
    workspace_id: row.workspaceId,
    alert_id: row.alertId,
    window_start_ms: row.windowStartMs,
    window_end_ms: row.windowEndMs,
    evaluated_ms: row.evaluatedAtMs,
    state: row.state,
    value: row.value,
    duration_ms: row.durationMs,
    rows_read: row.rowsRead,
    reason: row.reason,
    groups: row.groups,
    skipped: row.skipped,
    calm_before: row.calmBefore,
  };
}

function outboxRow(row: OutboxEntry): Row {
  return {
    workspace_id: row.workspaceId,
    alert_id: row.alertId,
    shard: row.shard,
    event_id: row.eventId,
    webhook_id: row.webhookId,
    window_end_ms: row.windowEndMs,
    event: row.event,
    created_ms: row.createdAtMs,
    status: 'pending',
    attempts: 0,
    next_attempt_ms: row.createdAtMs,
    error: null,
    settled_ms: null,
  };
}
