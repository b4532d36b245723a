import avro from 'avsc';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  ResourcePatternTypes,
} from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { startSchemaRegistry } from '../kit/schema-registry.ts';
import { arrivedRows, columnsOf, pipeDrafts } from '../pipes/pipe-drafts.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const describeWithPeer = describe.skipIf(kafkaMissing());
const fast = { settings: { streaming_max_insert_wait_ms: 500 } };

let peer: KafkaPeer;
let world: PipeWorld;
beforeAll(async () => {
  [peer, world] = await Promise.all([startKafka(), pipeWorld({ connectors: createConnectors() })]);
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const drafts = pipeDrafts(() => world, 'kafka');
const send = (topic: string, ...values: (object | string | Buffer)[]) =>
  peer.producer.send({
    topic,
    messages: values.map((value) => ({
      value: typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
    })),
  });
const groups = async (): Promise<string[]> =>
  (await peer.admin.listGroups()).groups.map(({ groupId }) => groupId);
const issueOf = async (source: Record<string, unknown>) => {
  const { ok, steps, issues } = await drafts.check({ brokers: peer.plain, ...source });
  expect(ok).toBe(false);
  expect(steps.map((step) => step.ok)).toEqual(steps.map((_, index) => index < steps.length - 1));
  expect(issues).toHaveLength(1);
  return [steps.at(-1)?.step, issues[0]?.path, issues[0]?.reason];
};
const scram = () => ({
  brokers: peer.scram,
  caCertificate: peer.ca,
  authentication: 'SCRAM-SHA-512',
  credentials: peer.user,
});

describeWithPeer('a Kafka source that is checked', () => {
  it('names the steps that work, with topics and without', async () => {
    await peer.createTopic('checked');
    expect(await drafts.check({ brokers: peer.plain, topics: 'checked' })).toEqual({
      ok: true,
      issues: [],
      steps: ['connect', 'find', 'read'].map((step) => ({ step, ok: true })),
    });
    expect((await drafts.check(scram())).steps).toEqual([{ step: 'connect', ok: true }]);
  });

  it('names the step, the field and the reason that fail', async () => {
    const wrong = { username: 'reader', password: 'wrong-one' };
    expect(await issueOf({ topics: 'nowhere' })).toEqual([
      'find',
      'source.kafka.topics',
      'not_found',
    ]);
    expect(await issueOf({ ...scram(), credentials: wrong })).toEqual([
      'connect',
      'source.kafka.credentials',
      'login_refused',
    ]);
    expect(await issueOf({ ...scram(), caCertificate: undefined })).toEqual([
      'connect',
      'source.kafka.caCertificate',
      'tls_refused',
    ]);
    expect(await issueOf({ ...scram(), brokers: peer.plain })).toEqual([
      'connect',
      'source.kafka.brokers',
      'tls_refused',
    ]);
    expect(await issueOf({ brokers: '127.0.0.1:9' })).toEqual([
      'connect',
      'source.kafka.brokers',
      'connection_failed',
    ]);
    expect(await issueOf({ brokers: 'no-such-host.invalid:9092' })).toEqual([
      'connect',
      'source.kafka.brokers',
      'host_not_found',
    ]);
    expect(world.logged.join('\n')).not.toContain('wrong-one');
  });

  it('names what the user may not read: a topic, or a consumer group', async () => {
    await Promise.all(['open', 'closed'].map((topic) => peer.createTopic(topic)));
    await peer.admin.createAcls({
      acl: (
        [
          [AclResourceTypes.TOPIC, 'closed'],
          [AclResourceTypes.GROUP, 'closed'],
          [AclResourceTypes.GROUP, 'pipes-'],
        ] as const
      ).map(([resourceType, resourceName]) => ({
        resourceType,
        resourceName,
        resourcePatternType:
          resourceName === 'pipes-' ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
        principal: 'User:somebody-else',
        host: '*',
        operation: AclOperationTypes.READ,
        permissionType: AclPermissionTypes.ALLOW,
      })),
    });
    const denied = async (rest: object) => {
      const { steps, issues } = await drafts.check({ ...scram(), ...rest });
      return [
        steps.at(-1)?.step,
        ...issues.flatMap(({ path, reason, message }) => [path, reason, message]),
      ];
    };
    expect(await denied({ topics: 'closed', consumerGroup: 'open' })).toEqual([
      'find',
      'source.kafka.topics',
      'not_permitted',
      'the user is not allowed to read one of the topics (closed). Grant it Read and Describe on the topics.',
    ]);
    expect(await denied({ topics: 'open', consumerGroup: 'closed' })).toEqual([
      'read',
      'source.kafka.consumerGroup',
      'not_permitted',
      'the user is not allowed to use consumer group "closed". Grant it Read on the group, or change consumerGroup.',
    ]);
    expect(await denied({ topics: 'open' })).toEqual([
      'read',
      'source.kafka.consumerGroup',
      'not_permitted',
      expect.stringMatching(
        /groups whose names start with "pipes-"\. Grant it Read on them, or set/,
      ),
    ]);
    expect((await drafts.check({ ...scram(), topics: 'open', consumerGroup: 'open' })).ok).toBe(
      true,
    );
    expect((await drafts.list(scram())).items.map(({ id }) => id)).not.toContain('closed');
  });

  it('includes the schema registry', async () => {
    const user = { username: 'reg', password: 'registry-secret' };
    const registry = await startSchemaRegistry(user);
    const source = (credentials: object) => ({
      schemaRegistry: { url: registry.url, credentials },
    });
    expect((await drafts.check({ brokers: peer.plain, ...source(user) })).steps).toEqual([
      { step: 'connect', ok: true },
      { step: 'registry', ok: true },
    ]);
    expect(await issueOf(source({ ...user, password: 'other-secret' }))).toEqual([
      'registry',
      'source.kafka.schemaRegistry.credentials',
      'login_refused',
    ]);
    await registry.close();
    expect(await issueOf(source(user))).toEqual([
      'registry',
      'source.kafka.schemaRegistry.url',
      'connection_failed',
    ]);
    expect(world.logged.join('\n')).not.toMatch(/registry-secret|other-secret/);
  });
});

describeWithPeer('a Kafka source that is explored', () => {
  it('lists its topics, without those of the broker itself', async () => {
    await peer.createTopic('listed_b', 3);
    await peer.createTopic('listed_a');
    const { kind, items, hasMore, ok } = await drafts.list({ brokers: peer.plain });
    expect([kind, hasMore, ok]).toEqual(['topics', false, true]);
    expect(items.filter(({ id }) => id.startsWith('listed'))).toEqual([
      { id: 'listed_a', partitions: 1 },
      { id: 'listed_b', partitions: 3 },
    ]);
    expect(items.filter(({ id }) => id.startsWith('__'))).toEqual([]);
    expect((await drafts.look({ brokers: peer.plain }, 'nowhere')).issues).toEqual([
      expect.objectContaining({ path: 'item', reason: 'not_found' }),
    ]);
  });

  it('shows records and proposes columns with which a pipe stores the topic as it is', async () => {
    await peer.createTopic('found', 2);
    await send(
      'found',
      {
        id: 1,
        'http.status': 200,
        user: { name: 'Zoë', tags: ['a'] },
        at: '2026-03-14T09:26:53.589Z',
        amount: '9.90',
        note: null,
        items: [{ sku: 1 }],
        mixed: 1,
      },
      {
        id: 2,
        'http.status': 404,
        user: { name: 'Al', tags: [] },
        at: '2026-03-14T09:26:54Z',
        amount: '0.05',
        note: 'x',
        items: [],
        mixed: 'two',
      },
    );
    const before = await groups();
    const found = await drafts.look({ brokers: peer.plain }, 'found');
    expect(found.records).toHaveLength(2);
    expect(found.records?.map(({ isCut, problem }) => [isCut, problem])).toEqual([
      [false, undefined],
      [false, undefined],
    ]);
    expect(columnsOf(found)).toEqual({
      id: 'Int64',
      http_status: 'Int64',
      user_name: 'String',
      user_tags: 'Array(String)',
      at: "DateTime64(3, 'UTC')",
      amount: 'Decimal(38, 2)',
      note: 'Nullable(String)',
      items: 'Array(String)',
      mixed: 'String',
    });
    expect(await groups()).toEqual(before);
    await drafts.create({ brokers: peer.plain }, found, fast);
    expect(await arrivedRows(world, 'found', 2)).toEqual([
      {
        id: '1',
        http_status: '200',
        user_name: 'Zoë',
        user_tags: ['a'],
        at: '2026-03-14 09:26:53.589',
        amount: '9.9',
        note: null,
        items: ['{"sku":1}'],
        mixed: '1',
      },
      {
        id: '2',
        http_status: '404',
        user_name: 'Al',
        user_tags: [],
        at: '2026-03-14 09:26:54.000',
        amount: '0.05',
        note: 'x',
        items: [],
        mixed: 'two',
      },
    ]);
  });

  it('reads the newest records of a large topic, cuts long ones, and marks those that are none', async () => {
    await peer.createTopic('large');
    await send('large', ...Array.from({ length: 500 }, (_, n) => ({ old: n })));
    await send('large', 'no JSON', { text: '🙂'.repeat(3000) });
    const { records = [] } = await drafts.look(
      { brokers: peer.plain, offset: { strategy: 'from_latest' } },
      'large',
    );
    expect(records).toHaveLength(10);
    expect(records[0]?.position).toBe('large/0 402');
    await peer.createTopic('odd');
    await send('odd', 'no JSON', { text: '🙂'.repeat(3000) });
    const odd = await drafts.look({ brokers: peer.plain }, 'odd');
    expect(odd.records?.map(({ data, isCut, problem }) => [data.length, isCut, problem])).toEqual([
      [7, false, 'the record is not a JSON object'],
      [4095, true, undefined],
    ]);
    expect(columnsOf(odd)).toEqual({ text: 'String' });
  });

  it('proposes nothing for a topic without records', async () => {
    await peer.createTopic('empty');
    const { ok, items, records, proposal } = await drafts.look({ brokers: peer.plain }, 'empty');
    expect([ok, items, records, proposal]).toEqual([
      true,
      [{ id: 'empty', partitions: 1 }],
      [],
      undefined,
    ]);
  });
});

describeWithPeer('a Kafka source with schemas or a group', () => {
  it('is explored by the schema registry, and loaded as it is', async () => {
    const registry = await startSchemaRegistry();
    const schema: avro.Schema = {
      type: 'record',
      name: 'Order',
      fields: [
        { name: 'id', type: 'long' },
        { name: 'note', type: ['null', 'string'] },
        { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
        { name: 'pieces', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 0 } },
        { name: 'day', type: { type: 'int', logicalType: 'date' } },
        { name: 'at', type: { type: 'long', logicalType: 'timestamp-micros' } },
        { name: 'code', type: { type: 'string', logicalType: 'uuid' } },
        { name: 'state', type: { type: 'enum', name: 'State', symbols: ['new', 'paid'] } },
        { name: 'labels', type: { type: 'map', values: 'string' } },
        {
          name: 'lines',
          type: {
            type: 'array',
            items: { type: 'record', name: 'Line', fields: [{ name: 'sku', type: 'int' }] },
          },
        },
      ],
    };
    const type = avro.Type.forSchema(schema);
    const schemaId = await registry.register('avro-value', JSON.stringify(schema));
    const order = {
      id: 7,
      note: null,
      price: Buffer.from([0x03, 0xde]),
      pieces: Buffer.from([12]),
      day: 20_526,
      at: 1_773_480_413_589_123,
      code: '8f14e45f-ceea-467a-9575-28c0b6d3a1f0',
      state: 'paid',
      labels: { region: 'eu' },
      lines: [{ sku: 1 }],
    };
    const header = Buffer.alloc(5);
    header.writeInt32BE(schemaId, 1);
    await peer.createTopic('avro');
    await send('avro', Buffer.concat([header, type.toBuffer(order)]), 'not Avro');
    const source = { brokers: peer.plain, schemaRegistry: { url: registry.url } };
    const found = await drafts.look(source, 'avro');
    expect(found.records?.map(({ data, problem }) => [data, problem])).toEqual([
      [expect.stringMatching(/^{"id":7,"note":null,"price":"9.90",/), undefined],
      ['not Avro', 'the record does not start with a schema id'],
    ]);
    expect(columnsOf(found)).toEqual({
      id: 'Int64',
      note: 'Nullable(String)',
      price: 'Decimal(38, 2)',
      pieces: 'String',
      day: 'Date32',
      at: "DateTime64(6, 'UTC')",
      code: 'UUID',
      state: 'String',
      labels_region: 'String',
      lines: 'Array(String)',
    });
    await drafts.create(source, found, fast);
    expect(await arrivedRows(world, 'avro', 1)).toEqual([
      {
        id: '7',
        note: null,
        price: '9.9',
        pieces: '12',
        day: '2026-03-14',
        at: '2026-03-14 09:26:53.589123',
        code: order.code,
        state: 'paid',
        labels_region: 'eu',
        lines: ['{"sku":1}'],
      },
    ]);
    await registry.close();
  });

  it('leaves neither a group nor an offset at the broker', async () => {
    await peer.createTopic('untouched');
    await send('untouched', { a: 1 });
    const before = await groups();
    await drafts.check({ brokers: peer.plain, topics: 'untouched', consumerGroup: 'mine' });
    await drafts.list({ brokers: peer.plain });
    await drafts.look({ brokers: peer.plain, consumerGroup: 'mine' }, 'untouched');
    expect(await groups()).toEqual(before);
    expect(before).not.toContain('mine');
  });
});
