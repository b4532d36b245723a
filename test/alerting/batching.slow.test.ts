import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertDefinition } from '../../src/core/alerting/alert-definition.ts';
import {
  compileQuestion,
  type CompiledQuestion,
} from '../../src/core/alerting/ask/compiled-question.ts';
import { batches, halves } from '../../src/core/alerting/ask/batches.ts';
import { buildQuestion } from '../../src/core/alerting/ask/question.ts';
import { readingsOf } from '../../src/core/alerting/decide/readings.ts';
import { runBatch } from '../../src/core/alerting/ask/run-batch.ts';
import { ShapeBook } from '../../src/core/alerting/ask/shapes.ts';
import { createQuery } from '../../src/core/query/index.ts';
import type {
  DocumentKind,
  JsonObject,
  StoredDocument,
} from '../../src/ports/store/document-store.ts';
import { sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { DocumentsByKind } from '../../src/core/alerting/documents-by-kind.ts';
import { documentBody } from '../kit/document-body.ts';

let engine: TestTelemetry;
const window = {
  startMs: Date.parse('2026-03-14T12:00:00Z'),
  endMs: Date.parse('2026-03-14T12:01:00Z'),
};

const bodies = [
  'payment failed for order 17',
  'Payment FAILED, retrying',
  'timeout while calling cart',
  'time-out calling cart',
  'timeouts happen',
  'grüße timeout🙂 ende',
  'ſpecial payment',
  'a_payment_b',
  'payment',
  '',
  'PAYMENT\ttimeout\nerror',
  'érror payment',
  'x'.repeat(500) + ' timeout',
  'K payment',
  "quote ' and \\ backslash",
  'order.17.timeout',
  'cartcart cart',
  '\u0130stanbul timeout',
];
const services = ['checkout', 'cart', 'search', "o'hara", ''];
const severities = ['ERROR', 'WARN', 'INFO'];

beforeAll(async () => {
  engine = await openTestTelemetry();
  const rows = Array.from({ length: 4000 }, (_, index) => ({
    Timestamp: `2026-03-14 12:00:${String(index % 60).padStart(2, '0')}.${String(index % 1000).padStart(3, '0')}`,
    ServiceName: services[(index * 7) % 5],
    SeverityText: severities[(index * 11) % 3],
    SeverityNumber: (index * 13) % 24,
    Body: bodies[(index * 17) % bodies.length],
    LogAttributes:
      index % 4 === 0
        ? {
            'http.status': String(200 + (index % 5) * 100),
            duration: index % 8 === 0 ? 'slow' : String(index % 97),
          }
        : {},
  }));
  // Beyond the window on both sides: nothing of this may count.
  await engine.insert('otel_logs', [
    ...rows,
    { ...rows[0]!, Timestamp: '2026-03-14 11:59:59.999' },
    { ...rows[0]!, Timestamp: '2026-03-14 12:01:00.000' },
  ]);
});
afterAll(() => engine.close());

const sourceId = 'a'.repeat(24);
const stored = <K extends DocumentKind>(
  kind: K,
  id: string,
  body: JsonObject,
): StoredDocument<K> => ({
  kind,
  id,
  workspaceId: 'w',
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  body: documentBody(body),
  sealed: null,
});

async function ask(
  alerts: {
    where?: string;
    whereLanguage?: string;
    groupBy?: string;
    select?: JsonObject[];
    asRatio?: boolean;
  }[],
  tableName = 'otel_logs',
): Promise<CompiledQuestion[]> {
  const query = createQuery({
    telemetry: engine.telemetry,
    workspaceDatabase: () => Promise.resolve(engine.database),
    clock: { now: Date.now },
    limits: { timeoutMs: 10_000 },
  });
  const source = stored('source', sourceId, {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: engine.database, tableName },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  });
  const book = new ShapeBook();
  return Promise.all(
    alerts.map(
      async ({ where = '', whereLanguage = 'lucene', groupBy = '', select, asRatio }, index) => {
        const documents = new DocumentsByKind();
        documents.put(source);
        documents.put(stored('savedSearch', 's', { sourceId, where, whereLanguage, filters: [] }));
        documents.put(
          stored('dashboard', 'd', {
            tiles: [
              {
                id: 't',
                config: {
                  displayType: 'line',
                  sourceId,
                  select: select ?? [],
                  ...(asRatio !== undefined && { asRatio }),
                },
              },
            ],
          }),
        );
        const definition = alertDefinition(
          stored('alert', `alert-${index}`, {
            threshold: 1,
            thresholdType: 'above',
            interval: '1m',
            source: select ? 'tile' : 'search',
            savedSearchId: 's',
            dashboardId: 'd',
            tileId: 't',
            groupBy,
          }),
        );
        return compileQuestion(
          definition.id,
          await buildQuestion(definition, {
            query,
            find: (_, kind, id) => documents.get(kind, id),
          }),
          book,
        );
      },
    ),
  );
}

const tasks = (all: CompiledQuestion[]): { compiled: CompiledQuestion }[] =>
  all.map((one) => ({ compiled: one }));

async function answers(
  all: CompiledQuestion[],
  together: boolean | 'halved',
): Promise<Map<string, unknown>> {
  const query = createQuery({
    telemetry: engine.telemetry,
    workspaceDatabase: () => Promise.resolve(engine.database),
    clock: { now: Date.now },
    limits: { timeoutMs: 10_000 },
  });
  const groups = together ? [all] : all.map((one) => [one]);
  const planned = groups
    .flatMap((group) => [...batches(window, tasks(group))])
    .flatMap((batch) =>
      together === 'halved' && batch.members.length > 1 ? halves(batch) : [batch],
    );
  const results = new Map<string, unknown>();
  for (const batch of planned) {
    const { answers } = await runBatch(batch, {
      telemetry: engine.telemetry,
      query,
      limits: { timeoutMs: 10_000 },
    });
    batch.members.forEach(({ compiled: { alertId } }, place) =>
      results.set(alertId, {
        tooManyGroups: answers[place]!.kind === 'too_many_groups',
        readings: Object.fromEntries(
          [...readingsOf(answers[place]!)].sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
      }),
    );
  }
  return results;
}

const words = [
  'payment',
  'timeout',
  'PAYMENT',
  'failed',
  'error',
  'cart',
  '17',
  'nothing',
  'order',
  'a',
  'b',
  'k',
  'special',
  'istanbul',
  'x',
];
const keyed = services.flatMap((service) =>
  severities.map((severity) => ({
    where: `ServiceName:"${service}" SeverityText:"${severity}"`,
  })),
);
const alerts = [
  ...keyed,
  ...keyed.map(({ where }) => ({ where: where.split(' ').toReversed().join(' AND ') })),
  ...services.map((service) => ({
    where: `ServiceName = '${service.replace("'", "''")}'`,
    whereLanguage: 'sql',
  })),
  ...[1, 5, 17, 99].map((number) => ({ where: `SeverityNumber:"${number}"` })),
  ...['200', '500', '', '999'].map((status) => ({
    where: `LogAttributes.http.status:"${status}"`,
  })),
  ...services.map((service) => ({ where: `ServiceName:"${service}"`, groupBy: 'SeverityText' })),
  ...words.map((word) => ({ where: word })),
  ...words.flatMap((word) =>
    services.map((service) => ({ where: `${word} ServiceName:"${service}"` })),
  ),
  ...words.map((word) => ({ where: `${word} SeverityNumber:>10`, groupBy: 'ServiceName' })),
  { where: '"payment failed"' },
  { where: 'pay*' },
  { where: '-payment' },
  { where: 'Body:timeout' },
  { where: 'payment OR timeout' },
  { where: 'grüße' },
  { where: 'ServiceName:"cart" OR ServiceName:"search"' },
  { where: 'ServiceName:"cart" ServiceName:"search"' },
  { where: '' },
  { where: 'SeverityNumber:[3 TO 9]' },
  { where: 'length(Body) > 20', whereLanguage: 'sql' },
  ...services.map((service) => ({
    select: [
      { aggFn: 'avg', valueExpression: 'SeverityNumber', where: `ServiceName:"${service}"` },
    ],
  })),
  ...services.map((service) => ({
    select: [
      {
        aggFn: 'max',
        valueExpression: 'LogAttributes.duration',
        where: `ServiceName:"${service}" SeverityText:"ERROR"`,
      },
    ],
  })),
  ...services.map((service) => ({
    select: [
      { aggFn: 'count' },
      {
        aggFn: 'quantile',
        level: 0.9,
        valueExpression: 'SeverityNumber',
        where: `ServiceName:"${service}"`,
      },
    ],
    groupBy: 'SeverityText',
  })),
  {
    select: [{ aggFn: 'count', where: 'SeverityText:"ERROR"' }, { aggFn: 'count' }],
    asRatio: true,
    groupBy: 'ServiceName',
  },
  { select: [{ aggFn: 'sum', valueExpression: 'LogAttributes.nothing' }] },
];

describe('batching: one scan for many alerts', () => {
  it('asks in few scans what would be many', async () => {
    const all = await ask(alerts);
    expect(all.length).toBeGreaterThan(150);
    expect([...batches(window, tasks(all))].length).toBeLessThan(22);
  });

  it('reads the very same as one query each', async () => {
    const all = await ask(alerts);
    const together = await answers(all, true);
    const alone = await answers(all, false);
    const halved = await answers(all, 'halved');
    for (const [index, { alertId }] of all.entries()) {
      expect([alerts[index], together.get(alertId), halved.get(alertId)]).toEqual([
        alerts[index],
        alone.get(alertId),
        alone.get(alertId),
      ]);
    }
  });

  it('counts what independent code counts', async () => {
    const all = await ask(words.map((word) => ({ where: word })));
    const results = await answers(all, true);
    const rows = Array.from({ length: 4000 }, (_, index) => bodies[(index * 17) % bodies.length]!);
    for (const [index, word] of words.entries()) {
      const count = rows.filter((body) =>
        body
          .split(/[^0-9A-Za-z\u0080-\u{10ffff}]+/u)
          .map((token) => token.replace(/[A-Z]/g, (char) => char.toLowerCase()))
          .includes(word.toLowerCase()),
      ).length;
      expect([word, results.get(all[index]!.alertId)]).toEqual([
        word,
        {
          tooManyGroups: false,
          readings: { '[]': count === 0 ? { kind: 'none' } : { kind: 'value', value: count } },
        },
      ]);
    }
  });

  it('tells NULL over rows from no rows at all', async () => {
    const all = await ask([
      { select: [{ aggFn: 'avg', valueExpression: 'LogAttributes.nothing' }] },
      {
        select: [
          { aggFn: 'avg', valueExpression: 'SeverityNumber', where: 'ServiceName:"nobody"' },
        ],
      },
    ]);
    const results = [...(await answers(all, true)).values()];
    expect(results).toEqual([
      { tooManyGroups: false, readings: { '[]': { kind: 'undecided' } } },
      { tooManyGroups: false, readings: { '[]': { kind: 'none' } } },
    ]);
  });

  it('the same alerts again are the same scan, and others are not', async () => {
    const all = await ask(keyed);
    const scanOf = (members: CompiledQuestion[]) =>
      [...batches(window, tasks(members))].map((batch) => batch.kind === 'shaped' && batch.scan);
    const [first] = scanOf(all);
    expect(scanOf(all)[0]).toBe(first);
    expect(scanOf(all.slice(1))[0]).not.toBe(first);
    expect(await answers(all.toReversed(), true)).toEqual(await answers(all, true));
  });
});

describe('batching: words', () => {
  it('search, index and splitting find the same words, whatever their case and neighbours', async () => {
    const texts = [
      'E4001',
      'e4001 E4001',
      'xE4001',
      'E4001x',
      'E40012',
      'E4001_',
      '_e4001_',
      'E4001é',
      'éE4001',
      'E4001\u{1f642}',
      'E4001\n',
      '\tE4001.',
      'Ⅷ E4001',
      'ＥE4001',
      'e4001-E4002',
      'E400 1',
      '4001',
      'E4001E4001',
      '',
      ' ',
      '\u0000E4001\u0000',
      'KELVIN \u212a9',
      'k9',
      'K9',
      'straße',
      'STRASSE',
      'a',
      'A b',
      'a'.repeat(300),
      `${'A'.repeat(300)}b`,
      Array.from({ length: 60 }, (_, index) => `n${index}`).join(' '),
      'N1n2 n3,N4;n5',
    ];
    await engine.command(
      sql`CREATE TABLE sightline.texts (Timestamp DateTime64(9), Body String, ServiceName String,
          INDEX words lower(Body) TYPE tokenbf_v1(64, 2, 0) GRANULARITY 1)
        ENGINE = MergeTree ORDER BY Timestamp SETTINGS index_granularity = 3`,
    );
    await engine.insert(
      'texts',
      texts.map((Body, index) => ({
        Timestamp: '2026-03-14 12:00:10',
        Body,
        ServiceName: index % 2 === 0 ? 'even' : 'odd',
      })),
    );
    // Bytes that are no UTF-8 at all, beside and within words.
    await engine.command(
      sql`INSERT INTO sightline.texts
        SELECT toDateTime64('2026-03-14 12:00:10', 9), concat(part, 'E4001', part, ' n7 ', part), 'odd'
        FROM (SELECT
          arrayJoin([unhex('FF'), unhex('C3'), unhex('80'), unhex('E280'), unhex('F09F')]) AS part)`,
    );
    const words = [
      'e4001',
      'E4001',
      'E4002',
      'e400',
      '4001',
      '1',
      'k9',
      'K9',
      'kelvin',
      'strasse',
      'stra',
      'a',
      'b',
      'x',
      'a'.repeat(300),
      ...Array.from({ length: 12 }, (_, index) => `n${index}`),
    ];
    const more = (length: number): string[] => [
      ...words,
      ...Array.from({ length }, (_, index) => `N${index}`),
    ];
    for (const wanted of [words.slice(0, 12), words, more(20), more(300)]) {
      const all = await ask(
        [
          ...wanted.map((where) => ({ where })),
          ...wanted.slice(0, 20).map((word) => ({ where: `${word} ServiceName:"odd"` })),
          ...wanted.slice(0, 20).map((where) => ({ where, groupBy: 'ServiceName' })),
        ],
        'texts',
      );
      expect([...batches(window, tasks(all))].every(({ kind }) => kind === 'shaped')).toBe(true);
      const together = await answers(all, true);
      const sample = all.filter(
        (_, index) =>
          (wanted === words ? index < words.length : index % 3 === 0 && index < words.length) ||
          index % 8 === 0,
      );
      for (const [alertId, alone] of await answers(sample, false)) {
        expect([alertId, together.get(alertId)]).toEqual([alertId, alone]);
      }
    }
  });
});

describe('batching: keys', () => {
  it('keys with every sign that could part a list are found, and enumerations are asked as they are', async () => {
    await engine.command(
      sql`CREATE TABLE sightline.odd (Timestamp DateTime64(9), Body String,
          Level Enum8('low' = 1, 'high' = 2))
        ENGINE = MergeTree ORDER BY Timestamp`,
    );
    const names = Array.from(
      { length: 40 },
      (_, index) =>
        `${index}${[',', '|', '\n', '\u001f', "'", '\\\\'].slice(0, index % 7).join('')}`,
    );
    await engine.insert(
      'odd',
      names.map((Body, index) => ({
        Timestamp: '2026-03-14 12:00:10',
        Body,
        Level: index % 2 === 0 ? 'low' : 'high',
      })),
    );
    const all = await ask(
      [
        ...names.map((name) => ({ where: `Body:"${name.replace(/["\\\\]/g, String.raw`\$&`)}"` })),
        ...names.slice(0, 20).map((name) => ({ where: `Body:"${name.split(',')[0]}"` })),
        ...Array.from({ length: 20 }, (_, index) => ({
          where: `Level:"${['low', 'high', `none${index}`][index % 3]}"`,
        })),
      ],
      'odd',
    );
    const together = await answers(all, true);
    expect([...batches(window, tasks(all))].length).toBe(2);
    for (const index of names.keys()) {
      expect([names[index], together.get(`alert-${index}`)]).toEqual([
        names[index],
        {
          tooManyGroups: false,
          readings: {
            '[]': { kind: 'value', value: names.filter((name) => name === names[index]).length },
          },
        },
      ]);
    }
    expect(['alert-60', 'alert-61', 'alert-62'].map((id) => together.get(id))).toEqual(
      [20, 20, undefined].map((value) => ({
        tooManyGroups: false,
        readings: { '[]': value === undefined ? { kind: 'none' } : { kind: 'value', value } },
      })),
    );
  });

  it('thousands of keys stay within the length of a query', async () => {
    const all = await ask(
      Array.from({ length: 9000 }, (_, index) => ({
        where: `ServiceName:"service-with-a-long-name-${index}"`,
      })),
    );
    const planned = [...batches(window, tasks(all))];
    expect(planned.length).toBeLessThan(5);
    expect((await answers(all, true)).size).toBe(9000);
  });
});
