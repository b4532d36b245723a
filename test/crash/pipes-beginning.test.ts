import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes } from './pipes-child.ts';

/** Where a partition begins that was never read is another place each time it is asked. */
describe.skipIf(kafkaMissing())('a Kafka pipe that is killed in its very first range', () => {
  let peer: KafkaPeer;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-beginning-'));
  beforeAll(async () => {
    peer = await startKafka();
  });
  afterAll(async () => {
    await killPipes();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const offsets = {
    from_latest: {},
    from_timestamp: { timestamp: new Date(Date.now() + 3_600_000).toISOString().slice(0, 16) },
    from_beginning: {},
  };

  it('begins where it began before, and stores everything from there on once', async () => {
    const sent = new Map<string, number>();
    const send = (topic: string, count: number): Promise<unknown> =>
      peer.producer.send({
        topic,
        messages: Array.from({ length: count }, () => {
          const id = sent.get(topic) ?? 0;
          sent.set(topic, id + 1);
          return { value: `{"id":${id}}` };
        }),
      });
    const topics = Object.keys(offsets);
    const before = await pipeWorld({ folder });
    const ids = new Map<string, string>();
    for (const [topic, rest] of Object.entries(offsets)) {
      await peer.createTopic(topic);
      await send(topic, 10);
      const { id } = await before.create({
        source: {
          kafka: { brokers: peer.plain, topics: topic, offset: { strategy: topic, ...rest } },
        },
        destination: { database: 'shop', table: topic, columns: [{ name: 'id', type: 'UInt64' }] },
        settings: { streaming_max_insert_wait_ms: 500 },
      });
      ids.set(topic, id);
    }
    const { workspace } = before.principal;
    await before.close();

    const dying = await startPipes({ folder, holdInserts: true });
    // Records come all the time, so that there are some right after the beginning, whenever that
    // is.
    const enough = new AbortController();
    const trickle = (async () => {
      while (!enough.signal.aborted) {
        for (const topic of topics) {
          await send(topic, 1);
        }
      }
    })();
    await dying.holding(topics.length);
    await dying.end('SIGKILL');
    enough.abort();
    await trickle;
    for (const topic of topics) {
      await send(topic, 5);
    }

    const after = await pipeWorld({ folder });
    try {
      const begun = new Map<string, { position: number; until: number }>();
      for (const topic of topics) {
        const [partition] = await after.store.pipes.partitions(workspace.id, ids.get(topic)!);
        // With `from_latest` a position carries how many partitions there were, after a stroke.
        begun.set(topic, {
          position: parseInt(partition?.position ?? '', 10),
          until: parseInt(partition?.until ?? '', 10),
        });
      }
      after.pipes.start();
      for (const topic of topics) {
        const last = sent.get(topic)! - 1;
        const [first, count, , distinct] = await until(`the last record of ${topic}`, async () => {
          const [row] = await after.rows(
            sql`SELECT min(id), count(), max(id), uniqExact(id) FROM ${qualified('shop', topic)}`,
          );
          return Number(row![2]) === last && row!.map(Number);
        });
        const { position, until: end } = begun.get(topic)!;
        expect({ topic, first, count, distinct }).toEqual({
          topic,
          first: position,
          count: last + 1 - position,
          distinct: last + 1 - position,
        });
        expect(end).toBeGreaterThan(position);
        expect(topic === 'from_beginning' ? position === 0 : position >= 10).toBe(true);
      }
    } finally {
      await after.close();
    }
  });
});
