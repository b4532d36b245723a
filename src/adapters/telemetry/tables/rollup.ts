import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { qualified, sql, type Sql } from '../../../sql/sql.ts';
import {
  createTable,
  onCluster,
  storedName,
  type SchemaOptions,
  type TableDeclaration,
} from './schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };

/** Log records by minute, service and severity. */
export const logsPerMinute: TableDeclaration = {
  name: 'otel_logs_1m',
  signal: 'logs',
  columns: [
    ['Minute', 'DateTime', 'CODEC(Delta(4), ZSTD(1))'],
    ['ServiceName', 'LowCardinality(String)'],
    ['SeverityText', 'LowCardinality(String)'],
    ['SeverityNumber', 'UInt8'],
    ['Count', 'UInt64', 'CODEC(T64, ZSTD(1))'],
  ],
  indexes: [],
  engine: 'SummingMergeTree',
  engineArguments: 'Count',
  partitionBy: 'toDate(Minute)',
  orderBy: 'Minute, ServiceName, SeverityText, SeverityNumber',
  ageBy: 'Minute',
};

const logsPerMinuteViewName = 'otel_logs_1m_mv';
const traceTimesViewName = 'otel_traces_trace_id_ts_mv';
export const viewNames = [logsPerMinuteViewName, traceTimesViewName] as const;

/** Feeds the rollup from every insert into the logs. */
export function logsPerMinuteView(database: string, options: SchemaOptions): Sql {
  return sql`CREATE MATERIALIZED VIEW IF NOT EXISTS
${qualified(database, storedName(logsPerMinuteViewName, options))}${onCluster(options)}
TO ${qualified(database, storedName(logsPerMinute.name, options))}
AS SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber, count() AS Count
FROM ${qualified(database, storedName('otel_logs', options))}
GROUP BY Minute, ServiceName, SeverityText, SeverityNumber`;
}

/** Feeds the trace times from every insert into the spans. */
export function traceTimesView(database: string, options: SchemaOptions): Sql {
  return sql`CREATE MATERIALIZED VIEW IF NOT EXISTS
${qualified(database, storedName(traceTimesViewName, options))}${onCluster(options)}
TO ${qualified(database, storedName('otel_traces_trace_id_ts', options))}
AS SELECT TraceId, min(toDateTime(Timestamp)) AS Start, max(toDateTime(Timestamp)) AS End
FROM ${qualified(database, storedName('otel_traces', options))}
WHERE TraceId != ''
GROUP BY TraceId`;
}

/** From when on a rollup counts everything. Several rows may stand: the latest time holds. */
export const exactFrom: TableDeclaration = {
  name: 'sightline_rollups',
  signal: 'logs',
  columns: [
    ['Name', 'String'],
    ['ExactFrom', 'DateTime'],
  ],
  indexes: [],
  orderBy: 'Name',
};

/**
 * Notes, once, from when on the rollup is exact. A view sees what is inserted after it was made:
 * over logs that were there before it (a collector's), the rollup holds only for minutes later than
 * all of those.
 */
export async function recordExactFrom(
  telemetry: Telemetry,
  database: string,
  options: SchemaOptions,
): Promise<void> {
  await telemetry.command(createTable(database, exactFrom, options), admin);
  if ((await readExactFrom(telemetry, database, options)) === undefined) {
    await insertExactFrom(
      telemetry,
      database,
      options,
      await exactSeconds(telemetry, database, options),
    );
  }
}

/** Notes that the rollup is exact from now on only, if it lacks rows of the logs. */
export async function limitIfInexact(
  telemetry: Telemetry,
  database: string,
  options: SchemaOptions,
): Promise<void> {
  const seconds = await exactSeconds(telemetry, database, options);
  if (seconds > 0) {
    await insertExactFrom(telemetry, database, options, seconds);
  }
}

async function insertExactFrom(
  telemetry: Telemetry,
  database: string,
  options: SchemaOptions,
  seconds: number,
): Promise<void> {
  await telemetry.command(
    sql`INSERT INTO ${qualified(database, storedName(exactFrom.name, options))} (Name, ExactFrom)
SELECT ${logsPerMinute.name}, toDateTime(${seconds})`,
    admin,
  );
}

/** From when on the rollup is exact, in seconds since the epoch; 0: it has every row. */
async function exactSeconds(
  telemetry: Telemetry,
  database: string,
  options: SchemaOptions,
): Promise<number> {
  // In this order: rows that come between the two readings make the logs the more, which errs to
  // the safe side.
  const {
    rows: [rolled],
  } = await telemetry.query(
    sql`SELECT sum(Count) FROM ${qualified(database, storedName(logsPerMinute.name, options))}`,
    admin,
  );
  const {
    rows: [raw],
  } = await telemetry.query(
    sql`SELECT count(), toUnixTimestamp(toStartOfMinute(greatest(now(), max(TimestampTime)))) + 60
FROM ${qualified(database, storedName('otel_logs', options))}`,
    admin,
  );
  return rolled?.[0] === raw?.[0] ? 0 : Number(raw?.[1]);
}

/** In milliseconds; undefined when nothing is noted. */
export async function readExactFrom(
  telemetry: Pick<Telemetry, 'query' | 'columns'>,
  database: string,
  options: SchemaOptions = {},
): Promise<number | undefined> {
  const name = storedName(exactFrom.name, options);
  const there = await telemetry.columns(database, name);
  if (there.length === 0) {
    return undefined;
  }
  const { rows } = await telemetry.query(
    sql`SELECT count(), toUnixTimestamp(max(ExactFrom))
FROM ${qualified(database, name)} WHERE Name = ${logsPerMinute.name}`,
    admin,
  );
  return Number(rows[0]?.[0]) === 0 ? undefined : Number(rows[0]?.[1]) * 1000;
}
