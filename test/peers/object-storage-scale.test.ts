import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

/** Larger ones are in bench/objects.ts: 100,000 objects of 1 KB, and one of 2 GB. */
const objects = 6000;
const rowsOfEach = 10;
const largeRows = 3_600_000;
const rowText = (n: number): string =>
  `{"n":${n},"text":"order ${n} was placed by customer ${(n * 7) % 100_003} and is on its way now"}\n`;

describe('object storage pipes at scale', () => {
  let peer: S3Peer;
  let world: PipeWorld;
  beforeAll(async () => {
    peer = await startS3();
    world = await pipeWorld();
    world.pipes.start();
    await peer.bucket('scale');
  });
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  async function loaded(
    path: string,
    table: string,
  ): Promise<{ counts: number[]; metrics: object }> {
    const pipe = await world.create({
      source: {
        objectStorage: { url: `${peer.endpoint}/scale/${path}`, accessKey: peer.accessKey },
      },
      destination: {
        database: 'shop',
        table,
        columns: [
          { name: 'n', type: 'UInt64' },
          { name: 'text', type: 'String' },
        ],
        tableDefinition: { sortingKey: ['n'] },
      },
      settings: { object_storage_max_file_count: 1000 },
    });
    await until('the load', async () => (await world.get(pipe.id)).state === 'Completed', 120_000);
    const rows = await world.rows(
      sql`SELECT count(), uniqExact(n), max(n) FROM merge('shop', ${`^${table}$`})`,
    );
    return { counts: rows[0]!.map(Number), metrics: await world.metrics(pipe.id) };
  }

  it(
    'thousands of small objects are each loaded once, and hardly one is asked for before it is read',
    { timeout: 180_000 },
    async () => {
      for (let index = 0; index < objects; index++) {
        peer.place(
          'scale',
          `small/${Math.floor(index / 700)}/${String(index).padStart(6, '0')}.json`,
          [
            Buffer.from(
              Array.from({ length: rowsOfEach }, (_, row) =>
                rowText(index * rowsOfEach + row),
              ).join(''),
            ),
          ],
        );
      }
      peer.requests.length = 0;
      const total = objects * rowsOfEach;
      expect(await loaded('small/**.json', 'small')).toMatchObject({
        counts: [total, total, total - 1],
        metrics: { rows: total, errors: 0, batches: objects / 1000 },
      });
      // Once; some a second time where the engine waited too long for an answer, on a busy machine.
      const fetched = peer.requests.filter(
        (line) => line.startsWith('GET') && !line.includes('list-type'),
      );
      expect([new Set(fetched).size, fetched.length < objects * 1.1]).toEqual([objects, true]);
      expect(peer.requests.filter((line) => line.startsWith('HEAD')).length).toBeLessThan(
        objects / 10,
      );
    },
  );

  it(
    'a large object is loaded in memory that does not grow with it',
    { timeout: 180_000 },
    async () => {
      const chunks = function* (): Generator<Buffer> {
        for (let start = 0; start < largeRows; start += 10_000) {
          yield Buffer.from(
            Array.from({ length: 10_000 }, (_, row) => rowText(start + row)).join(''),
          );
        }
      };
      const bytes = peer.place('scale', 'large/one.json', chunks());
      expect(bytes).toBeGreaterThan(300_000_000);
      let most = 0;
      const before = process.memoryUsage.rss();
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 50);
      try {
        expect(await loaded('large/*', 'large')).toMatchObject({
          counts: [largeRows, largeRows, largeRows - 1],
          metrics: { rows: largeRows, errors: 0 },
        });
      } finally {
        clearInterval(watch);
      }
      expect(most - before).toBeLessThan(2 ** 30);
    },
  );
});
