import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const kills = Number(process.env['SIGHTLINE_TEST_CRASH_KILLS'] ?? 20);
const objects = Number(process.env['SIGHTLINE_TEST_CRASH_OBJECTS'] ?? 600);
const rowsOfEach = 1000;
/** One in so many cannot be read. */
const badEvery = 50;

describe('an object storage pipe whose process is killed again and again', () => {
  let peer: S3Peer;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-object-crash-'));
  beforeAll(async () => {
    peer = await startS3();
    await peer.bucket('crash');
  });
  afterAll(async () => {
    await killPipes();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'has the rows of each object exactly once, and lists each bad one once',
    { timeout: 1_200_000 },
    async () => {
      const world = await pipeWorld({ folder, holder: 'only' });
      const pipe = await world.create({
        source: {
          objectStorage: {
            url: `${peer.direct}/crash/in/**`,
            accessKey: peer.accessKey,
            isContinuous: true,
          },
        },
        destination: {
          database: 'shop',
          table: 'crash',
          columns: [
            { name: 'n', type: 'UInt64' },
            { name: 'part', type: 'UInt8' },
          ],
          tableDefinition: { sortingKey: ['n'], partitionBy: 'part' },
        },
        settings: {
          object_storage_polling_interval_ms: 100,
          object_storage_max_file_count: 7,
          object_storage_concurrency: 2,
        },
      });
      await world.close();

      const body = (index: number): string =>
        index % badEvery === 0
          ? '{"n":"bad'
          : Array.from(
              { length: rowsOfEach },
              (_, row) => `{"n":${index * rowsOfEach + row},"part":${row % 4}}\n`,
            ).join('');
      const producing = (async () => {
        for (let index = 0; index < objects; index++) {
          await peer.put('crash', `in/${(index * 7919) % objects}/${index}.json`, body(index));
          if (index % 20 === 0) {
            await pause(100);
          }
        }
      })();
      for (let count = 0; count < kills; count++) {
        const running = await startPipes({ folder });
        await pause(200 + Math.random() * 1500);
        await running.end('SIGKILL');
      }
      await producing;

      const bad = Math.ceil(objects / badEvery);
      const after = await pipeWorld({ folder, holder: 'only' });
      try {
        after.pipes.start();
        const expected = (objects - bad) * rowsOfEach;
        const counts = async (): Promise<number[]> =>
          [
            ...(await after.rows(sql`SELECT count(), uniqExact(n) FROM shop.crash`))[0]!,
            ...(
              await after.rows(sql`SELECT count(), uniqExact(position) FROM shop.crash_pipe_errors`)
            )[0]!,
          ].map(Number);
        await until(
          'everything stored',
          async () => {
            const [rows, , errors] = await counts();
            return rows! >= expected && errors! >= bad;
          },
          300_000,
        );
        await pause(1000);
        expect(await counts()).toEqual([expected, expected, bad, bad]);
        expect(await after.metrics(pipe.id)).toMatchObject({ rows: expected, errors: bad });
        // What has just been stored may have its stage for a moment still.
        await until(
          'no stage left',
          async () =>
            (
              await after.rows(
                sql`SELECT count() FROM system.tables
                  WHERE database = 'shop' AND startsWith(name, 'pipe_stage_')
                    AND name NOT LIKE '%_ready_%'`,
              )
            )[0]![0] === '0',
        );
        console.log(`crash: ${kills} kills, ${objects} objects, ${expected} rows, ${bad} refused`);
      } finally {
        await after.close();
      }
    },
  );
});
