import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kafkaConnector } from '../../src/adapters/connectors/kafka/kafka-connector.ts';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import type { KafkaSourceInput } from '../../src/contract/pipe/kafka.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { SourceFailed, type Connector } from '../../src/ports/connector.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { clusterBrokerName } from '../kit/certificates.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { startSts } from '../kit/sts.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [{ name: 'id', type: 'UInt64' }];
const placed = [
  ...columns,
  { name: 'topic', type: 'String' },
  { name: 'part', type: 'UInt16' },
  { name: 'place', type: 'UInt64' },
];
const places = [
  ['id', 'id'],
  ['_topic', 'topic'],
  ['_partition', 'part'],
  ['_offset', 'place'],
].map(([sourceField, destinationField]) => ({ sourceField, destinationField }));

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
const body = (topics: string, table: string, source: object = {}, rest: object = {}) => ({
  source: { kafka: { brokers: peer.plain, topics, ...source } },
  destination: { database: 'shop', table, columns },
  settings: { streaming_max_insert_wait_ms: 500 },
  ...rest,
});
const intoPlaces = (table: string) => ({
  destination: { database: 'shop', table, columns: placed },
  fieldMappings: places,
});
const count = async (table: string): Promise<number> =>
  Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);
const send = (topic: string, ids: readonly number[], partition?: number): Promise<unknown> =>
  peer.producer.send({
    topic,
    messages: ids.map((id) => ({
      value: `{"id":${id}}`,
      ...(partition === undefined ? {} : { partition }),
    })),
  });
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const lines: string[] = [];
const write = (fields: object, message: string): void => {
  lines.push(`${message} ${JSON.stringify(fields)}`);
};
const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
const member = (source: Partial<KafkaSourceInput>, stsEndpoint?: string): Connector =>
  kafkaConnector(
    {
      pipeId: randomUUID(),
      source: { brokers: peer.plain, topics: 'north', caCertificate: peer.ca, ...source },
      purpose: 'run',
      replica: { index: 0, count: 1 },
      bufferBytes: 2 ** 20,
      settings: defaultPipeSettings(),
      log,
      allowHttp: false,
      egress: {
        check: () => Promise.resolve(),
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      },
    },
    { stsEndpoint },
  );
const refusalOf = async (connector: Connector): Promise<string> => {
  try {
    await connector.check(AbortSignal.timeout(30_000));
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(SourceFailed);
    return (error as Error).message;
  } finally {
    await connector.close();
  }
};

describeWithPeer('topics of a real broker', () => {
  it('are read together by one pipe, each by its own positions', async () => {
    await peer.createTopic('north', 2);
    await peer.createTopic('south', 1);
    await send('north', range(0, 100));
    await send('south', range(100, 150));
    const pipe = await world.create(body('north, south', 'both', {}, intoPlaces('both')));
    await until('all rows', async () => (await count('both')) === 150);
    expect(
      await world.rows(
        sql`SELECT topic, toString(count()), toString(uniqExact(part, place))
          FROM shop.both GROUP BY topic ORDER BY topic`,
      ),
    ).toEqual([
      ['north', '100', '100'],
      ['south', '50', '50'],
    ]);
    expect(
      (await world.metrics(pipe.id)).checkpoint.map(({ partition }) => partition).sort(),
    ).toEqual(['north/0', 'north/1', 'south/0']);
  });

  it('that get partitions while they are read are read with them, from their oldest record', async () => {
    await peer.createTopic('growing', 1);
    await send('growing', range(0, 10));
    const pipe = await world.create(body('growing', 'growing', {}, intoPlaces('growing')));
    await until('the first rows', async () => (await count('growing')) === 10);
    await peer.admin.createPartitions({ topicPartitions: [{ topic: 'growing', count: 3 }] });
    await until('leaders of the new ones', async () => {
      const {
        topics: [topic],
      } = await peer.admin.fetchTopicMetadata({ topics: ['growing'] });
      return topic!.partitions.length === 3 && topic!.partitions.every(({ leader }) => leader >= 0);
    });
    const fresh = peer.kafka.producer();
    await fresh.connect();
    await fresh.send({
      topic: 'growing',
      messages: [1, 2].map((partition) => ({ value: `{"id":${partition * 100}}`, partition })),
    });
    await fresh.disconnect();
    // A producer repeats what a partition that is just being made did not answer for: the broker
    // knows how many records there are.
    const written = (await peer.admin.fetchTopicOffsets('growing')).reduce(
      (sum, { high }) => sum + Number(high),
      0,
    );
    await until('rows of every partition', async () => (await count('growing')) >= written, 60_000);
    expect(
      (
        await world.rows(
          sql`SELECT toString(count()), toString(uniqExact(part, place)),
              groupArraySorted(2)(DISTINCT id) FILTER (WHERE part > 0), toString(minIf(place, part > 0))
            FROM shop.growing`,
        )
      )[0],
    ).toEqual([String(written), String(written), ['100', '200'], '0']);
    await until('Running', async () => (await world.get(pipe.id)).state === 'Running');
  });

  it('that get partitions after a start at the latest records lose nothing, stopped or running', async () => {
    await peer.createTopic('later', 2);
    await send('later', range(0, 10));
    const pipe = await world.create(
      body('later', 'later', { offset: { strategy: 'from_latest' } }, intoPlaces('later')),
    );
    await until(
      'both beginnings',
      async () =>
        (await world.metrics(pipe.id)).checkpoint.filter(({ position }) => position !== null)
          .length === 2,
    );
    const grow = async (partitions: number, id: number): Promise<void> => {
      await peer.admin.createPartitions({
        topicPartitions: [{ topic: 'later', count: partitions }],
      });
      await until('a leader of the new one', async () => {
        const {
          topics: [topic],
        } = await peer.admin.fetchTopicMetadata({ topics: ['later'] });
        return (
          topic!.partitions.length === partitions &&
          topic!.partitions.every(({ leader }) => leader >= 0)
        );
      });
      const fresh = peer.kafka.producer();
      await fresh.connect();
      // Before any reader knows of the partition.
      await fresh.send({
        topic: 'later',
        messages: [{ value: `{"id":${id}}`, partition: partitions - 1 }],
      });
      await fresh.disconnect();
    };
    await grow(3, 100);
    await until('the row of the first new one', async () => (await count('later')) >= 1, 60_000);
    const state = (command: string, wanted: string): Promise<unknown> =>
      world
        .call('changePipeState', { params: { pipeId: pipe.id }, body: { command } })
        .then(() => until(wanted, async () => (await world.get(pipe.id)).state === wanted));
    await state('stop', 'Stopped');
    await grow(4, 200);
    await state('start', 'Running');
    await until(
      'the row of the second',
      async () =>
        Number((await world.rows(sql`SELECT uniqExact(id) FROM shop.later`))[0]?.[0]) === 2,
      60_000,
    );
    expect(
      await world.rows(
        sql`SELECT toString(part), toString(id), toString(min(place)) FROM shop.later GROUP BY part, id ORDER BY part`,
      ),
    ).toEqual([
      ['2', '100', '0'],
      ['3', '200', '0'],
    ]);
    // What came after the beginning, in the partitions of then.
    await send('later', [300], 0);
    await until(
      'rows of the old ones',
      async () =>
        Number((await world.rows(sql`SELECT countIf(id = 300) FROM shop.later`))[0]?.[0]) === 1,
    );
    expect((await world.rows(sql`SELECT countIf(id < 10) FROM shop.later`))[0]).toEqual(['0']);
  });
});

describeWithPeer('topics with holes and without values', () => {
  it('with holes where records were compacted away are read to their end', async () => {
    await peer.createTopic('compacted', 1, {
      'cleanup.policy': 'compact',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.01',
      'min.compaction.lag.ms': '0',
      'max.compaction.lag.ms': '100',
      'delete.retention.ms': '100000',
    });
    for (const id of range(0, 300)) {
      await peer.producer.send({
        topic: 'compacted',
        messages: [{ key: `k${id % 7}`, value: id % 50 === 49 ? null : `{"id":${id}}` }],
      });
    }
    const kept = async (): Promise<number[]> => {
      const offsets: number[] = [];
      const consumer = peer.kafka.consumer({ groupId: randomUUID() });
      await consumer.connect();
      await consumer.subscribe({ topic: 'compacted', fromBeginning: true });
      const done = new Promise<void>(
        (resolve) =>
          void consumer.run({
            eachMessage: ({ message }) => {
              offsets.push(Number(message.offset));
              if (Number(message.offset) === 299) {
                resolve();
              }
              return Promise.resolve();
            },
          }),
      );
      await done;
      await consumer.disconnect();
      return offsets;
    };
    const before = await until(
      'holes',
      async () => {
        const keptIds = await kept();
        return keptIds.length < 200 && keptIds;
      },
      60_000,
    ).catch((): number[] => []);
    expect(before.length).toBeGreaterThan(0);
    await world.create(body('compacted', 'compacted', {}, intoPlaces('compacted')));
    const last = Math.max(...before);
    await until(
      'the last row',
      async () =>
        Number((await world.rows(sql`SELECT max(place) FROM shop.compacted`))[0]?.[0]) === last,
    );
    const rows = (
      (
        await world.rows(sql`SELECT groupArraySorted(400)(place) FROM shop.compacted`)
      )[0]![0] as string[]
    ).map(Number);
    const after = new Set(await kept());
    expect(rows.filter((place) => !before.includes(place))).toEqual([]);
    expect([...after].filter((place) => !rows.includes(place))).toEqual([]);
    expect(rows.length).toBe(new Set(rows).size);
  });

  it('with records without a value make rows only where the mapping reads more than the value', async () => {
    await peer.createTopic('stones');
    await peer.producer.send({
      topic: 'stones',
      messages: [
        { key: 'a', value: '{"id":1}' },
        { key: 'a', value: null },
        { key: 'b', value: '{"id":2}' },
      ],
    });
    const pipe = await world.create(body('stones', 'stones'));
    await until('rows', async () => (await count('stones')) === 2);
    await until(
      'the end',
      async () => (await world.metrics(pipe.id)).checkpoint[0]?.position === '3',
    );
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 2, errors: 0, lag: 0 });
  });
});

describeWithPeer('topics of a broker that asks who reads', () => {
  it('a pipe that is stopped, given other credentials and started goes on at its position', async () => {
    await peer.createTopic('rotated');
    await send('rotated', range(0, 20));
    const pipe = await world.create(
      body(
        'rotated',
        'rotated',
        {
          brokers: peer.scram,
          caCertificate: peer.ca,
          authentication: 'PLAIN',
          credentials: peer.user,
        },
        intoPlaces('rotated'),
      ),
    );
    const state = async (command: string, reached: string): Promise<void> => {
      await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command } });
      await until(reached, async () => (await world.get(pipe.id)).state === reached);
    };
    const credentials = (given: object): Promise<unknown> =>
      world.call('updatePipe', {
        params: { pipeId: pipe.id },
        body: { source: { kafka: { credentials: given } } },
      });
    await until('rows', async () => (await count('rotated')) === 20);
    await state('stop', 'Stopped');
    await send('rotated', range(20, 30));
    await credentials({ username: 'other', password: 'not-its-own' });
    await state('start', 'Failed');
    await state('stop', 'Stopped');
    await credentials(peer.otherUser);
    await state('start', 'Running');
    await until('the other rows', async () => (await count('rotated')) >= 30);
    expect(
      (
        await world.rows(
          sql`SELECT toString(count()), toString(uniqExact(place)) FROM shop.rotated`,
        )
      )[0],
    ).toEqual(['30', '30']);
    expect(
      world.logged.filter(
        (line) => line.includes('not-its-own') || line.includes(peer.otherUser.password),
      ),
    ).toEqual([]);
  });

  it('an IAM token is offered to the broker, which does not know such tokens; its role is assumed once', async () => {
    const brokers = peer.scram.replace('127.0.0.1', clusterBrokerName);
    const user = { accessKeyId: 'AKIDIAMUSER', secretKey: 'the iam secret' };
    expect(
      await refusalOf(member({ brokers, authentication: 'IAM_USER', credentials: user })),
    ).toMatch(/rejected the credentials \(IAM_USER\)/);
    const sts = await startSts(user);
    process.env['AWS_ACCESS_KEY_ID'] = user.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = user.secretKey;
    try {
      const iamRole = 'arn:aws:iam::123456789012:role/reader';
      expect(
        await refusalOf(member({ brokers, authentication: 'IAM_ROLE', iamRole }, sts.endpoint)),
      ).toBe(
        `cannot assume role ${iamRole}. Allow the server's own identity in the role's trust policy.`,
      );
      sts.roles.set(iamRole, { seconds: 3600 });
      expect(
        await refusalOf(member({ brokers, authentication: 'IAM_ROLE', iamRole }, sts.endpoint)),
      ).toMatch(/rejected the credentials \(IAM_ROLE\)/);
      expect(sts.issued.size).toBe(1);
    } finally {
      delete process.env['AWS_ACCESS_KEY_ID'];
      delete process.env['AWS_SECRET_ACCESS_KEY'];
      await sts.close();
    }
    expect(() =>
      member({ brokers: peer.scram, authentication: 'IAM_USER', credentials: user }),
    ).toThrow(/cannot determine the region .* from the name of a broker/);
    expect(
      lines.filter((line) => /the iam secret|assumed-secret|session\/|X-Amz/.test(line)),
    ).toEqual([]);
  });
});
