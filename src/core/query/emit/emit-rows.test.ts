import { describe, expect, it } from 'vitest';
import { Source } from '../../../contract/source.ts';
import { fieldsOf } from '../fields/fields.ts';
import { planSeries, type SeriesInput } from '../plan/plan-series.ts';
import { emitScan } from '../run/run-plan.ts';

const fields = fieldsOf([
  { name: 'Timestamp', type: 'DateTime64(9)' },
  { name: 'TimestampTime', type: 'DateTime' },
  { name: 'ServiceName', type: 'LowCardinality(String)' },
  { name: 'SeverityText', type: 'LowCardinality(String)' },
  { name: 'Body', type: 'String' },
  { name: 'Size', type: 'UInt64' },
  { name: 'LogAttributes', type: 'Map(LowCardinality(String), String)' },
]);
const source = Source.parse({
  id: 'a'.repeat(24),
  team: 'b'.repeat(24),
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  kind: 'log',
  name: 'Logs',
  from: { databaseName: 'db', tableName: 'logs' },
  bodyExpression: 'Body',
});

function text(
  series: Partial<SeriesInput>[],
  rest: { fromMs?: number; groupBy?: string[] } = {},
): string {
  const range = { fromMs: rest.fromMs ?? 1_767_225_600_000, toMs: 1_767_229_200_000 };
  const plan = planSeries({
    tenant: 'db',
    series: series.map((one, index): SeriesInput => ({
      source,
      fields,
      aggFn: 'count',
      where: '',
      whereLanguage: 'lucene',
      path: `series.${index}`,
      ...one,
    })),
    groupBy: rest.groupBy ?? [],
    range,
    bucketMs: 60_000,
    ratio: false,
  });
  if ('issues' in plan) {
    throw new Error(JSON.stringify(plan.issues));
  }
  expect(plan.scans).toHaveLength(1);
  return emitScan(plan.scans[0]!, range).text;
}

const head = 'SELECT toUInt16(intDiv(toUInt32(`TimestampTime`), 60) - 29453760) AS `__bucket`, ';
const from =
  ' FROM `db`.`logs` WHERE `TimestampTime` >= toDateTime(1767225600) AND `TimestampTime` < toDateTime(1767229200)';
const tail = ' GROUP BY `__bucket` LIMIT 100001';

describe('the SQL of a scan', () => {
  it('one series: its condition in WHERE, a plain aggregate', () => {
    expect(text([{ where: 'ServiceName:"a\'b"' }])).toBe(
      `${head}toFloat64(count()) AS \`__value_0\`${from} AND (\`ServiceName\` = 'a\\'b')${tail}`,
    );
  });

  it('several series: what is common once, the OR of the rest, and each its own', () => {
    expect(
      text([{ where: 'ServiceName:"a" SeverityText:"error"' }, { where: 'ServiceName:"a" boom' }]),
    ).toBe(
      `${head}toFloat64(countIf((\`SeverityText\` = 'error'))) AS \`__value_0\`, ` +
        "toFloat64(countIf((hasToken(lower(`Body`), 'boom')))) AS `__value_1`" +
        `${from} AND (\`ServiceName\` = 'a') AND ` +
        `((\`SeverityText\` = 'error') OR (hasToken(lower(\`Body\`), 'boom')))${tail}`,
    );
  });

  it('compact columns of the OR are said once more by themselves', () => {
    expect(
      text([{ where: 'ServiceName:"a" boom' }, { where: 'SeverityText:"error" bang' }]),
    ).toContain(
      "AND ((`ServiceName` = 'a') OR (`SeverityText` = 'error')) AND (((`ServiceName` = 'a') AND (hasToken(",
    );
  });

  it('the OR leaves out a series whose rows another one has anyway', () => {
    const sql = text([
      { where: 'SeverityText:"error" boom' },
      { where: 'SeverityText:"warn" Size:>5' },
      { where: 'SeverityText:"error"' },
      { where: 'SeverityText:"error"', aggFn: 'max', field: 'Size' },
    ]);
    const [, where] = sql.split(' WHERE ');
    expect(where).not.toContain('boom');
    expect(where).toContain(
      "AND (((`SeverityText` = 'warn') AND (`Size` > 5)) OR (`SeverityText` = 'error')) GROUP BY",
    );
  });

  it('a series without a condition lifts the OR, not the range', () => {
    expect(text([{}, { where: 'boom' }])).toBe(
      `${head}toFloat64(count()) AS \`__value_0\`, ` +
        `toFloat64(countIf((hasToken(lower(\`Body\`), 'boom')))) AS \`__value_1\`${from}${tail}`,
    );
  });

  it('the exact time is asked only where the range cuts through a second', () => {
    expect(text([{}], { fromMs: 1_767_225_600_001 })).toContain(
      'AND `Timestamp` >= fromUnixTimestamp64Milli(toInt64(1767225600001)) GROUP BY',
    );
  });

  it('sql is printed again from its tree', () => {
    expect(text([{ where: "Size>1 or Body like 'x%'", whereLanguage: 'sql' }])).toContain(
      "AND ((`Size` > 1) OR (`Body` LIKE 'x%'))",
    );
  });

  it('groups come as text; wide integers are summed in 128 bits', () => {
    expect(
      text([{ aggFn: 'sum', field: 'Size' }], { groupBy: ['ServiceName', 'LogAttributes.k'] }),
    ).toBe(
      `${head}toString(\`ServiceName\`) AS \`__group_0\`, ` +
        "toString(`LogAttributes`['k']) AS `__group_1`, " +
        `toFloat64(sum(toInt128(\`Size\`))) AS \`__value_0\`${from} ` +
        "GROUP BY `__bucket`, `ServiceName`, `LogAttributes`['k'] LIMIT 100001",
    );
  });
});
