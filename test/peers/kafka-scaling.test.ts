import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

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

describe.skipIf(kafkaMissing())('a healthy Kafka pipe that is scaled', () => {
  it('reports no error, and stores every record once', async () => {
    await peer.createTopic('scaled', 6);
    const pipe = await world.create({
      source: { kafka: { brokers: peer.plain, topics: 'scaled' } },
      destination: {
        database: 'shop',
        table: 'scaled',
        columns: [{ name: 'id', type: 'UInt64' }],
        tableDefinition: { sortingKey: ['id'] },
      },
      settings: { streaming_max_insert_wait_ms: 500 },
    });
    const count = async (): Promise<unknown> =>
      (await world.rows(sql`SELECT count() FROM shop.scaled`))[0]?.[0];
    let sent = 0;
    const send = async (): Promise<void> => {
      const messages = Array.from({ length: 100 }, () => ({ value: `{"id":${++sent}}` }));
      await peer.producer.send({ topic: 'scaled', messages });
    };
    await send();
    await until('the first rows', async () => Number(await count()) === sent);
    for (const replicas of [3, 1, 2, 6, 1, 4]) {
      await world.call('changePipeScaling', { params: { pipeId: pipe.id }, body: { replicas } });
      for (let time = 0; time < 5; time++) {
        await send();
        await pause(300);
      }
    }
    await until('all rows', async () => Number(await count()) === sent);
    const interrupted = world.logged.filter((line) => /interrupted|failed/.test(line));
    expect(interrupted).toEqual([]);
    expect((await world.metrics(pipe.id)).lastError).toBeNull();
    expect(await world.get(pipe.id)).not.toHaveProperty('stateMessage');
  });
});
