import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key, openEngine, post, startOtlp } from './kit.ts';
import { attribute, wire, type Field } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;

beforeAll(async () => {
  engine = await openEngine();
  otlp = await startOtlp(engine.telemetry, { batch: { maxAgeMs: 50 } });
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
});

const second = 1_763_715_600_000_000_000n;
const attributes = (number: number): Field =>
  attribute(number, 'kéy', [
    [
      6,
      'message',
      [
        attribute(1, 'list', [
          [
            5,
            'message',
            [
              [1, 'message', [[3, 'varint64', -5n]]],
              [1, 'message', [[7, 'bytes', Buffer.from([1, 2])]]],
            ],
          ],
        ]),
      ],
    ],
  ]);
const ids = (trace: number, span: number): Field[] => [
  [trace, 'bytes', Buffer.alloc(16, 7)],
  [span, 'bytes', Buffer.alloc(8, 9)],
];
const exemplar = (number: number): Field => [
  number,
  'message',
  [...ids(5, 4), attributes(7), [2, 'fixed64', second], [3, 'double', 1.5]],
];
const points: Field[][] = [
  [
    [1, 'string', 'g'],
    [
      5,
      'message',
      [[1, 'message', [[3, 'fixed64', second], [4, 'double', 2], attributes(7), exemplar(5)]]],
    ],
  ],
  [
    [1, 'string', 's'],
    [
      7,
      'message',
      [
        [1, 'message', [[3, 'fixed64', second], [6, 'fixed64', 2n], attributes(7)]],
        [2, 'varint', 2],
        [3, 'varint', 1],
      ],
    ],
  ],
  [
    [1, 'string', 'h'],
    [
      9,
      'message',
      [
        [
          1,
          'message',
          [
            [3, 'fixed64', second],
            [4, 'fixed64', 2n],
            [6, 'packedFixed64', [1n, 1n]],
            [7, 'packedDouble', [1]],
            attributes(9),
            exemplar(8),
          ],
        ],
      ],
    ],
  ],
  [
    [1, 'string', 'e'],
    [
      10,
      'message',
      [
        [
          1,
          'message',
          [
            [3, 'fixed64', second],
            [6, 'sint', -1],
            [
              8,
              'message',
              [
                [1, 'sint', 2],
                [2, 'packedVarint64', [3n, 400n]],
              ],
            ],
            attributes(1),
          ],
        ],
      ],
    ],
  ],
  [
    [1, 'string', 'q'],
    [
      11,
      'message',
      [
        [
          1,
          'message',
          [
            [3, 'fixed64', second],
            [4, 'fixed64', 2n],
            [
              6,
              'message',
              [
                [1, 'double', 0.5],
                [2, 'double', 1],
              ],
            ],
          ],
        ],
      ],
    ],
  ],
];
const records: Record<string, Field[][]> = {
  logs: [
    [
      [1, 'fixed64', second],
      [2, 'varint', 9],
      [3, 'string', 'INFO'],
      [5, 'message', [[1, 'string', 'bödy']]],
      attributes(6),
      [8, 'fixed32', 1],
      ...ids(9, 10),
      [12, 'string', 'e'],
    ],
  ],
  traces: [
    [
      ...ids(1, 2),
      [5, 'string', 'näme'],
      [6, 'varint', 2],
      [7, 'fixed64', second],
      [8, 'fixed64', second + 5n],
      attributes(9),
      [11, 'message', [[1, 'fixed64', second], [2, 'string', 'é'], attributes(3)]],
      [13, 'message', [...ids(1, 2), attributes(4)]],
      [
        15,
        'message',
        [
          [2, 'string', 'm'],
          [3, 'varint', 2],
        ],
      ],
    ],
  ],
  metrics: points,
};

test.each(Object.keys(records))(
  'whatever is accepted of changed %s requests, the engine stores',
  async (signal) => {
    const whole = wire([
      1,
      'message',
      [
        [1, 'message', [attributes(1)]],
        [2, 'message', records[signal]!.map((record): Field => [2, 'message', record])],
      ],
    ]);
    const changes = fc.sample(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      { numRuns: 80, seed: 20_251_121 },
    );
    const statuses = await Promise.all(
      changes.map(async (list) => {
        const changed = Uint8Array.from(whole);
        for (const [offset, byte] of list) {
          changed[offset] = byte;
        }
        return (await post(`${otlp.httpUrl}/v1/${signal}`, changed, { authorization: key })).status;
      }),
    );
    expect([...new Set(statuses)].sort()).toEqual([200, 400]);
  },
);
