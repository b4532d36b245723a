import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeRequest } from '../encode-request.ts';
import { BlockJoiner } from './block-joiner.ts';

type Signal = 'logs' | 'metrics' | 'traces';

const text = (stringValue: string) => ({ stringValue });
const nanos = (offset: number): string => `17637156000000${String(offset).padStart(5, '0')}`;
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.nat(400).map((number) => `word ${number}`),
  fc.constantFrom('', 'a', 'GET /'),
);
const attributes = fc
  .uniqueArray(word, { maxLength: 5 })
  .map((keys) => keys.map((key) => ({ key, value: text(`value of ${key}`) })));
const ids = fc.record({
  traceId: fc.constantFrom('ab'.repeat(16), '01'.repeat(16)),
  spanId: fc.constantFrom('cd'.repeat(8), ''),
});
const common = fc.tuple(ids, attributes, fc.nat(99_999)).map(([id, own, at]) => ({
  ...id,
  attributes: own,
  startTimeUnixNano: nanos(at),
  timeUnixNano: nanos(at),
}));

const record = fc.tuple(common, word, word).map(([shared, severityText, body]) => ({
  ...shared,
  severityText,
  body: text(body),
}));
const span = fc
  .tuple(common, word, fc.array(fc.tuple(common, word), { maxLength: 3 }), fc.array(common))
  .map(([shared, name, events, links]) => ({
    ...shared,
    name,
    endTimeUnixNano: shared.timeUnixNano,
    events: events.map(([event, eventName]) => ({ ...event, name: eventName })),
    links,
  }));
const point = fc
  .tuple(common, fc.array(common, { maxLength: 2 }), fc.double({ noNaN: true, min: 0, max: 1e9 }))
  .map(([shared, exemplars, value]) => ({
    ...shared,
    exemplars: exemplars.map(({ attributes: filteredAttributes, ...exemplar }) => ({
      ...exemplar,
      filteredAttributes,
      asDouble: value,
    })),
    asDouble: value,
    count: '3',
    sum: value,
    bucketCounts: ['1', '2'],
    explicitBounds: [value],
    scale: 1,
    zeroCount: '1',
    positive: { offset: 1, bucketCounts: ['1', '1'] },
    quantileValues: [{ quantile: 0.5, value }],
  }));
const kinds = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;
const metric = fc
  .tuple(word, fc.constantFrom(...kinds), fc.array(point, { minLength: 1, maxLength: 4 }))
  .map(([name, kind, dataPoints]) => ({
    name: `m${name}`,
    [kind]: { dataPoints, aggregationTemporality: 2, isMonotonic: true },
  }));

/** Compares large blocks in no time. */
const digests = (blocks: readonly Buffer[] | undefined) =>
  blocks?.map((block) => `${block.length} ${createHash('sha1').update(block).digest('hex')}`);

/** What a resource sends of each signal. */
const groups = <T>(item: fc.Arbitrary<T>, list: string) =>
  fc.array(
    fc
      .tuple(attributes, word, fc.array(item, { minLength: 1, maxLength: 6 }))
      .map(([own, name, items]) => ({ own, name, list, items: items as unknown[] })),
    { minLength: 1, maxLength: 4 },
  );
type Group = { own: unknown; name: string; list: string; items: unknown[] };

function tablesOf(signal: Signal, of: readonly Group[]) {
  const upper = { logs: 'Logs', metrics: 'Metrics', traces: 'Spans' }[signal];
  const request = {
    [`resource${upper}`]: of.map(({ own, name, list, items }) => ({
      resource: { attributes: own },
      [`scope${upper}`]: [{ scope: { name, attributes: own }, [list]: items }],
    })),
  };
  const json = Buffer.from(JSON.stringify(request));
  return encodeRequest({ signal, encoding: 'json', receivedMs: 0 }, json).tables;
}

const signals: [Signal, fc.Arbitrary<Group[][]>][] = [
  ['logs', fc.array(groups(record, 'logRecords'), { minLength: 2, maxLength: 6 })],
  ['traces', fc.array(groups(span, 'spans'), { minLength: 2, maxLength: 6 })],
  ['metrics', fc.array(groups(metric, 'metrics'), { minLength: 2, maxLength: 6 })],
];

describe('blocks are joined', () => {
  test.each(signals)('into what one request would be: %s', async (signal, requests) => {
    const joiner = new BlockJoiner();
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async (all, isOnePiece) => {
        const apart = all.flatMap((one) => tablesOf(signal, one));
        for (const { table, rows, data } of tablesOf(signal, all.flat())) {
          const blocks = apart.filter((each) => each.table === table).map((each) => each.data);
          if (blocks.length > 1) {
            const pieces = isOnePiece ? [Buffer.concat(blocks)] : blocks;
            expect(digests(await joiner.join(table, pieces, rows))).toEqual(digests([data]));
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  /** A resource with log records that have keys of their own. */
  const group = (rows: number, service: string, keys = 0): Group => ({
    own: [{ key: 'service.name', value: text(service) }],
    name: 's',
    list: 'logRecords',
    items: Array.from({ length: rows }, (_, row) => ({
      timeUnixNano: nanos(row),
      severityText: `${service} ${row}`,
      attributes: Array.from({ length: keys }, (_each, key) => ({
        key: `${service} ${row} ${key}`,
        value: text('x'),
      })),
    })),
  });
  const logs = (...given: Parameters<typeof group>) => tablesOf('logs', [group(...given)])[0]!;

  test.each([
    ['256', 2, 200, 1],
    ['65,536', 4, 300, 60],
  ])('with dictionaries of more than %s words', async (_, count, rows, keys) => {
    const all = Array.from({ length: count }, (_each, index) => group(rows, `${index}`, keys));
    const pieces = all.map((one) => tablesOf('logs', [one])[0]!.data);
    const joined = await new BlockJoiner().join('otel_logs', pieces, count * rows);
    expect(digests(joined)).toEqual(digests([tablesOf('logs', all)[0]!.data]));
  });

  test('into several if they have many rows, while others are joined or damaged', async () => {
    const all = Array.from({ length: 100 }, (_, index) => group(100, `${index}`));
    const pieces = all.map((one) => tablesOf('logs', [one])[0]!.data);
    const joiner = new BlockJoiner();
    const join = (blocks: Buffer[], rows: number) => joiner.join('otel_logs', blocks, rows);
    const [first = Buffer.alloc(0)] = pieces;
    const results = await Promise.all([
      join(pieces, 10_000),
      join(pieces.slice(0, 2), 200),
      join([first, first, first.subarray(0, -1)], 300),
    ]);
    const parts = [all.slice(0, 82), all.slice(82)];
    expect(results.map(digests)).toEqual([
      digests(parts.map((part) => tablesOf('logs', part)[0]!.data)),
      digests([tablesOf('logs', all.slice(0, 2))[0]!.data]),
      undefined,
    ]);
  });

  test('if they are small and several', async () => {
    const joiner = new BlockJoiner();
    const [small, large] = [logs(100, 'a').data, logs(1200, 'b').data];
    expect(await joiner.join('otel_logs', [small], 100)).toBeUndefined();
    expect(await joiner.join('otel_logs', [large, large], 2400)).toBeUndefined();
    expect(await joiner.join('otel_logs', [small, small], 200)).toHaveLength(1);
    expect(await joiner.join('otel_logs', [Buffer.concat([small, small])], 200)).toHaveLength(1);
  });

  test('only if nothing is missing and the columns are the same, and later ones again', async () => {
    const joiner = new BlockJoiner();
    const { data } = logs(100, 'a');
    const [spans] = tablesOf('traces', [
      { own: [], name: 's', list: 'spans', items: [{ name: 'x', startTimeUnixNano: nanos(1) }] },
    ]);
    const join = (pieces: Buffer[], rows: number) => joiner.join('otel_logs', pieces, rows);
    const other = Buffer.from(data);
    other.write('Timestump', other.indexOf('Timestamp'));
    for (const [pieces, rows] of [
      [[data, data], 201],
      [[data, data.subarray(0, -1)], 200],
      [[data, spans!.data], 101],
      [[data, other], 200],
      [[data, Buffer.concat([data, Buffer.from([1])])], 200],
    ] as const) {
      expect(await join([...pieces], rows)).toBeUndefined();
      expect(await join([other, other], 200)).toHaveLength(1);
      expect(await join([data, data], 200)).toBeUndefined();
      expect(await join([data, data], 200)).toHaveLength(1);
    }
  });
});
