import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeRequest } from '../../src/core/otlp/encode-request.ts';
import { LogsBlock, metricBlocks, TracesBlock } from '../../src/core/otlp/tables.ts';
import type { Value } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { database, openEngine } from './kit.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;

beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

type Attributes = [key: string, value: string][];

interface SentRecord {
  body: string;
  severity: string;
  attributes: Attributes;
}

interface SentGroup {
  service: string;
  resource: Attributes;
  records: SentRecord[];
}

const second = 1_763_715_600;
const attributes = (list: Attributes) =>
  list.map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** Encodes and stores the groups as one request and answers its rows as stored. */
async function stored(groups: readonly SentGroup[], firstId: number): Promise<Value[][]> {
  let id = firstId;
  const request = {
    resourceLogs: groups.map(({ service, resource, records }) => ({
      resource: { attributes: attributes([['service.name', service], ...resource]) },
      scopeLogs: [
        {
          logRecords: records.map(({ body, severity, attributes: own }) => ({
            timeUnixNano: `${second}${String(id++).padStart(9, '0')}`,
            severityText: severity,
            body: { stringValue: body },
            attributes: attributes(own),
          })),
        },
      ],
    })),
  };
  const { tables } = encodeRequest(
    { signal: 'logs', encoding: 'json', receivedMs: 0 },
    Buffer.from(JSON.stringify(request)),
  );
  for (const { table, columns, data, rows } of tables) {
    const names = columns.map(({ name }) => name);
    await engine.telemetry.insert(database, table, {
      format: 'Native',
      columns: names,
      data,
      rows,
    });
  }
  const { rows } = await engine.telemetry.query(
    sql`SELECT ServiceName, Body, SeverityText,
arrayZip(mapKeys(ResourceAttributes), mapValues(ResourceAttributes)),
arrayZip(mapKeys(LogAttributes), mapValues(LogAttributes))
FROM shop.otel_logs WHERE toUnixTimestamp64Nano(Timestamp) % 1000000000 BETWEEN ${firstId} AND ${id - 1}
ORDER BY Timestamp`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return rows;
}

const expected = (groups: readonly SentGroup[]): Value[][] =>
  groups.flatMap(({ service, resource, records }) =>
    records.map(({ body, severity, attributes: own }) => [
      service,
      body,
      severity,
      [['service.name', service], ...resource],
      own,
    ]),
  );

test('rows of random requests come back as they were sent', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const key = fc.oneof(fc.constantFrom('a', 'http.route', ''), text);
  const list = fc.array(fc.tuple(key, text), { maxLength: 6 });
  const record = fc.record({
    body: text,
    severity: fc.constantFrom('INFO', 'ERROR', ''),
    attributes: list,
  });
  const group = fc.record({
    service: text,
    // A second service.name would be another test.
    resource: list.map((pairs) => pairs.filter(([name]) => name !== 'service.name')),
    records: fc.array(record, { maxLength: 5 }),
  });
  let firstId = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(group, { maxLength: 4 }), async (groups) => {
      firstId += 1000;
      expect(await stored(groups, firstId)).toEqual(expected(groups));
    }),
    { numRuns: 25 },
  );
});

test.each([300, 70_000])('%i different keys and services fit a block', async (count) => {
  const groups = Array.from({ length: count / 100 }, (_, group) => ({
    service: `service-${group}`,
    resource: [] as Attributes,
    records: [
      {
        body: 'x',
        severity: `S${group}`,
        attributes: Array.from(
          { length: 100 },
          (_none, index) => [`key-${group}-${index}`, String(index)] as [string, string],
        ),
      },
    ],
  }));
  expect(await stored(groups, 100_000_000 + count)).toEqual(expected(groups));
});

test('the columns of every block are columns of its table, with the same types', async () => {
  const blocks = [new LogsBlock(), new TracesBlock(), ...Object.values(metricBlocks)];
  for (const { table, columns } of blocks) {
    const types = new Map(
      (await engine.telemetry.columns(database, table)).map(({ name, type }) => [name, type]),
    );
    expect(columns.map(({ name }) => ({ name, type: types.get(name) }))).toEqual(columns);
    const written = new Set(columns.map(({ name }) => name));
    expect([...types.keys()].filter((name) => !written.has(name))).toEqual(
      table === 'otel_logs' ? ['TimestampTime'] : [],
    );
  }
});
