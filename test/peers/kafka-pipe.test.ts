import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import avro from 'avsc';
import { CompressionTypes } from 'kafkajs';
import protobuf from 'protobufjs';
import { qualified, sql } from '../../src/sql/sql.ts';
import { makeCertificates } from '../kit/certificates.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { startSchemaRegistry } from '../kit/schema-registry.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
  { name: 'at', type: "DateTime64(3, 'UTC')" },
];
const fast = { streaming_max_insert_wait_ms: 500 };

const describeWithPeer = describe.skipIf(kafkaMissing());

let peer: KafkaPeer;
let world: PipeWorld;
beforeAll(async () => {
  [peer, world] = await Promise.all([startKafka(), pipeWorld()]);
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const body = (topic: string, source: object = {}, rest: object = {}) => ({
  source: { kafka: { brokers: peer.plain, topics: topic, ...source } },
  destination: {
    database: 'shop',
    table: topic,
    columns,
    tableDefinition: { sortingKey: ['id'] },
  },
  settings: fast,
  ...rest,
});
const count = async (table: string): Promise<number> =>
  Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);
const stringColumns = (...names: string[]) => names.map((name) => ({ name, type: 'String' }));
const rowsOf = (table: string) =>
  world.rows(sql`SELECT * FROM ${qualified('shop', table)} ORDER BY ALL`);

describeWithPeer('a Kafka pipe and its records', () => {
  it('stores what was produced, with every digit, dates and escapes', async () => {
    await peer.createTopic('plain', 3);
    const pipe = await world.create(body('plain'));
    await peer.producer.send({
      topic: 'plain',
      messages: Array.from({ length: 1000 }, (_, index) => ({
        value:
          `{"id":${18446744073709550000n + BigInt(index)},"text":"line\\n${index} ü",` +
          '"at":"2026-03-14T09:26:53.589Z","more":1}',
      })),
    });
    await until('all rows', async () => (await count('plain')) === 1000);
    expect(
      (
        await world.rows(
          sql`SELECT toString(min(id)), toString(max(id)), any(at), countIf(text LIKE 'line\n% ü') FROM shop.plain`,
        )
      )[0],
    ).toEqual(['18446744073709550000', '18446744073709550999', '2026-03-14 09:26:53.589', '1000']);
    expect((await world.get(pipe.id)).state).toBe('Running');
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 1000, errors: 0, lag: 0 });
  });

  it.each(['GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const)('reads %s', async (codec) => {
    const topic = `codec_${codec.toLowerCase()}`;
    await peer.createTopic(topic);
    await world.create(body(topic));
    await peer.producer.send({
      topic,
      compression: CompressionTypes[codec],
      messages: Array.from({ length: 500 }, (_, id) => ({
        value: JSON.stringify({ id, text: 'x'.repeat(200), at: 1_700_000_000 }),
      })),
    });
    await until('all rows', async () => (await count(topic)) === 500);
  });

  it.each([
    ['from_beginning', ['1', '2', '3']],
    ['from_latest', ['3']],
    ['from_timestamp', ['2', '3']],
  ] as const)('begins %s', async (strategy, expected) => {
    const topic = `start_${strategy}`;
    await peer.createTopic(topic, 1, { 'retention.ms': '-1' });
    const send = (id: number, timestamp: string): Promise<unknown> =>
      peer.producer.send({
        topic,
        messages: [{ value: `{"id":${id},"text":"","at":1}`, timestamp }],
      });
    await send(1, String(Date.parse('2026-01-01T00:00:00Z')));
    await send(2, String(Date.parse('2026-01-01T00:05:00Z')));
    const pipe = await world.create(
      body(topic, {
        offset: {
          strategy,
          ...(strategy === 'from_timestamp' ? { timestamp: '2026-01-01T00:03' } : {}),
        },
      }),
    );
    await until(
      'a first position',
      async () => (await world.metrics(pipe.id)).checkpoint[0]?.position != null,
    );
    await send(3, String(Date.parse('2026-01-01T00:10:00Z')));
    await until('rows', async () => (await count(topic)) === expected.length);
    expect(
      (
        await world.rows(sql`SELECT toString(id) FROM ${qualified('shop', topic)} ORDER BY id`)
      ).flat(),
    ).toEqual(expected);
  });

  it('leaves out what a transaction took back, and stores what it committed', async () => {
    await peer.createTopic('transactions');
    const producer = peer.kafka.producer({
      transactionalId: 'test',
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    for (const [id, keep] of [
      [1, true],
      [2, false],
      [3, true],
    ] as const) {
      const transaction = await producer.transaction();
      await transaction.send({
        topic: 'transactions',
        messages: [{ value: `{"id":${id},"text":"","at":1}` }],
      });
      await (keep ? transaction.commit() : transaction.abort());
    }
    await producer.disconnect();
    await world.create(body('transactions'));
    await until('rows', async () => (await count('transactions')) === 2);
    expect(
      (await world.rows(sql`SELECT toString(id) FROM shop.transactions ORDER BY id`)).flat(),
    ).toEqual(['1', '3']);
  });

  it('maps keys, headers, topic and place; a tombstone is a row of its key', async () => {
    await peer.createTopic('virtual');
    await peer.producer.send({
      topic: 'virtual',
      messages: [
        { key: 'k1', value: '{"v":"x"}', headers: { trace: 'abc' } },
        { key: 'k2', value: null },
      ],
    });
    const fields = { k: '_key', h: '_headers', t: '_topic', p: '_partition', o: '_offset', v: 'v' };
    await world.create(
      body(
        'virtual',
        {},
        {
          destination: {
            database: 'shop',
            table: 'virtual',
            columns: [
              { name: 'o', type: 'UInt64' },
              { name: 'h', type: 'Map(String, String)' },
              { name: 'p', type: 'UInt8' },
              ...stringColumns('k', 't', 'v'),
            ],
          },
          fieldMappings: Object.entries(fields).map(([destinationField, sourceField]) => ({
            sourceField,
            destinationField,
          })),
        },
      ),
    );
    await until('rows', async () => (await count('virtual')) === 2);
    expect(await rowsOf('virtual')).toEqual([
      ['0', { trace: 'abc' }, 0, 'k1', 'virtual', 'x'],
      ['1', {}, 0, 'k2', 'virtual', ''],
    ]);
  });
});

describeWithPeer('a Kafka pipe and its access to the broker', () => {
  it.each([
    [
      'PLAIN over TLS',
      () => ({ brokers: peer.scram, caCertificate: peer.ca, credentials: peer.user }),
    ],
    [
      'SCRAM-SHA-256 over TLS',
      () => ({
        brokers: peer.scram,
        caCertificate: peer.ca,
        authentication: 'SCRAM-SHA-256',
        credentials: peer.user,
      }),
    ],
    [
      'SCRAM-SHA-512 over TLS',
      () => ({
        brokers: peer.scram,
        caCertificate: peer.ca,
        authentication: 'SCRAM-SHA-512',
        credentials: peer.user,
      }),
    ],
    [
      'a client certificate',
      () => ({
        brokers: peer.mutual,
        caCertificate: peer.ca,
        authentication: 'MUTUAL_TLS',
        credentials: peer.client,
      }),
    ],
  ] as const)('reads with %s, and never tells the secret', async (title, source) => {
    const topic = `auth_${title.replaceAll(/\W/g, '_')}`;
    await peer.createTopic(topic);
    await peer.producer.send({ topic, messages: [{ value: '{"id":1,"text":"a","at":1}' }] });
    const pipe = await world.create(body(topic, source()));
    await until('the row', async () => (await count(topic)) === 1);
    const output = JSON.stringify([
      pipe,
      await world.get(pipe.id),
      await world.call('listPipes'),
      await world.metrics(pipe.id),
      world.logged,
      world.pipes.figures(),
    ]);
    for (const secret of [
      peer.user.password,
      peer.client.privateKey.slice(40, 100),
      JSON.stringify(peer.client.privateKey).slice(60, 120),
    ]) {
      expect(output).not.toContain(secret);
    }
  });

  it('fails with the reason when the password is wrong, and resumes once it is corrected', async () => {
    await peer.createTopic('rights');
    await peer.producer.send({
      topic: 'rights',
      messages: [{ value: '{"id":1,"text":"a","at":1}' }],
    });
    const scram = { brokers: peer.scram, caCertificate: peer.ca, authentication: 'SCRAM-SHA-512' };
    const pipe = await world.create(
      body('rights', { ...scram, credentials: { username: 'reader', password: 'wrong-one' } }),
    );
    await until('Failed', async () => (await world.get(pipe.id)).state === 'Failed');
    expect((await world.get(pipe.id)).stateMessage).toMatch(
      /rejected the credentials \(SCRAM-SHA-512\)/,
    );
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: { source: { kafka: { credentials: peer.user } } },
    });
    await until('the row', async () => (await count('rights')) === 1);
    expect(JSON.stringify(world.logged)).not.toContain('wrong-one');
  });

  it('fails naming what is not trusted, not there, or not to be reached', async () => {
    await peer.createTopic('trust');
    const cases = [
      [
        { brokers: peer.scram, authentication: 'SCRAM-SHA-512', credentials: peer.user },
        /not trusted/,
      ],
      [{ topics: 'nowhere' }, /\(nowhere\) does not exist/],
    ] as const;
    for (const [source, reason] of cases) {
      const pipe = await world.create(body('trust', source));
      await until('Failed', async () => (await world.get(pipe.id)).state === 'Failed');
      expect((await world.get(pipe.id)).stateMessage).toMatch(reason);
    }
    await expect(world.create(body('trust', { brokers: '10.0.0.1:9092' }))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^source\.kafka\.brokers: 10\.0\.0\.1 is a .*private/),
    });
  });

  it('checks samples before anything is stored, and says which record and why', async () => {
    await peer.createTopic('samples');
    await peer.producer.send({
      topic: 'samples',
      messages: [{ value: '{"id":1,"text":"a","at":1}' }, { value: '{"id":"one"}' }],
    });
    const refused = {
      ...body('samples'),
      source: { kafka: { brokers: peer.plain, topics: 'samples' }, validateSamples: true },
    };
    await expect(world.create(refused)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^source\.kafka: the record at 1 cannot be stored/),
    });
    expect(await world.telemetry.columns('shop', 'samples')).toEqual([]);
    await expect(
      world.create({
        ...refused,
        source: { kafka: { brokers: peer.plain, topics: 'gone' }, validateSamples: true },
      }),
    ).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/\(gone\) does not exist/),
    });
  });
});

describeWithPeer('a Kafka pipe and its schema registry', () => {
  it('reads Avro by the schema registry, with long integers, logical types and unions', async () => {
    const user = { username: 'r', password: 'registry-secret' };
    const registry = await startSchemaRegistry(user);
    try {
      const schema = {
        type: 'record',
        name: 'Order',
        fields: [
          { name: 'id', type: 'long' },
          { name: 'note', type: ['null', 'string'] },
          { name: 'at', type: { type: 'long', logicalType: 'timestamp-micros' } },
          {
            name: 'price',
            type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 },
          },
        ],
      };
      const id = await registry.register('orders-value', JSON.stringify(schema));
      const plain = avro.Type.forSchema({
        ...schema,
        fields: [schema.fields[1], { name: 'at', type: 'long' }, { name: 'price', type: 'bytes' }],
      } as never);
      // 2^63 - 1, zig-zag: a number that JavaScript's own cannot hold.
      const largest = Buffer.from([0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
      const value = (text: string | null, price: number[]): Buffer =>
        Buffer.concat([
          Buffer.from([0, 0, 0, 0, id]),
          largest,
          plain.toBuffer({ note: text, at: 1_700_000_000_123_456, price: Buffer.from(price) }),
        ]);
      await peer.createTopic('avro');
      await peer.producer.send({
        topic: 'avro',
        messages: [
          { value: value('hi', [0x30, 0x39]) },
          { value: value(null, [0xff]) },
          { value: Buffer.from('no header') },
          { value: Buffer.from([0, 0, 0, 0, 99, 1]) },
        ],
      });
      await world.create(
        body(
          'avro',
          { schemaRegistry: { url: registry.url, credentials: user } },
          {
            destination: {
              database: 'shop',
              table: 'avro',
              columns: [
                { name: 'price', type: 'Decimal(9, 2)' },
                { name: 'id', type: 'Int64' },
                { name: 'note', type: 'Nullable(String)' },
                { name: 'at', type: "DateTime64(6, 'UTC')" },
              ],
            },
          },
        ),
      );
      await until(
        'rows',
        async () => (await count('avro')) === 2 && (await count('avro_pipe_errors')) === 2,
      );
      expect(
        await world.rows(
          sql`SELECT toString(price), id, note, toString(at) FROM shop.avro ORDER BY price`,
        ),
      ).toEqual([
        ['-0.01', '9223372036854775807', null, '2023-11-14 22:13:20.123456'],
        ['123.45', '9223372036854775807', 'hi', '2023-11-14 22:13:20.123456'],
      ]);
      expect(
        (await world.rows(sql`SELECT reason FROM shop.avro_pipe_errors ORDER BY position`)).flat(),
      ).toEqual([
        'the record does not start with a schema id',
        'the schema registry has no schema 99',
      ]);
    } finally {
      await registry.close();
    }
  });

  it('reads Protobuf by the schema registry, references and nested message types included', async () => {
    const registry = await startSchemaRegistry();
    try {
      await registry.register(
        'place',
        'syntax = "proto3"; package shop; message Place { string city = 1; }',
        { schemaType: 'PROTOBUF' },
      );
      const text =
        'syntax = "proto3"; package shop; import "place.proto"; ' +
        'message Other { int32 a = 1; } message Order { uint64 id = 1; Place place = 2; }';
      const id = await registry.register('orders', text, {
        schemaType: 'PROTOBUF',
        references: [{ name: 'place.proto', subject: 'place', version: 1 }],
      });
      const type = protobuf
        .parse(
          'syntax = "proto3"; message Place { string city = 1; } message Order { uint64 id = 1; Place place = 2; }',
          { keepCase: true },
        )
        .root.lookupType('Order');
      const payload = type
        .encode(type.fromObject({ id: '18446744073709551615', place: { city: 'Ulm' } }))
        .finish();
      await peer.createTopic('protobuf');
      // The second message type of the schema: one index, 1, both as zig-zag numbers.
      await peer.producer.send({
        topic: 'protobuf',
        messages: [{ value: Buffer.concat([Buffer.from([0, 0, 0, 0, id, 2, 2]), payload]) }],
      });
      await world.create(
        body(
          'protobuf',
          { format: 'Protobuf', schemaRegistry: { url: registry.url } },
          {
            destination: {
              database: 'shop',
              table: 'protobuf',
              columns: [
                { name: 'id', type: 'UInt64' },
                { name: 'city', type: 'String' },
              ],
            },
            fieldMappings: [
              { sourceField: 'id', destinationField: 'id' },
              { sourceField: 'place.city', destinationField: 'city' },
            ],
          },
        ),
      );
      await until('rows', async () => (await count('protobuf')) === 1);
      expect(await rowsOf('protobuf')).toEqual([['18446744073709551615', 'Ulm']]);
    } finally {
      await registry.close();
    }
  });
});

describeWithPeer('a Kafka pipe whose registry refuses it', () => {
  it('stops at a registry that refuses it or is not trusted, says what to do, and resumes later', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-registry-'));
    const { ca, server } = makeCertificates(folder);
    const [before, after] = [
      { username: 'r', password: 'registry-before' },
      { username: 'r', password: 'registry-after' },
    ];
    const registry = await startSchemaRegistry(before, server);
    const failed = (id: string): Promise<string> =>
      until('Failed', async () => {
        const { state, stateMessage } = await world.get(id);
        return state === 'Failed' && (stateMessage ?? '');
      });
    try {
      const field = (name: string) =>
        ({ type: 'record', name: 'R', fields: [{ name, type: 'string' }] }) as avro.Schema;
      const value = async (name: string, text: string): Promise<Buffer> =>
        Buffer.concat([
          Buffer.from([0, 0, 0, 0, await registry.register('s', JSON.stringify(field(name)))]),
          avro.Type.forSchema(field(name)).toBuffer({ [name]: text }),
        ]);
      const [one, two, unknown] = [
        await value('text', 'one'),
        await value('text', 'two'),
        Buffer.from([0, 0, 0, 0, 99, 0]),
      ];
      await peer.createTopic('registry');
      await peer.producer.send({
        topic: 'registry',
        messages: [{ value: one }, ...Array.from({ length: 50 }, () => ({ value: unknown }))],
      });
      const into = (table: string) => ({
        destination: { database: 'shop', table, columns: stringColumns('text') },
      });
      const distrusting = await world.create(
        body(
          'registry',
          { schemaRegistry: { url: registry.url, credentials: before } },
          into('distrusted'),
        ),
      );
      expect(await failed(distrusting.id)).toBe(
        'the certificate of the schema registry is not trusted. ' +
          'Create a new pipe with the certificate of its CA as schemaRegistry.caCertificate.',
      );
      const pipe = await world.create(
        body(
          'registry',
          { schemaRegistry: { url: registry.url, credentials: before, caCertificate: ca } },
          into('registry'),
        ),
      );
      await until(
        'the first row and what no schema is known for',
        async () => (await count('registry')) === 1 && (await count('registry_pipe_errors')) === 50,
      );
      expect(registry.requests.filter((request) => request.endsWith('/99')).length).toBeLessThan(5);
      registry.acceptOnly(after);
      await peer.producer.send({ topic: 'registry', messages: [{ value: two }] });
      expect(await failed(pipe.id)).toMatch(
        /^the schema registry rejected schemaRegistry\.credentials\. Allow them at the registry and start the pipe/,
      );
      registry.acceptOnly(before);
      await world.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'stop' },
      });
      await world.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'start' },
      });
      await until('the second row', async () => (await count('registry')) === 2);
      expect([await rowsOf('registry'), await count('registry_pipe_errors')]).toEqual([
        [['one'], ['two']],
        50,
      ]);
      expect(JSON.stringify([await world.get(pipe.id), world.logged])).not.toMatch(
        /registry-before|registry-after/,
      );
    } finally {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describeWithPeer('a Kafka pipe without a registry', () => {
  it('reads Avro without a registry: each record is a whole file, and one that is none is refused alone', async () => {
    const schema = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'text', type: 'string' },
        { name: 'id', type: 'long' },
      ],
    } as avro.Schema;
    const file = (record: object, codec: string): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const encoder = new avro.streams.BlockEncoder(schema, { codec });
        const chunks: Buffer[] = [];
        encoder
          .on('data', (chunk: Buffer) => {
            chunks.push(chunk);
          })
          .on('end', () => {
            resolve(Buffer.concat(chunks));
          })
          .on('error', reject);
        encoder.end(record);
      });
    await peer.createTopic('files');
    await peer.producer.send({
      topic: 'files',
      messages: [
        { value: await file({ text: 'ü', id: 1 }, 'null') },
        { value: Buffer.from('{"id":2}') },
        { value: await file({ text: 'z', id: 3 }, 'deflate') },
      ],
    });
    await world.create(
      body(
        'files',
        { format: 'Avro' },
        {
          destination: {
            database: 'shop',
            table: 'files',
            columns: [{ name: 'id', type: 'UInt64' }, ...stringColumns('text')],
          },
        },
      ),
    );
    await until(
      'rows',
      async () => (await count('files')) === 2 && (await count('files_pipe_errors')) === 1,
    );
    expect(await rowsOf('files')).toEqual([
      ['1', 'ü'],
      ['3', 'z'],
    ]);
    expect(
      await world.rows(
        sql`SELECT reason, raw, toString(position), toString(toStartOfDay(time) >= today() - 1)
          FROM shop.files_pipe_errors`,
      ),
    ).toEqual([
      [
        'cannot decode the record: it is not an Avro object container file, and the pipe has no schema registry',
        '{"id":2}',
        '1',
        '1',
      ],
    ]);
    // What cannot be stored is kept for a week.
    expect(
      String(
        (
          await world.rows(
            sql`SELECT create_table_query FROM system.tables WHERE database = 'shop' AND name = 'files_pipe_errors'`,
          )
        )[0]?.[0],
      ),
    ).toMatch(/TTL toDateTime\(time\) \+ toIntervalDay\(7\)/);
  });
});
