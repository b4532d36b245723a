import { datasetStart } from './dataset.ts';

const record = {
  id: 'a'.repeat(24),
  team: 'b'.repeat(24),
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const sourceId = record.id;

export const logSource = (database: string) => ({
  ...record,
  kind: 'log',
  name: 'Logs',
  from: { databaseName: database, tableName: 'otel_logs' },
  bodyExpression: 'Body',
  severityTextExpression: 'SeverityText',
  serviceNameExpression: 'ServiceName',
});

const day = { startTime: datasetStart, endTime: datasetStart + 86_400_000 };
const hours = { startTime: datasetStart + 12 * 3_600_000, endTime: datasetStart + 18 * 3_600_000 };
const second = (timeMs: number): string => `toDateTime(${timeMs / 1000})`;
const range = ({ startTime, endTime }: typeof day): string =>
  `TimestampTime >= ${second(startTime)} AND TimestampTime < ${second(endTime)}`;
const logs = 'FROM sightline.otel_logs';
const byTenMinutes = 'intDiv(toUInt32(TimestampTime), 600)';

interface ChartCase {
  name: string;
  request: Record<string, unknown>;
  /** The best that was found by hand for the same answer. */
  byHand: string;
}

const one = (
  name: string,
  time: typeof day,
  granularity: string,
  series: Record<string, unknown>,
  byHand: string,
): ChartCase => ({
  name,
  request: { ...time, granularity, series: [{ sourceId, ...series }] },
  byHand,
});

/** Twelve charts as people ask for them. */
export const chartCases: ChartCase[] = [
  one(
    'all rows of a day',
    day,
    '30m',
    { aggFn: 'count' },
    `SELECT intDiv(toUInt32(Minute), 1800) AS b, sum(Count)
      FROM sightline.otel_logs_1m
      WHERE Minute >= ${second(day.startTime)} AND Minute < ${second(day.endTime)}
      GROUP BY b`,
  ),
  one(
    'all rows in steps of 30 s',
    hours,
    '30s',
    { aggFn: 'count' },
    `SELECT toUInt16(intDiv(toUInt32(TimestampTime), 30) - ${hours.startTime / 30_000}) AS b,
        count() ${logs}
      WHERE ${range(hours)} GROUP BY b`,
  ),
  one(
    'errors by service',
    day,
    '30m',
    { aggFn: 'count', where: 'SeverityText:"ERROR"', groupBy: ['ServiceName'] },
    `SELECT intDiv(toUInt32(Minute), 1800) AS b, ServiceName, sum(Count)
      FROM sightline.otel_logs_1m
      WHERE Minute >= ${second(day.startTime)} AND Minute < ${second(day.endTime)}
        AND SeverityText = 'ERROR'
      GROUP BY b, ServiceName`,
  ),
  one(
    'one service by severity, 30 s',
    hours,
    '30s',
    { aggFn: 'count', where: 'ServiceName:"checkout"', groupBy: ['SeverityText'] },
    `SELECT intDiv(toUInt32(TimestampTime), 30) AS b, SeverityText, count() ${logs}
      WHERE ${range(hours)} AND ServiceName = 'checkout' GROUP BY b, SeverityText`,
  ),
  one(
    'a word',
    hours,
    '10m',
    { aggFn: 'count', where: 'refused' },
    `SELECT ${byTenMinutes} AS b, count() ${logs}
      WHERE ${range(hours)} AND hasToken(lower(Body), 'refused') GROUP BY b`,
  ),
  one(
    'a phrase',
    hours,
    '10m',
    { aggFn: 'count', where: '"card declined"' },
    `SELECT ${byTenMinutes} AS b, count() ${logs}
      WHERE ${range(hours)} AND hasToken(lower(Body), 'card') AND hasToken(lower(Body), 'declined')
        AND match(lower(Body), '(?:^|[^0-9a-z])card declined(?:$|[^0-9a-z])')
      GROUP BY b`,
  ),
  one(
    'part of a body',
    hours,
    '10m',
    { aggFn: 'count', where: 'Body:session' },
    `SELECT ${byTenMinutes} AS b, count() ${logs} WHERE ${range(hours)} AND Body ILIKE '%session%' GROUP BY b`,
  ),
  one(
    'an attribute',
    hours,
    '10m',
    { aggFn: 'count', where: 'LogAttributes.http.status_code:>=500', groupBy: ['ServiceName'] },
    `SELECT ${byTenMinutes} AS b, ServiceName, count() ${logs}
      WHERE ${range(hours)} AND toFloat64OrNull(LogAttributes['http.status_code']) >= 500
      GROUP BY b, ServiceName`,
  ),
  one(
    'mean of an attribute',
    hours,
    '10m',
    { aggFn: 'avg', field: 'LogAttributes.duration_ms', groupBy: ['ServiceName'] },
    `SELECT ${byTenMinutes} AS b, ServiceName, avg(toFloat64OrNull(LogAttributes['duration_ms'])) ${logs}
      WHERE ${range(hours)} GROUP BY b, ServiceName`,
  ),
  one(
    'p95 of an attribute',
    hours,
    '10m',
    { aggFn: 'quantile', level: 0.95, field: 'LogAttributes.duration_ms' },
    `SELECT ${byTenMinutes} AS b, quantile(0.95)(toFloat64OrNull(LogAttributes['duration_ms'])) ${logs}
      WHERE ${range(hours)} GROUP BY b`,
  ),
  one(
    'different users',
    hours,
    '1h',
    { aggFn: 'count_distinct', field: 'LogAttributes.user.id' },
    `SELECT intDiv(toUInt32(TimestampTime), 3600) AS b,
        uniqExactIf(LogAttributes['user.id'], mapContains(LogAttributes, 'user.id')) ${logs}
      WHERE ${range(hours)} GROUP BY b`,
  ),
  one(
    'highest severity number by service',
    day,
    '1h',
    { aggFn: 'max', field: 'SeverityNumber', groupBy: ['ServiceName'] },
    `SELECT intDiv(toUInt32(TimestampTime), 3600) AS b, ServiceName, max(SeverityNumber) ${logs}
      WHERE ${range(day)} GROUP BY b, ServiceName`,
  ),
];

/** Five series over typed columns that a dashboard would ask for one by one. */
export const fiveTyped = {
  ...hours,
  granularity: '30s',
  series: [
    { sourceId, aggFn: 'count', where: 'SeverityText:"ERROR"' },
    { sourceId, aggFn: 'count', where: 'SeverityText:"WARN" -ServiceName:"gateway"' },
    { sourceId, aggFn: 'max', field: 'SeverityNumber', where: 'SeverityNumber:>=9' },
    { sourceId, aggFn: 'avg', field: 'SeverityNumber', where: 'SeverityNumber:<17' },
    { sourceId, aggFn: 'count_distinct', field: 'ServiceName', where: 'SeverityText:"ERROR"' },
  ],
};

/** Five that read texts and attributes, too. */
export const fiveMixed = {
  ...hours,
  granularity: '10m',
  series: [
    { sourceId, aggFn: 'count', where: 'ServiceName:"checkout" SeverityText:"ERROR" declined' },
    { sourceId, aggFn: 'count', where: 'ServiceName:"payment" SeverityText:"ERROR" timeout' },
    {
      sourceId,
      aggFn: 'avg',
      field: 'LogAttributes.duration_ms',
      where: 'SeverityText:"ERROR" LogAttributes.http.route:"/checkout"',
    },
    {
      sourceId,
      aggFn: 'max',
      field: 'LogAttributes.duration_ms',
      where: 'SeverityText:"WARN" LogAttributes.http.route:"/checkout"',
    },
    {
      sourceId,
      aggFn: 'quantile',
      level: 0.95,
      field: 'LogAttributes.duration_ms',
      where: 'SeverityText:"ERROR"',
    },
  ],
};
