import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchRequest } from '../../src/contract/query/search.ts';
import type { Fault } from '../../src/contract/errors.ts';
import { identifier, qualified, sql } from '../../src/sql/sql.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert('otel_logs', [
    log(t0 + 1, {
      TraceId: 'refused',
      ServiceName: 'checkout',
      SeverityText: 'error',
      SeverityNumber: 17,
      Body: 'Payment refused by bank-7, code=51',
      LogAttributes: { 'http.status_code': '500', 'http.route': '/api/pay', empty: '' },
    }),
    log(t0 + 2, {
      TraceId: 'ok',
      ServiceName: 'checkout',
      Body: 'payment accepted in 12ms',
      LogAttributes: { 'http.status_code': '200', size: '1e3' },
    }),
    log(t0 + 3, {
      TraceId: 'odd',
      ServiceName: 'cart',
      Body: 'discount 100% on a_b c\\d "quoted" (sic) Überraschung foo_bar',
      LogAttributes: { 'http.status_code': 'teapot', size: 'abc' },
    }),
    log(t0 + 4, { TraceId: 'empty', ServiceName: 'Cart-Service', SeverityNumber: 5, Body: '' }),
    log(t0 + 5, {
      TraceId: 'decoy',
      ServiceName: 'other',
      Body: 'discount 100x on aXb prepayments refusedly underscore foobar',
      LogAttributes: { 'http.status_code': '404', 'https.route': 'x' },
    }),
  ]);
  await kit.insert('otel_traces', [
    {
      Timestamp: time(t0 + 1),
      TraceId: 't',
      SpanId: 's1',
      ServiceName: 'checkout',
      SpanName: 'GET /pay',
      Duration: 1_500_000,
      'Events.Timestamp': [time(t0)],
      'Events.Name': ['exception'],
      'Events.Attributes': [{}],
    },
    {
      Timestamp: time(t0 + 2),
      TraceId: 't',
      SpanId: 's2',
      ServiceName: 'cart',
      SpanName: 'POST /cart',
      Duration: 20,
      'Events.Timestamp': [],
      'Events.Name': [],
      'Events.Attributes': [],
    },
  ]);
  await kit.command(
    sql`CREATE TABLE ${qualified(kit.database, 'typed')} (${identifier('Timestamp')} DateTime64(3),
        id String, n Nullable(Int64), f Float64, flag Bool, tags Array(String),
        note Nullable(String), day Date, nums Map(String, UInt64))
      ENGINE = MergeTree ORDER BY id`,
  );
  await kit.insert('typed', [
    {
      Timestamp: time(t0).slice(0, 23),
      id: 'a',
      n: 5,
      f: 1.5,
      flag: true,
      tags: ['red', 'green'],
      note: 'hello',
      day: '2026-01-01',
      nums: { k: 7 },
    },
    {
      Timestamp: time(t0 + 60_000).slice(0, 23),
      id: 'b',
      n: null,
      f: -2,
      flag: false,
      tags: [],
      note: null,
      day: '2026-02-01',
      nums: {},
    },
  ]);
  kit.sources['f'.repeat(24)] = {
    ...kit.sources[ids.logs]!,
    id: 'f'.repeat(24),
    kind: 'log',
    from: { databaseName: kit.database, tableName: 'typed' },
    bodyExpression: 'note',
  } as (typeof kit.sources)[string];
});
afterAll(() => kit.close());

async function matching(
  where: string,
  whereLanguage: 'lucene' | 'sql',
  sourceId: string,
  column: string,
): Promise<unknown[]> {
  const request = SearchRequest.parse({
    sourceId,
    where,
    whereLanguage,
    startTime: t0 - 1000,
    endTime: t0 + 3_600_000,
    select: [column],
  });
  const { rows } = await kit.query.search(request, kit.sources[sourceId]!);
  return rows.map((row) => row[column]).toSorted();
}

const everything = ['decoy', 'empty', 'odd', 'ok', 'refused'];

describe('lucene over logs: every operator matches what it should and nothing else', () => {
  it.each<[where: string, expected: string[]]>([
    ['', everything],
    ['   ', everything],
    ['*', everything],
    ['payment', ['ok', 'refused']],
    ['PAYMENT', ['ok', 'refused']],
    ['refuse', []],
    ['"refused by"', ['refused']],
    ['"refused by ban"', []],
    ['"payment refused"', ['refused']],
    ['bank-7', ['refused']],
    ['bank-', ['refused']],
    ['code=5', []],
    ['code=51', ['refused']],
    ['100%', ['odd']],
    ['a_b', ['odd']],
    ['c\\\\d', ['odd']],
    ['überraschung', ['odd']],
    ['foo_bar', ['odd']],
    ['foo', ['odd']],
    ['pay*', ['ok', 'refused']],
    ['*ment', ['ok', 'refused']],
    ['*paymen*', ['decoy', 'ok', 'refused']],
    ['disc*100%', ['odd']],
    ['\\(sic\\)', ['odd']],
    ['\\"quoted\\"', ['odd']],
    ['ServiceName:check', ['ok', 'refused']],
    ['ServiceName:CHECK', ['ok', 'refused']],
    ['ServiceName:"checkout"', ['ok', 'refused']],
    ['ServiceName:"Checkout"', []],
    ['ServiceName:"check"', []],
    ['ServiceName:cart*', ['empty', 'odd']],
    ['ServiceName:*service', ['empty']],
    ['ServiceName:*t-S*', ['empty']],
    ['ServiceName:c*t', ['odd', 'ok', 'refused']],
    ['Body:100%', ['odd']],
    ['Body:a_b', ['odd']],
    ['Body:*', ['decoy', 'odd', 'ok', 'refused']],
    ['Body:""', ['empty']],
    ['SeverityNumber:17', ['refused']],
    ['SeverityNumber:"17"', ['refused']],
    ['SeverityNumber:>9', ['refused']],
    ['SeverityNumber:>=9', ['decoy', 'odd', 'ok', 'refused']],
    ['SeverityNumber:<9', ['empty']],
    ['SeverityNumber:<=5', ['empty']],
    ['SeverityNumber:[5 TO 9]', ['decoy', 'empty', 'odd', 'ok']],
    ['SeverityNumber:{5 TO 17}', ['decoy', 'odd', 'ok']],
    ['SeverityNumber:[9 TO *]', ['decoy', 'odd', 'ok', 'refused']],
    ['SeverityNumber:[* TO 9}', ['empty']],
    ['LogAttributes.http.status_code:500', ['refused']],
    ['LogAttributes.http.status_code:"200"', ['ok']],
    ['LogAttributes.http.status_code:>=404', ['decoy', 'refused']],
    ['LogAttributes.http.status_code:<404', ['ok']],
    ['LogAttributes.http.status_code:[200 TO 404]', ['decoy', 'ok']],
    ['LogAttributes.size:>999', ['ok']],
    ['LogAttributes.http.route:*', ['refused']],
    ['LogAttributes.empty:*', ['refused']],
    ['LogAttributes.nothing:*', []],
    ['-LogAttributes.http.status_code:*', ['empty']],
    ['LogAttributes:teapot', ['odd']],
    ['LogAttributes:*', ['decoy', 'odd', 'ok', 'refused']],
    ['-payment', ['decoy', 'empty', 'odd']],
    ['NOT payment', ['decoy', 'empty', 'odd']],
    ['NOT NOT payment', ['ok', 'refused']],
    ['-LogAttributes.http.status_code:>=404', ['empty', 'odd', 'ok']],
    ['payment refused', ['refused']],
    ['payment AND accepted', ['ok']],
    ['payment && accepted', ['ok']],
    ['accepted OR refused', ['ok', 'refused']],
    ['accepted || refused', ['ok', 'refused']],
    ['accepted OR refused AND ServiceName:"nobody"', ['ok']],
    ['(accepted OR refused) AND ServiceName:"nobody"', []],
    ['NOT accepted AND payment', ['refused']],
    ['ServiceName:("cart" OR "other")', ['decoy', 'odd']],
    ['SeverityNumber:(>9 OR <9)', ['empty', 'refused']],
    ['ServiceName:(check -"checkout")', []],
    ['TraceId:(ok) payment', ['ok']],
    ['Timestamp:>="2026-01-01T00:00:00.004Z"', ['decoy', 'empty']],
  ])('%s', async (where, expected) => {
    expect(await matching(where, 'lucene', ids.logs, 'TraceId')).toEqual(expected);
  });
});

describe('lucene over other types', () => {
  it.each<[where: string, expected: string[]]>([
    ['n:5', ['a']],
    ['n:>4', ['a']],
    ['n:*', ['a']],
    ['-n:5', ['b']],
    ['-n:>4', ['b']],
    ['-n:*', ['b']],
    ['f:-2', ['b']],
    ['f:[-3 TO 0]', ['b']],
    ['flag:true', ['a']],
    ['flag:"false"', ['b']],
    ['tags:red', ['a']],
    ['tags:"re"', []],
    ['tags:gre*', ['a']],
    ['-tags:*', ['b']],
    ['note:hell', ['a']],
    ['-note:hell', ['b']],
    ['-note:*', ['b']],
    ['hello', ['a']],
    ['day:>2026-01-15', ['b']],
    ['day:"2026-01-01"', ['a']],
    ['nums.k:7', ['a']],
    ['nums.k:>6', ['a']],
    ['nums.k:*', ['a']],
    [`Timestamp:<${t0 + 1000}`, ['a']],
  ])('%s', async (where, expected) => {
    expect(await matching(where, 'lucene', 'f'.repeat(24), 'id')).toEqual(expected);
  });

  it.each<[where: string, expected: string[]]>([
    ['Duration:>=1500000', ['s1']],
    ['pay', ['s1']],
    ['Events.Name:exception', ['s1']],
    ['Events.Name:"exc"', []],
  ])('spans: %s', async (where, expected) => {
    expect(await matching(where, 'lucene', ids.traces, 'SpanId')).toEqual(expected);
  });
});

describe('sql over logs', () => {
  it.each<[where: string, expected: string[]]>([
    ["ServiceName = 'checkout' AND NOT SeverityText = 'error'", ['ok']],
    ["ServiceName IN ('cart', 'other')", ['decoy', 'odd']],
    ["ServiceName NOT IN ('cart', 'other', 'checkout')", ['empty']],
    ["SeverityNumber BETWEEN 5 AND 9 AND Body != ''", ['decoy', 'odd', 'ok']],
    ["Body ILIKE '%PAYMENT%'", ['decoy', 'ok', 'refused']],
    ["Body NOT LIKE '%a%'", ['empty']],
    ["LogAttributes['http.status_code'] = '500'", ['refused']],
    ["LogAttributes.http.status_code = '500'", ['refused']],
    ["toInt32OrZero(LogAttributes['http.status_code']) >= 404", ['decoy', 'refused']],
    ["CASE WHEN ServiceName = 'cart' THEN 1 ELSE 0 END = 1", ['odd']],
    ["arrayExists(x -> x = 'teapot', mapValues(LogAttributes))", ['odd']],
    ['length(Body) > 10 ? SeverityNumber > 9 : SeverityNumber = 5', ['empty', 'refused']],
    ["SeverityNumber::String = '17'", ['refused']],
    ['CAST(SeverityNumber AS Float64) / 2 > 8', ['refused']],
    ["match(Body, '\\\\d{2}ms')", ['ok']],
    ["Body LIKE '%\\'%' OR Body LIKE '%100\\\\%%'", ['odd']],
    [
      "Timestamp < toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + INTERVAL 1 DAY AND ServiceName = 'cart'",
      ['odd'],
    ],
    ["`ServiceName` = 'cart' OR \"ServiceName\" = 'other'", ['decoy', 'odd']],
    ['1', everything],
    ['SeverityNumber % 2', ['decoy', 'empty', 'odd', 'ok', 'refused']],
    ['has([5, 17], SeverityNumber)', ['empty', 'refused']],
    ["(ServiceName, SeverityNumber) IN (('cart', 9), ('checkout', 17))", ['odd', 'refused']],
    ['NOT NOT SeverityNumber > 9', ['refused']],
    ['-SeverityNumber < -9', ['refused']],
    ['2 + 3 * 4 = 14 AND SeverityNumber = 17', ['refused']],
    ['SeverityNumber IS NULL', []],
  ])('%s', async (where, expected) => {
    expect(await matching(where, 'sql', ids.logs, 'TraceId')).toEqual(expected);
  });
});

describe('mistakes are named with their place', () => {
  it.each<[language: 'lucene' | 'sql', where: string, message: string]>([
    [
      'lucene',
      'payment AND',
      'where: the condition ends where a term is expected (at position 12)',
    ],
    ['lucene', '(payment', 'where: this parenthesis is not closed (at position 1)'],
    ['lucene', 'payment)', 'where: a closing parenthesis without an opening one (at position 8)'],
    ['lucene', 'a "b', 'where: this quote is not closed (at position 3)'],
    [
      'lucene',
      'x ServiceNam:y',
      'where: unknown column "ServiceNam" (did you mean "ServiceName"?) (at position 3)',
    ],
    [
      'lucene',
      'LogAttribute.http.method:GET',
      'where: unknown column "LogAttribute.http.method" (did you mean "LogAttributes.http.method"?) (at position 1)',
    ],
    [
      'lucene',
      'SeverityNumber:high',
      'where: "SeverityNumber" is compared with numbers; "high" is not a number (at position 16)',
    ],
    [
      'lucene',
      'SeverityNumber:[1 TO',
      'where: a range is written [from TO to] or {from TO to} (at position 16)',
    ],
    ['sql', 'Bdy = 1', 'where: unknown column "Bdy" (did you mean "Body"?) (at position 1)'],
    [
      'sql',
      "ServiceName = 'a' AND",
      'where: the expression ends where a value is needed (at position 22)',
    ],
    [
      'sql',
      "Body = 'a'; DROP TABLE x",
      'where: only one expression is allowed; ";" is not part of it (at position 11)',
    ],
    [
      'sql',
      'Body IN (SELECT 1)',
      'where: only literal values may stand in a list after IN (at position 10)',
    ],
    [
      'sql',
      "file('x') = 1",
      'where: the function "file" is not allowed in an expression (at position 1)',
    ],
    ['sql', 'length(Body', 'where: the expression ends where ")" is needed (at position 12)'],
  ])('%s: %s', async (language, where, message) => {
    await expect(matching(where, language, ids.logs, 'TraceId')).rejects.toMatchObject({
      code: 'bad_request',
      message,
    });
  });

  it('types that the engine refuses are a 400 without the engine’s text', async () => {
    const failure = await matching('toDate(LogAttributes) = 1', 'sql', ids.logs, 'TraceId').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'bad_request' });
    expect((failure as Fault).message).not.toMatch(/SELECT|Code:|otel_logs/);
  });
});
