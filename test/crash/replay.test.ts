import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipeReplay } from '../../src/contract/pipe/pipe-replay.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const messages = Number(process.env['SIGHTLINE_TEST_REPLAY_MESSAGES'] ?? 12_000);
const kills = Number(process.env['SIGHTLINE_TEST_REPLAY_KILLS'] ?? 6);
/** One in so many stays bad. */
const badEvery = 400;

describe.skipIf(kafkaMissing())('a replay whose process is killed again and again', () => {
  let peer: KafkaPeer;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-replay-'));
  beforeAll(async () => {
    peer = await startKafka();
  });
  afterAll(async () => {
    await killPipes();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const columns = (type: string) => [
    { name: 'n', type },
    { name: 'place', type: 'UInt64' },
  ];

  /** A stopped pipe whose records were all refused, with a table that takes most of them now. */
  async function refusedPipe(world: PipeWorld): Promise<string> {
    const pipe = await world.create({
      source: { kafka: { brokers: peer.plain, topics: 'refused' } },
      destination: { database: 'shop', table: 'refused', columns: columns('UInt8') },
      fieldMappings: [
        { sourceField: 'n', destinationField: 'n' },
        { sourceField: '_offset', destinationField: 'place' },
      ],
      settings: { streaming_max_insert_wait_ms: 500 },
    });
    await until(
      'all refused',
      async () => (await world.metrics(pipe.id)).errors === messages,
      120_000,
    );
    const params = { pipeId: pipe.id };
    await world.call('changePipeState', { params, body: { command: 'stop' } });
    await until('the stop', async () => (await world.get(pipe.id)).state === 'Stopped');
    await world.engine.command(sql`ALTER TABLE shop.refused MODIFY COLUMN n UInt64`, {
      purpose: 'admin',
      timeoutMs: 30_000,
    });
    await world.call('updatePipe', {
      params,
      body: { destination: { columns: columns('UInt64') } },
    });
    await world.call('replayPipeErrors', { params });
    return pipe.id;
  }

  it(
    'stores each record once, and gives back exactly the bad ones',
    { timeout: 600_000 },
    async () => {
      await peer.createTopic('refused', 1);
      for (let start = 0; start < messages; start += 5000) {
        await peer.producer.send({
          topic: 'refused',
          messages: Array.from({ length: Math.min(5000, messages - start) }, (_, index) => {
            const n = start + index;
            return { value: n % badEvery === 0 ? `{"n":"bad ${n}"}` : `{"n":${1000 + n}}` };
          }),
        });
      }
      const before = await pipeWorld({ folder, holder: 'only' });
      before.pipes.start();
      const pipeId = await refusedPipe(before);
      await before.close();

      for (let kill = 0; kill < kills; kill++) {
        const running = await startPipes({ folder, insertStallMs: 20 });
        await pause(300 + Math.random() * 2500);
        await running.end('SIGKILL');
      }

      const after = await pipeWorld({ folder, holder: 'only' });
      try {
        const replay = async (): Promise<PipeReplay> =>
          (await after.call('getPipeReplay', { params: { pipeId } })).value;
        const atLastKill = (await replay()).replayed;
        after.pipes.start();
        await until('the end', async () => (await replay()).endedAt !== null, 120_000);
        const bad = messages / badEvery;
        expect(await replay()).toMatchObject({
          state: 'Completed',
          replayed: messages - bad,
          refused: bad,
        });
        const [rows] = await after.rows(
          sql`SELECT count(), uniqExact(n), uniqExact(place) FROM shop.refused`,
        );
        expect(rows!.map(Number)).toEqual([messages - bad, messages - bad, messages - bad]);
        const [errors] = await after.rows(
          sql`SELECT count(), uniqExact(position), countIf(raw NOT LIKE '%bad%')
          FROM shop.refused_pipe_errors`,
        );
        expect(errors!.map(Number)).toEqual([bad, bad, 0]);
        console.log(`replay: ${kills} kills, ${atLastKill} records stored at the last of them`);
      } finally {
        await after.close();
      }
    },
  );
});
