import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { fillTopic } from '../kit/kafka-fill.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const mebibyte = 2 ** 20;
const records = Number(process.env['SIGHTLINE_TEST_BACKLOG'] ?? 10_000_000);
const watchMs = Number(process.env['SIGHTLINE_TEST_WATCH_MS'] ?? 30_000);

describe.skipIf(kafkaMissing())('a pipe with ten million small records before it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-memory-'));
  let kafka: KafkaPeer;
  let clickHouse: ClickHouseServer;
  beforeAll(async () => {
    [kafka, clickHouse] = await Promise.all([startKafka(), startClickHouseServer()]);
  });
  afterAll(async () => {
    await killPipes();
    await Promise.all([kafka?.remove(), clickHouse?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('stays under its share of memory while every insert stalls for 100 ms', async () => {
    await kafka.createTopic('backlog', 4);
    const values = Array.from({ length: 20_000 }, (_, id) => `{"id":${id}}`);
    await fillTopic(kafka.plain, 'backlog', 4, values, Math.ceil(records / 4 / values.length));
    const open = () => pipeWorld({ folder, clickHouseUrl: clickHouse.url });
    const before = await open();
    const pipe = await before.create({
      source: { kafka: { brokers: kafka.plain, topics: 'backlog' } },
      destination: {
        database: 'shop',
        table: 'backlog',
        columns: [{ name: 'id', type: 'UInt64' }],
        tableDefinition: { engine: { type: 'Null' } },
      },
    });
    await before.close();
    const child = await startPipes({ folder, clickHouseUrl: clickHouse.url, insertStallMs: 100 });
    const idle = child.residentBytes();
    let most = idle;
    for (const end = Date.now() + watchMs; Date.now() < end; await pause(100)) {
      most = Math.max(most, child.residentBytes());
    }
    await child.end('SIGTERM');
    const after = await open();
    const { rows, errors } = await after.metrics(pipe.id);
    await after.close();
    console.log(
      `backlog of ${records}: ${rows} rows stored in ${watchMs / 1000} s; ` +
        `resident ${Math.round(idle / mebibyte)} MiB idle, ` +
        `at most ${Math.round(most / mebibyte)} MiB`,
    );
    expect(errors).toBe(0);
    expect(rows).toBeGreaterThan(records / 100);
    // The smallest share there is, 0.5 GiB, for one replica, over what the process has for itself.
    expect(most - idle).toBeLessThan(512 * mebibyte);
  });
});
