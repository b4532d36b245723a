import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const messages = Number(process.env['SIGHTLINE_TEST_CRASH_MESSAGES'] ?? 2_000_000);
const kills = Number(process.env['SIGHTLINE_TEST_CRASH_KILLS'] ?? 20);
const partitions = 8;
/** How long the broker waits for readers that died: short, so that many lives get to work. */
const kafkaSessionMs = 3000;
/** One in so many cannot be read. */
const badEvery = 100;

describe.skipIf(kafkaMissing())('a pipe whose process is killed again and again', () => {
  let peer: KafkaPeer;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
  beforeAll(async () => {
    peer = await startKafka();
  });
  afterAll(async () => {
    await killPipes();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function produce(done: { count: number }): Promise<void> {
    for (let start = 0; start < messages; start += 4000) {
      const batch = Array.from({ length: Math.min(4000, messages - start) }, (_, index) => {
        const n = start + index;
        return {
          value: n % badEvery === 0 ? `{"n":"bad ${n}"` : `{"n":${n},"text":"message ${n}"}`,
          partition: Math.floor(n / 100) % partitions,
        };
      });
      // Idempotent in effect: what a producer repeats in a broker restart is told apart by its
      // place below.
      await insist(() => peer.producer.send({ topic: 'crash', messages: batch }));
      done.count += batch.length;
    }
  }

  it(
    'stores each message exactly once, and each bad one in the error table',
    { timeout: 3_600_000 },
    async () => {
      await peer.createTopic('crash', partitions);
      const world = await pipeWorld({ folder, holder: 'only' });
      // A table of its owner's, which remembers of each row by which insert it came and where in it
      // it stood, also after merges.
      await world.telemetry.command(sql`CREATE DATABASE shop`, {
        purpose: 'admin',
        timeoutMs: 30_000,
      });
      await world.telemetry.command(
        sql`CREATE TABLE shop.crash (n UInt64, text String, place UInt64, part UInt16)
          ENGINE = MergeTree ORDER BY tuple()
          SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1`,
        { purpose: 'admin', timeoutMs: 30_000 },
      );
      const fields = { n: 'n', text: 'text', place: '_offset', part: '_partition' };
      const pipe = await world.create({
        source: { kafka: { brokers: peer.plain, topics: 'crash' } },
        destination: {
          database: 'shop',
          table: 'crash',
          managedTable: false,
          columns: [
            { name: 'n', type: 'UInt64' },
            { name: 'text', type: 'String' },
            { name: 'place', type: 'UInt64' },
            { name: 'part', type: 'UInt16' },
          ],
        },
        fieldMappings: Object.entries(fields).map(([destinationField, sourceField]) => ({
          destinationField,
          sourceField,
        })),
        settings: { streaming_max_insert_wait_ms: 500 },
        scaling: { replicas: 2, concurrency: 2 },
      });
      await world.close();

      const done = { count: 0 };
      const producing = produce(done);
      for (let kill = 0; kill < kills; kill++) {
        const running = await startPipes({ folder, kafkaSessionMs });
        // Long enough, now and then, to get past the rebalance that the last death causes: until
        // then the group waits for the dead.
        await pause(300 + Math.random() * (kill % 2 === 0 ? 1500 : 2.5 * kafkaSessionMs));
        await running.end('SIGKILL');
        if (kill === Math.floor(kills / 2)) {
          await peer.stop('SIGKILL');
          await peer.start();
        }
      }
      const last = await startPipes({ folder, kafkaSessionMs });
      await producing;
      const offsets = await peer.admin.fetchTopicOffsets('crash');
      const produced = offsets.reduce((sum, { high }) => sum + Number(high), 0);
      await pause(1000);
      await last.end('SIGTERM');

      const after = await pipeWorld({ folder, holder: 'only' });
      try {
        after.pipes.start();
        const counts = async (): Promise<number[]> =>
          [
            ...(
              await after.rows(
                sql`SELECT count(), uniqExact(part, place), uniqExact(n) FROM shop.crash`,
              )
            )[0]!,
            ...(
              await after.rows(
                sql`SELECT count(), uniqExact(partition, position) FROM shop.crash_pipe_errors`,
              )
            )[0]!,
          ].map(Number);
        await until(
          'everything stored',
          async () => {
            const [rows, , , errors] = (await counts()) as [number, number, number, number];
            return rows + errors >= produced;
          },
          300_000,
        );
        const [rows, distinct, numbers, errors, distinctErrors] = await counts();
        expect({ rows, distinct, errors, distinctErrors, numbers }).toEqual({
          rows: produced - errors!,
          distinct: rows,
          errors: distinctErrors,
          distinctErrors: errors,
          numbers: messages - messages / badEvery,
        });
        expect(await after.metrics(pipe.id)).toMatchObject({ rows, errors });
        const [outOfOrder] = (
          await after.rows(sql`SELECT countIf(place < before) FROM (
            SELECT place, lagInFrame(place, 1, 0) OVER (
              PARTITION BY part ORDER BY _block_number, _block_offset
              ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
            ) AS before
            FROM shop.crash)`)
        )[0]!;
        expect(Number(outOfOrder)).toBe(0);
        console.log(
          `crash: ${kills} kills, ${produced} messages in the topic (${messages} sent), ` +
            `${rows} rows, ${errors} refused`,
        );
      } finally {
        await after.close();
      }
    },
  );
});

/**
 * Again and again, for as long as a broker that was killed may take to come back on a busy machine.
 */
async function insist(send: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await pause(500);
    }
  }
}
