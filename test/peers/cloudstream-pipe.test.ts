import { DescribeStreamSummaryCommand, ListStreamConsumersCommand } from '@aws-sdk/client-kinesis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const fast = { streaming_max_insert_wait_ms: 500 };

let peer: KinesisPeer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startKinesis();
  world = await pipeWorld({ connectors: createConnectors({ endpoint: peer.endpoint }) });
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const body = (streamName: string, source: object = {}, rest: object = {}) => ({
  source: {
    cloudstream: {
      streamName,
      region: testRegion,
      accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a very secret key' },
      ...source,
    },
  },
  destination: {
    database: 'shop',
    table: streamName,
    columns,
    tableDefinition: { sortingKey: ['id'] },
  },
  settings: fast,
  ...rest,
});
const count = async (table: string): Promise<number> =>
  Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);

describe('a cloudstream pipe and its shards', () => {
  it('stores what was put, with every digit and escape, from every shard', async () => {
    await peer.createStream('plain', 3);
    const pipe = await world.create(body('plain'));
    await peer.put(
      'plain',
      Array.from({ length: 1000 }, (_, index) => ({
        key: `key ${index % 50}`,
        data: `{"id":${18446744073709550000n + BigInt(index)},"text":"line\\n${index} ü"}`,
      })),
    );
    await until('all rows', async () => (await count('plain')) === 1000);
    expect(
      (
        await world.rows(
          sql`SELECT toString(min(id)), toString(max(id)), countIf(text LIKE 'line\n% ü') FROM shop.plain`,
        )
      )[0],
    ).toEqual(['18446744073709550000', '18446744073709550999', '1000']);
    expect((await world.get(pipe.id)).state).toBe('Running');
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 1000, errors: 0, lag: 0 });
    expect(world.logged.join('\n')).not.toContain('a very secret key');
  });

  it.each([1, 2])(
    'keeps the order of each key across splits and merges under load, and stores every record once (readers: %i)',
    async (replicas) => {
      const stream = `reshard_${replicas}`;
      await peer.createStream(stream, 1);
      const keyed = [
        ...columns,
        { name: 'key', type: 'String' },
        { name: 'shard', type: 'String' },
      ];
      await world.create({
        ...body(stream),
        scaling: { replicas },
        destination: {
          database: 'shop',
          table: stream,
          columns: keyed,
          tableDefinition: { sortingKey: ['id'] },
        },
        fieldMappings: [
          ['id', 'id'],
          ['text', 'text'],
          ['_key', 'key'],
          ['_shard', 'shard'],
        ].map(([sourceField, destinationField]) => ({ sourceField, destinationField })),
      });
      let produced = 0;
      const seen = new Map<string, number>();
      const put = async (): Promise<void> => {
        await peer.put(
          stream,
          Array.from({ length: 400 }, () => ({
            key: `key ${produced % 20}`,
            data: JSON.stringify({ id: produced++, text: '' }),
          })),
        );
      };
      const open = async () =>
        (await peer.shards(stream))
          .filter(
            ({ SequenceNumberRange }) => SequenceNumberRange?.EndingSequenceNumber === undefined,
          )
          .map(({ ShardId }) => ShardId!);
      // A child's first record of a key is in the table only when its parent's last one is.
      const inOrder = async (): Promise<void> => {
        for (const [key, most, many] of await world.rows(
          sql`SELECT key, toString(max(intDiv(id, 20))), toString(count())
            FROM ${qualified('shop', stream)} GROUP BY key`,
        )) {
          expect(Number(many)).toBe(Number(most) + 1);
          expect(Number(many)).toBeGreaterThanOrEqual(seen.get(String(key)) ?? 0);
          seen.set(String(key), Number(many));
        }
      };
      await put();
      await peer.split(stream, (await open())[0]!);
      await put();
      const [first, second] = await open();
      await peer.merge(stream, first!, second!);
      await put();
      await peer.split(stream, (await open())[0]!);
      await put();
      await until(
        'all rows',
        async () => {
          const rows = await count(stream);
          if (rows > 0) {
            await inOrder();
          }
          return rows === produced;
        },
        120_000,
      );
      const [row] = await world.rows(
        sql`SELECT toString(uniqExact(id)), toString(uniqExact(shard)) FROM ${qualified('shop', stream)}`,
      );
      expect(row).toEqual([String(produced), '6']);
    },
  );

  it('reads a shard that closes to its end, then its children, and removes its consumer with the pipe', async () => {
    await peer.createStream('pushed', 1);
    const pipe = await world.create(body('pushed', { useEnhancedFanOut: true }));
    await peer.put('pushed', [{ key: 'k', data: '{"id":0}' }]);
    await until('the first row', async () => (await count('pushed')) === 1);
    expect(peer.callCounts.get('SubscribeToShard') ?? 0).toBeGreaterThan(0);
    await peer.put(
      'pushed',
      [1, 2].map((id) => ({ key: `k${id}`, data: `{"id":${id}}` })),
    );
    await peer.split('pushed', 'shardId-000000000000');
    await peer.put(
      'pushed',
      [3, 4, 5].map((id) => ({ key: `k${id}`, data: `{"id":${id}}` })),
    );
    await until('all rows', async () => (await count('pushed')) === 6);
    expect(
      (await world.rows(sql`SELECT toString(groupArraySorted(10)(id)) FROM shop.pushed`))[0],
    ).toEqual(['[0,1,2,3,4,5]']);
    const { StreamDescriptionSummary: stream } = await peer.client.send(
      new DescribeStreamSummaryCommand({ StreamName: 'pushed' }),
    );
    const consumers = async () =>
      (await peer.client.send(new ListStreamConsumersCommand({ StreamARN: stream!.StreamARN })))
        .Consumers ?? [];
    expect((await consumers()).map(({ ConsumerName }) => ConsumerName)).toEqual([
      `sightline-${pipe.id}`,
    ]);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await until('no consumer', async () => (await consumers()).length === 0);
  });
});

describe('a cloudstream pipe and where it begins', () => {
  it('begins at a moment, and fills the virtual fields', async () => {
    await peer.createStream('moments', 1);
    await peer.put('moments', [{ key: 'early', data: '{"id":1}' }]);
    const { ApproximateArrivalTimestamp: early } = (await peer.read('moments'))[0]!;
    await until('a later second', () => Promise.resolve(Date.now() > early!.getTime() + 2000));
    const timestamp = Math.floor(early!.getTime() / 1000) + 1;
    await peer.put('moments', [{ key: 'late', data: '{"id":2}' }]);
    const names = ['_stream', '_shard', '_sequence_number', '_key', '_raw_message'];
    await world.create({
      ...body('moments', { timestamp }),
      destination: {
        database: 'shop',
        table: 'moments',
        columns: [
          { name: 'at', type: "DateTime64(3, 'UTC')" },
          ...names.map((name) => ({ name: name.slice(1), type: 'String' })),
        ],
        tableDefinition: {},
      },
      fieldMappings: [['_timestamp', 'at'], ...names.map((name) => [name, name.slice(1)])].map(
        ([sourceField, destinationField]) => ({ sourceField, destinationField }),
      ),
    });
    await until('the late row', async () => (await count('moments')) === 1);
    const late = (await peer.read('moments'))[1]!;
    const [row] = await world.rows(
      sql`SELECT stream, shard, sequence_number, key, raw_message, toString(toUnixTimestamp64Milli(at))
        FROM shop.moments`,
    );
    expect(row).toEqual([
      'moments',
      'shardId-000000000000',
      late.SequenceNumber,
      'late',
      '{"id":2}',
      String(late.ApproximateArrivalTimestamp!.getTime()),
    ]);
  });

  it.each([
    ['polled', {}],
    ['with enhanced fan-out', { useEnhancedFanOut: true }],
  ])(
    'from the newest record on reads what came while it was stopped, and nothing twice (%s)',
    async (title, source) => {
      const stream = title === 'polled' ? 'newest' : 'newest_pushed';
      await peer.createStream(stream, 1);
      await peer.put(stream, [{ key: 'k', data: '{"id":0}' }]);
      const pipe = await world.create(body(stream, { iteratorType: 'LATEST', ...source }));
      await until(
        'a stored beginning',
        async () =>
          (await world.store.pipes.partitions(world.principal.workspace.id, pipe.id))[0]
            ?.position ?? false,
      );
      await peer.put(stream, [{ key: 'k', data: '{"id":1}' }]);
      await until('the first row', async () => (await count(stream)) === 1);
      const state = (command: string) =>
        world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command } });
      await state('stop');
      await until('the stop', async () => (await world.get(pipe.id)).state === 'Stopped');
      await peer.split(stream, 'shardId-000000000000');
      await peer.put(
        stream,
        [2, 3, 4].map((id) => ({ key: `k${id}`, data: `{"id":${id}}` })),
      );
      await state('start');
      await until('what came meanwhile', async () => (await count(stream)) === 4);
      expect(
        (
          await world.rows(
            sql`SELECT toString(groupArraySorted(10)(id)) FROM ${qualified('shop', stream)}`,
          )
        )[0],
      ).toEqual(['[1,2,3,4]']);
    },
  );
});

describe('a cloudstream pipe and faults of the service', () => {
  it('goes on when it is throttled, when iterators expire and when the service fails', async () => {
    await peer.createStream('weather', 2);
    const answers = [
      'ProvisionedThroughputExceededException',
      'ExpiredIteratorException',
      'LimitExceededException',
      'ExpiredIteratorException',
      'InternalFailure',
    ];
    let calls = 0;
    peer.interfere((operation, { StreamName, ShardIterator }) => {
      if (operation === 'ListShards' && StreamName === 'weather' && calls === 0) {
        return { status: 400, type: answers[calls++]! };
      }
      if (
        operation !== 'GetRecords' ||
        ShardIterator === undefined ||
        calls >= 40 ||
        calls++ % 2 === 0
      ) {
        return undefined;
      }
      const type = answers[calls % answers.length]!;
      return { status: type === 'InternalFailure' ? 500 : 400, type };
    });
    const pipe = await world.create(body('weather'));
    for (let round = 0; round < 5; round++) {
      await peer.put(
        'weather',
        Array.from({ length: 100 }, (_, index) => ({
          key: `key ${index}`,
          data: `{"id":${round * 100 + index},"text":"x"}`,
        })),
      );
    }
    await until('all rows', async () => (await count('weather')) === 500);
    await until('the bad weather to be over', () => Promise.resolve(calls >= 40));
    peer.interfere(undefined);
    expect(
      (
        await world.rows(sql`SELECT toString(uniqExact(id)), toString(count()) FROM shop.weather`)
      )[0],
    ).toEqual(['500', '500']);
    expect((await world.get(pipe.id)).state).toBe('Running');
  });

  it('polls where the endpoint knows no enhanced fan-out, and says so in the log', async () => {
    await peer.createStream('plainer', 1);
    const before = peer.callCounts.get('SubscribeToShard') ?? 0;
    peer.interfere((operation) =>
      operation.endsWith('Consumer')
        ? { status: 400, type: 'UnknownOperationException' }
        : undefined,
    );
    try {
      await world.create(body('plainer', { useEnhancedFanOut: true }));
      await peer.put('plainer', [{ key: 'k', data: '{"id":7}' }]);
      await until('the row', async () => (await count('plainer')) === 1);
    } finally {
      peer.interfere(undefined);
    }
    expect(peer.callCounts.get('SubscribeToShard') ?? 0).toBe(before);
    expect(
      world.logged.filter((line) => line.includes('does not support enhanced fan-out')),
    ).toHaveLength(1);
  });

  it('fails with a reason that says what to do when the stream is gone', async () => {
    const pipe = await world.create(body('nowhere'));
    const failed = await until('the failure', async () => {
      const now = await world.get(pipe.id);
      return now.state === 'Failed' && now;
    });
    expect(failed.stateMessage).toBe(
      'stream "nowhere" does not exist in us-east-1. Check streamName and region.',
    );
  });
});
