import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../../contract/errors.ts';
import { encodeLogs } from './logs.ts';
import type { MessageName } from '../wire/messages.ts';
import { encodeMetrics } from './metrics.ts';
import { protobufFromJson } from '../wire/protobuf-from-json.ts';
import { encodeTraces } from './traces.ts';

const text = (stringValue: string) => ({ stringValue });
const attributes = [
  { key: 'service.name', value: text('fuzz') },
  { key: 'n', value: { intValue: '-9223372036854775808' } },
  { key: 'd', value: { doubleValue: 0.5 } },
  { key: 'b', value: { bytesValue: 'AQI=' } },
  {
    key: 'l',
    value: {
      arrayValue: {
        values: [
          text('é'),
          { kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }] } },
        ],
      },
    },
  },
];
const times = { startTimeUnixNano: '1763715600000000000', timeUnixNano: '1763715600000000001' };
const ids = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };
const exemplars = [
  { ...ids, timeUnixNano: '1763715600000000000', asInt: '5', filteredAttributes: attributes },
];
const wrap = (groups: string, scopes: string, records: string, list: unknown[]) => ({
  [groups]: [
    {
      resource: { attributes },
      schemaUrl: 'r',
      [scopes]: [
        { scope: { name: 's', version: '1', attributes }, schemaUrl: 's', [records]: list },
      ],
    },
  ],
});

const requests: { signal: string; name: MessageName; encode: typeof encodeLogs; json: unknown }[] =
  [
    {
      signal: 'logs',
      name: 'ExportLogsRequest',
      encode: encodeLogs,
      json: wrap('resourceLogs', 'scopeLogs', 'logRecords', [
        {
          ...ids,
          timeUnixNano: '1763715600000000000',
          severityNumber: 9,
          severityText: 'INFO',
          body: text('x'.repeat(60)),
          attributes,
          flags: 1,
          eventName: 'e',
        },
      ]),
    },
    {
      signal: 'traces',
      name: 'ExportTraceRequest',
      encode: encodeTraces,
      json: wrap('resourceSpans', 'scopeSpans', 'spans', [
        {
          ...ids,
          parentSpanId: 'ef'.repeat(8),
          name: 'n',
          kind: 2,
          startTimeUnixNano: '1763715600000000000',
          endTimeUnixNano: '1763715600000000009',
          attributes,
          events: [{ name: 'e', timeUnixNano: '1', attributes }],
          links: [{ ...ids, traceState: 't', attributes }],
          status: { code: 2, message: 'm' },
        },
      ]),
    },
    {
      signal: 'metrics',
      name: 'ExportMetricsRequest',
      encode: encodeMetrics,
      json: wrap('resourceMetrics', 'scopeMetrics', 'metrics', [
        { name: 'g', gauge: { dataPoints: [{ ...times, asDouble: 1.5, attributes, exemplars }] } },
        {
          name: 's',
          sum: {
            aggregationTemporality: 2,
            isMonotonic: true,
            dataPoints: [{ ...times, asInt: '7' }],
          },
        },
        {
          name: 'h',
          histogram: {
            aggregationTemporality: 1,
            dataPoints: [
              {
                ...times,
                count: '3',
                sum: 4,
                bucketCounts: ['1', '2'],
                explicitBounds: [1],
                min: 0,
                max: 3,
                exemplars,
              },
            ],
          },
        },
        {
          name: 'e',
          exponentialHistogram: {
            dataPoints: [
              {
                ...times,
                count: '3',
                scale: -1,
                zeroCount: '1',
                positive: { offset: -2, bucketCounts: ['1', '300'] },
                negative: { offset: 1, bucketCounts: [] },
              },
            ],
          },
        },
        {
          name: 'q',
          summary: {
            dataPoints: [{ ...times, count: '2', quantileValues: [{ quantile: 0.5, value: 1 }] }],
          },
        },
      ]),
    },
  ];

/** Anything but rows or a refusal is a mistake of ours. */
function decoded(encode: typeof encodeLogs, request: Uint8Array): 'rows' | 'refused' {
  try {
    const { tables, rejected, message } = encode(request, 0);
    for (const { data, rows } of tables) {
      expect(data.length).toBeGreaterThanOrEqual(rows);
    }
    expect(rejected > 0).toBe(message !== '');
    return 'rows';
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe('bad_request');
    return 'refused';
  }
}

describe.each(requests)('$signal', ({ name, encode, json }) => {
  const whole = protobufFromJson(name, Buffer.from(JSON.stringify(json)));

  test('the request itself is taken whole', () => {
    const { tables, rejected } = encode(whole, 0);
    expect([tables.length, rejected]).toEqual([name === 'ExportMetricsRequest' ? 5 : 1, 0]);
  });

  test('a request that is cut anywhere gives rows or a refusal', () => {
    for (let length = 0; length < whole.length; length++) {
      decoded(encode, whole.subarray(0, length));
    }
  });

  test('a request with changed bytes gives rows or a refusal', () => {
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 6,
    });
    const outcomes = { rows: 0, refused: 0 };
    fc.assert(
      fc.property(changes, (list) => {
        const changed = Uint8Array.from(whole);
        for (const [index, byte] of list) {
          changed[index] = byte;
        }
        outcomes[decoded(encode, changed)]++;
      }),
      { numRuns: 3000 },
    );
    // Both ends are reached, so that the property says something.
    expect(Math.min(outcomes.rows, outcomes.refused)).toBeGreaterThan(100);
  });

  test('random bytes give rows or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void decoded(encode, bytes)),
      { numRuns: 3000 },
    );
  });

  test('JSON of any shape gives a request or a refusal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
        const broken = JSON.stringify(
          replaceSome(json, value, (key) => (key.length * 31 + seed) % 7 === 0),
        );
        try {
          decoded(encode, protobufFromJson(name, Buffer.from(broken)));
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** A copy in which what stands under some keys is another value. */
function replaceSome(node: unknown, value: unknown, chosen: (key: string) => boolean): unknown {
  if (Array.isArray(node)) {
    return node.map((item: unknown) => replaceSome(item, value, chosen));
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      chosen(key) ? value : replaceSome(member, value, chosen),
    ]),
  );
}
