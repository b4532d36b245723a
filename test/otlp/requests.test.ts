import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { openEngine, post, rowsOf, startOtlp, type Row } from './kit.ts';
import { attribute, readNumberAndText, wire, type Field } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;
const nowMs = Date.UTC(2025, 10, 21, 9, 30, 0, 250);

beforeAll(async () => {
  engine = await openEngine();
  otlp = await startOtlp(engine.telemetry, {
    nowMs,
    corsOrigins: ['https://shop.example'],
    http: { maxBodyBytes: 1_000_000, maxInflatedBytes: 2_000_000 },
  });
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
});

const second = 1_763_715_600_000_000_000n;
const text = (value: string): Field[] => [[1, 'string', value]];
const resource = (service: string): Field => [
  1,
  'message',
  [attribute(1, 'service.name', text(service))],
];
const request = (service: string, ...records: Field[][]): Uint8Array =>
  wire([
    1,
    'message',
    [resource(service), [2, 'message', records.map((record): Field => [2, 'message', record])]],
  ]);
const find = (table: string, columns: string[], service: string, orderBy: string): Promise<Row[]> =>
  rowsOf(engine.telemetry, table, columns, orderBy, sql`ServiceName = ${service}`);
const urlOf = (path: string): string => `${otlp.httpUrl}/v1/${path}`;

describe('values', () => {
  test('64-bit integers keep every digit, in both encodings', async () => {
    const numbers = [
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_808n,
      9_007_199_254_740_993n,
      -1n,
      0n,
    ];
    const list: Field[] = [
      [5, 'message', numbers.map((number): Field => [1, 'message', [[3, 'varint64', number]]])],
    ];
    const record: Field[] = [
      [1, 'fixed64', second],
      ...numbers.map((number, index) => attribute(6, `n${index}`, [[3, 'varint64', number]])),
      [5, 'message', list],
    ];
    await post(urlOf('logs'), request('int64 protobuf', record));
    const attributes = numbers.map((number, index) => {
      const value = index % 2 ? `"${number}"` : number;
      return `{"key":"n${index}","value":{"intValue":${value}}}`;
    });
    const json = `{"resourceLogs":[{
      "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"int64 json"}}]},
      "scopeLogs":[{"logRecords":[{"timeUnixNano":${second},
      "attributes":[${attributes.join(',')}],
      "body":{"arrayValue":{"values":[${numbers.map((number) => `{"intValue":${number}}`).join(',')}]}}}]}]}]}`;
    expect((await post(urlOf('logs'), json)).status).toBe(200);
    for (const service of ['int64 protobuf', 'int64 json']) {
      const [row] = await find(
        'otel_logs',
        ['Timestamp', 'LogAttributes', 'Body'],
        service,
        'Timestamp',
      );
      expect(row, service).toEqual({
        Timestamp: '2025-11-21 09:00:00.000000000',
        LogAttributes: Object.fromEntries(
          numbers.map((number, index) => [`n${index}`, String(number)]),
        ),
        Body: `[${numbers.join(',')}]`,
      });
    }
  });

  test('digits inside a JSON string are left alone', async () => {
    const body = 'order: 12345678901234567890, "quoted": 99999999999999999999 \\ end';
    await post(
      urlOf('logs'),
      JSON.stringify({
        resourceLogs: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'digits' } }] },
            scopeLogs: [
              { logRecords: [{ timeUnixNano: String(second), body: { stringValue: body } }] },
            ],
          },
        ],
      }),
    );
    const [row] = await find('otel_logs', ['Body'], 'digits', 'Timestamp');
    expect(row).toEqual({ Body: body });
  });

  test('bytes are base64, nested lists JSON, nothing is empty', async () => {
    const nested: Field[] = [
      [
        6,
        'message',
        [
          attribute(1, 'list', [
            [
              5,
              'message',
              [
                [1, 'message', text('a"b')],
                [1, 'message', [[4, 'double', 0.5]]],
                [1, 'message', [[2, 'varint', 1]]],
                [1, 'message', []],
              ],
            ],
          ]),
          attribute(1, 'raw', [[7, 'bytes', Buffer.from([0, 255])]]),
          attribute(1, 'nan', [[4, 'double', NaN]]),
        ],
      ],
    ];
    await post(
      urlOf('logs'),
      request('kinds', [
        [1, 'fixed64', second],
        [5, 'message', nested],
        attribute(6, 'bytes', [[7, 'bytes', Buffer.from([1, 2, 255])]]),
        attribute(6, 'empty', []),
        attribute(6, 'negative zero', [[4, 'double', -0]]),
        attribute(6, 'infinite', [[4, 'double', -Infinity]]),
      ]),
    );
    const [row] = await find('otel_logs', ['Body', 'LogAttributes'], 'kinds', 'Timestamp');
    expect(row).toEqual({
      Body: '{"list":["a\\"b",0.5,true,null],"raw":"AP8=","nan":"NaN"}',
      LogAttributes: { bytes: 'AQL/', empty: '', 'negative zero': '-0', infinite: '-Infinity' },
    });
  });

  test('what is not UTF-8 becomes the replacement character, and only that', async () => {
    const broken = Buffer.concat([
      Buffer.from('ok ☃ '),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(' end'),
    ]);
    await post(
      urlOf('logs'),
      request('broken', [
        [1, 'fixed64', second],
        [5, 'message', [[1, 'bytes', broken]]],
      ]),
    );
    expect(await find('otel_logs', ['Body'], 'broken', 'Timestamp')).toEqual([
      { Body: 'ok ☃ \uFFFD( end' },
    ]);
  });
});

test('a record without a field has nothing of the record before it', async () => {
  const ids: Field[] = [
    [9, 'bytes', Buffer.alloc(16, 1)],
    [10, 'bytes', Buffer.alloc(8, 2)],
  ];
  await post(
    urlOf('logs'),
    request(
      'bare',
      [
        [1, 'fixed64', second],
        [3, 'string', 'WARN'],
        [5, 'message', text('full')],
        [6, 'message', [[1, 'string', 'key']]],
        [12, 'string', 'event'],
        ...ids,
      ],
      [[1, 'fixed64', second + 1n]],
    ),
  );
  const columns = ['SeverityText', 'Body', 'EventName', 'TraceId', 'SpanId', 'LogAttributes'];
  const [full, bare] = await find('otel_logs', columns, 'bare', 'Timestamp');
  expect(full).toMatchObject({ SeverityText: 'WARN', Body: 'full', EventName: 'event' });
  expect(bare).toEqual({
    SeverityText: '',
    Body: '',
    EventName: '',
    TraceId: '',
    SpanId: '',
    LogAttributes: {},
  });
  const span = (start: bigint, ...fields: Field[]): Field[] => [[7, 'fixed64', start], ...fields];
  await post(
    urlOf('traces'),
    request(
      'bare spans',
      span(
        second,
        [1, 'bytes', Buffer.alloc(16, 1)],
        [2, 'bytes', Buffer.alloc(8, 2)],
        [3, 'string', 'vendor=1'],
        [4, 'bytes', Buffer.alloc(8, 3)],
        [5, 'string', 'full'],
        [15, 'message', [[2, 'string', 'failed']]],
      ),
      span(second + 1n),
    ),
  );
  const names = ['TraceId', 'SpanId', 'TraceState', 'ParentSpanId', 'SpanName', 'StatusMessage'];
  const spans = await find('otel_traces', names, 'bare spans', 'Timestamp');
  expect(Object.values(spans[0] ?? {})).not.toContain('');
  expect(spans[1]).toEqual(Object.fromEntries(names.map((name) => [name, ''])));
});

describe('times', () => {
  test('a log record without a time takes its observed time, then the time of arrival', async () => {
    await post(
      urlOf('logs'),
      request(
        'times',
        [
          [11, 'fixed64', second + 7n],
          [5, 'message', text('observed')],
        ],
        [
          [1, 'fixed64', 0n],
          [5, 'message', text('neither')],
        ],
      ),
    );
    expect(await find('otel_logs', ['Timestamp', 'Body'], 'times', 'Timestamp')).toEqual([
      { Timestamp: '2025-11-21 09:00:00.000000007', Body: 'observed' },
      { Timestamp: '2025-11-21 09:30:00.250000000', Body: 'neither' },
    ]);
  });

  test('a duration is exact, and 0 for a span that did not end or ended before it began', async () => {
    const span = (name: string, start: bigint, end: bigint): Field[] => [
      [5, 'string', name],
      [7, 'fixed64', start],
      [8, 'fixed64', end],
      [6, 'varint', 4],
      [3, 'string', 'vendor=1'],
    ];
    await post(
      urlOf('traces'),
      request(
        'durations',
        span('a', second, second + 86_400_000_000_001n),
        span('b', second, 0n),
        span('c', second, second - 1n),
        span('d', second + 0xffff_ffffn, second + 0x1_0000_0000n),
      ),
    );
    expect(
      await find(
        'otel_traces',
        ['SpanName', 'Duration', 'SpanKind', 'TraceState', 'TraceId', 'StatusCode'],
        'durations',
        'SpanName',
      ),
    ).toEqual(
      [
        ['a', '86400000000001'],
        ['b', '0'],
        ['c', '0'],
        ['d', '1'],
      ].map(([SpanName, Duration]) => ({
        SpanName,
        Duration,
        SpanKind: 'Producer',
        TraceState: 'vendor=1',
        TraceId: '',
        StatusCode: 'Unset',
      })),
    );
  });
});

const big = 9_007_199_254_740_995n;
const exemplar: Field[] = [
  attribute(7, 'user', text('ü')),
  [2, 'fixed64', second],
  [6, 'fixed64', -5n],
  [4, 'bytes', Buffer.alloc(8, 0xab)],
  [5, 'bytes', Buffer.alloc(16, 0xcd)],
];
const summary: Field[] = [
  [1, 'string', 'rtt'],
  [
    11,
    'message',
    [
      [
        1,
        'message',
        [
          attribute(7, 'peer', text('x')),
          [2, 'fixed64', second - 1n],
          [3, 'fixed64', second],
          [4, 'fixed64', big],
          [5, 'double', 12.5],
          [
            6,
            'message',
            [
              [1, 'double', 0.5],
              [2, 'double', 2],
            ],
          ],
          [
            6,
            'message',
            [
              [1, 'double', 0.99],
              [2, 'double', 9],
            ],
          ],
        ],
      ],
    ],
  ],
];
const histogram: Field[] = [
  [1, 'string', 'sizes'],
  [
    9,
    'message',
    [
      [2, 'varint', 1],
      [
        1,
        'message',
        [
          [3, 'fixed64', second],
          [4, 'fixed64', big],
          [6, 'packedFixed64', [big, 0n]],
          [7, 'packedDouble', [1.5]],
          [8, 'message', exemplar],
        ],
      ],
    ],
  ],
];
const exponential: Field[] = [
  [1, 'string', 'spread'],
  [
    10,
    'message',
    [
      [
        1,
        'message',
        [
          [3, 'fixed64', second],
          [4, 'fixed64', 6n],
          [6, 'sint', -3],
          [7, 'fixed64', 1n],
          [
            8,
            'message',
            [
              [1, 'sint', -2],
              [2, 'packedVarint64', [big, 2n]],
            ],
          ],
          [
            9,
            'message',
            [
              [1, 'sint', 4],
              [2, 'packedVarint64', [3n]],
            ],
          ],
        ],
      ],
    ],
  ],
];
const gauge: Field[] = [
  [1, 'string', 'level'],
  [
    5,
    'message',
    [
      [
        1,
        'message',
        [
          [3, 'fixed64', second],
          [6, 'fixed64', -42n],
          [5, 'message', exemplar],
          [8, 'varint', 2],
        ],
      ],
    ],
  ],
];

describe('points', () => {
  test('a summary, exemplars and counts beyond 2^53 are stored as sent', async () => {
    expect(
      (await post(urlOf('metrics'), request('points', summary, histogram, exponential, gauge)))
        .status,
    ).toBe(200);
    expect(
      await find(
        'otel_metrics_summary',
        [
          'MetricName',
          'Attributes',
          'Count',
          'Sum',
          'ValueAtQuantiles.Quantile',
          'ValueAtQuantiles.Value',
          'StartTimeUnix',
        ],
        'points',
        'TimeUnix',
      ),
    ).toEqual([
      {
        MetricName: 'rtt',
        Attributes: { peer: 'x' },
        Count: String(big),
        Sum: 12.5,
        'ValueAtQuantiles.Quantile': [0.5, 0.99],
        'ValueAtQuantiles.Value': [2, 9],
        StartTimeUnix: '2025-11-21 08:59:59.999999999',
      },
    ]);
    const exemplars = {
      'Exemplars.FilteredAttributes': [{ user: 'ü' }],
      'Exemplars.TimeUnix': ['2025-11-21 09:00:00.000000000'],
      'Exemplars.Value': [-5],
      'Exemplars.SpanId': ['ab'.repeat(8)],
      'Exemplars.TraceId': ['cd'.repeat(16)],
    };
    expect(
      await find(
        'otel_metrics_histogram',
        [
          'Count',
          'BucketCounts',
          'ExplicitBounds',
          'AggregationTemporality',
          ...Object.keys(exemplars),
        ],
        'points',
        'TimeUnix',
      ),
    ).toEqual([
      {
        Count: String(big),
        BucketCounts: [String(big), '0'],
        ExplicitBounds: [1.5],
        AggregationTemporality: 1,
        ...exemplars,
      },
    ]);
    expect(
      await find(
        'otel_metrics_exponential_histogram',
        [
          'Scale',
          'ZeroCount',
          'PositiveOffset',
          'PositiveBucketCounts',
          'NegativeOffset',
          'NegativeBucketCounts',
        ],
        'points',
        'TimeUnix',
      ),
    ).toEqual([
      {
        Scale: -3,
        ZeroCount: '1',
        PositiveOffset: -2,
        PositiveBucketCounts: [String(big), '2'],
        NegativeOffset: 4,
        NegativeBucketCounts: ['3'],
      },
    ]);
    expect(
      await find(
        'otel_metrics_gauge',
        ['Value', 'Flags', ...Object.keys(exemplars)],
        'points',
        'TimeUnix',
      ),
    ).toEqual([{ Value: -42, Flags: 2, ...exemplars }]);
  });

  test('a point that says it has no value is accepted and not stored', async () => {
    const point: Field[] = [
      [1, 'string', 'gone'],
      [
        5,
        'message',
        [
          [
            1,
            'message',
            [
              [3, 'fixed64', second],
              [8, 'varint', 1],
            ],
          ],
        ],
      ],
    ];
    const answer = await post(urlOf('metrics'), request('stale', point));
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(await find('otel_metrics_gauge', ['Value'], 'stale', 'TimeUnix')).toEqual([]);
  });
});

describe('the order and kind of fields', () => {
  test('fields after their records, unknown fields and foreign wire types do no harm', async () => {
    const scope: Field[] = [
      [
        2,
        'message',
        [
          [1, 'fixed64', second],
          [99, 'string', 'later'],
          [2, 'string', 'not a number'],
          [5, 'message', text('body')],
        ],
      ],
      [3, 'string', 'scope url'],
      [
        1,
        'message',
        [
          [1, 'string', 'late scope'],
          [4, 'varint', 3],
        ],
      ],
      [77, 'varint', 5],
    ];
    await post(
      urlOf('logs'),
      wire([
        1,
        'message',
        [[2, 'message', scope], [3, 'string', 'resource url'], resource('order')],
      ]),
    );
    expect(
      await find(
        'otel_logs',
        ['Body', 'SeverityNumber', 'ScopeName', 'ScopeSchemaUrl', 'ResourceSchemaUrl'],
        'order',
        'Timestamp',
      ),
    ).toEqual([
      {
        Body: 'body',
        SeverityNumber: 0,
        ScopeName: 'late scope',
        ScopeSchemaUrl: 'scope url',
        ResourceSchemaUrl: 'resource url',
      },
    ]);
  });
});

describe('partial success', () => {
  const late = 5_000_000_000_000_000_000n;
  const log = (body: string, ...fields: Field[]): Field[] => [
    [1, 'fixed64', second],
    [5, 'message', text(body)],
    ...fields,
  ];

  test('records that cannot be stored are counted and explained, the others are stored', async () => {
    const answer = await post(
      urlOf('logs'),
      request(
        'partial',
        log('good'),
        log('late', [1, 'fixed64', late]),
        log('short id', [9, 'bytes', Buffer.alloc(3)]),
      ),
    );
    expect(answer.status).toBe(200);
    const partial = readNumberAndText(readNumberAndTextInside(answer.bytes));
    expect(partial.number).toBe(2);
    expect(partial.text).toMatch(/2106.*trace id is not 16 bytes/);
    expect(await find('otel_logs', ['Body'], 'partial', 'Body')).toEqual([{ Body: 'good' }]);
  });

  test.each([
    [
      'logs',
      'rejectedLogRecords',
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: String(late) }] }] }] },
    ],
    [
      'traces',
      'rejectedSpans',
      { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x', spanId: 'ab' }] }] }] },
    ],
    [
      'metrics',
      'rejectedDataPoints',
      {
        resourceMetrics: [
          {
            scopeMetrics: [
              {
                metrics: [
                  { name: 'm', gauge: { dataPoints: [{ timeUnixNano: '1' }] } },
                  { name: 'h', histogram: { dataPoints: [{ bucketCounts: ['1', '2'] }] } },
                ],
              },
            ],
          },
        ],
      },
    ],
  ])('%s in JSON: %s counts them', async (path, name, body) => {
    const answer = await post(urlOf(path), JSON.stringify(body));
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      partialSuccess: {
        [name]: path === 'metrics' ? '2' : '1',
        errorMessage: expect.stringMatching(/./),
      },
    });
  });
});

const good = request('statuses', [[1, 'fixed64', second]]);
const json = '{"resourceLogs":[]}';

describe('the status of a body', () => {
  test('an accepted request is answered 200 in its own encoding', async () => {
    const binary = await post(urlOf('logs'), good);
    expect([binary.status, binary.headers.get('content-type'), binary.bytes.length]).toEqual([
      200,
      'application/x-protobuf',
      0,
    ]);
    const text = await post(urlOf('logs'), json, {
      'content-type': 'application/json; charset=utf-8',
    });
    expect([text.status, text.headers.get('content-type'), text.json]).toEqual([
      200,
      'application/json',
      {},
    ]);
  });

  test.each<[string, number, number, () => ReturnType<typeof post>]>([
    ['no key', 401, 16, () => post(urlOf('logs'), good, { authorization: '' })],
    ['a wrong key', 401, 16, () => post(urlOf('logs'), good, { authorization: 'Bearer nonsense' })],
    [
      'Basic credentials',
      401,
      16,
      () => post(urlOf('logs'), good, { authorization: 'Basic dGhlLWluZ2VzdGlvbi1rZXk6' }),
    ],
    ['an unknown path', 404, 12, () => post(urlOf('profiles'), good)],
    [
      'a body that is not protobuf',
      400,
      3,
      () => post(urlOf('logs'), Buffer.from('not protobuf at all')),
    ],
    [
      'a message that is cut short',
      400,
      3,
      () => post(urlOf('logs'), good.subarray(0, good.length - 3)),
    ],
    [
      'a body that is not gzip',
      400,
      3,
      () => post(urlOf('logs'), good, { 'content-encoding': 'gzip' }),
    ],
    [
      'gzip that is cut short',
      400,
      3,
      () => post(urlOf('logs'), gzipSync(good).subarray(0, 12), { 'content-encoding': 'gzip' }),
    ],
    [
      'an unknown content encoding',
      415,
      3,
      () => post(urlOf('logs'), good, { 'content-encoding': 'br' }),
    ],
    ['a body that is too large', 413, 8, () => post(urlOf('logs'), Buffer.alloc(1_000_001))],
    [
      'a gzip bomb',
      413,
      8,
      () =>
        post(urlOf('logs'), gzipSync(Buffer.alloc(100_000_000)), { 'content-encoding': 'gzip' }),
    ],
  ])('%s is refused', async (_what, status, code, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
    expect(readNumberAndText(answer.bytes)).toMatchObject({
      number: code,
      text: expect.stringMatching(/./),
    });
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  test.each([
    ['not JSON', '{', /not JSON/],
    ['not an object', '[]', /must be an object/],
    [
      'a wrong type',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{"timeUnixNano":"soon"}]}]}]}',
      /resourceLogs\.0\.scopeLogs\.0\.logRecords\.1\.timeUnixNano: must be a whole number/,
    ],
    [
      'an odd id',
      '{"resourceSpans":1,"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"xyz"}]}]}]}',
      /traceId: must be hexadecimal/,
    ],
    [
      'too large an integer',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":18446744073709551616}]}]}]}',
      /timeUnixNano: must be from 0 to 18446744073709551615/,
    ],
  ])('JSON with %s is a 400 that says so in JSON', async (_what, body, message) => {
    const answer = await post(urlOf('logs'), body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 3, message: expect.stringMatching(message) });
  });

  test('values nested without end are refused, in both encodings', async () => {
    let value: Field[] = text('core');
    for (let level = 0; level < 100; level++) {
      value = [[5, 'message', [[1, 'message', value]]]];
    }
    expect((await post(urlOf('logs'), request('deep', [[5, 'message', value]]))).status).toBe(400);
    const open = '{"arrayValue":{"values":[';
    const body = `${open.repeat(30_000)}${']}}'.repeat(30_000)}`;
    const deep = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${body}}]}]}]}`;
    expect((await post(urlOf('logs'), deep)).status).toBe(400);
    expect((await post(urlOf('logs'), '['.repeat(100_000))).status).toBe(400);
  });

  test('keys of object prototypes are unknown fields', async () => {
    expect(
      (
        await post(
          urlOf('logs'),
          '{"__proto__":{"resourceLogs":[]},"constructor":1,"toString":"x","resourceLogs":null}',
        )
      ).json,
    ).toEqual({});
  });
});

describe('the status of a request', () => {
  test('another method is a 405 that names POST', async () => {
    const answer = await fetch(urlOf('logs'), { headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.headers.get('allow'), await answer.json()]).toEqual([
      405,
      'POST',
      { code: 12, message: expect.any(String) },
    ]);
  });

  test('another content type is a 415', async () => {
    const answer = await post(urlOf('logs'), good, { 'content-type': 'text/plain' });
    expect([answer.status, answer.json]).toEqual([
      415,
      { code: 3, message: expect.stringMatching(/application\/x-protobuf/) },
    ]);
    expect((await post(urlOf('logs'), good, { 'content-type': 'nonsense;;=' })).status).toBe(415);
  });

  test('a browser of an allowed origin may send, one of another origin may not', async () => {
    const ask = (origin: string) =>
      fetch(urlOf('logs'), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
    const allowed = await ask('https://shop.example');
    expect([
      allowed.status,
      allowed.headers.get('access-control-allow-origin'),
      allowed.headers.get('access-control-allow-headers'),
    ]).toEqual([204, 'https://shop.example', 'authorization,content-type']);
    expect(
      (await ask('https://other.example')).headers.get('access-control-allow-origin'),
    ).not.toBe('https://other.example');
    const sent = await post(urlOf('logs'), json, { origin: 'https://shop.example' });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://shop.example',
    ]);
  });
});

/** The one field of an Export…ServiceResponse: its partial success. */
function readNumberAndTextInside(response: Uint8Array): Uint8Array {
  expect(response[0]).toBe(0x0a);
  return response.subarray(response[1]! < 0x80 ? 2 : 3);
}
