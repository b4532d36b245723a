import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { sql } from '../../src/sql/sql.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { killPipes, startPipes } from '../crash/pipes-child.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';

describe('a cloudstream pipe whose process is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-cloudstream-'));
  let peer: KinesisPeer;
  beforeAll(async () => {
    peer = await startKinesis();
  });
  afterAll(async () => {
    await killPipes();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const world = () =>
    pipeWorld({ folder, connectors: createConnectors({ endpoint: peer.endpoint }) });

  it('stores every record once over five kills and a split', async () => {
    await peer.createStream('killed', 2);
    const first = await world();
    await first.create({
      source: {
        cloudstream: {
          streamName: 'killed',
          region: testRegion,
          accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'reader' },
        },
      },
      destination: {
        database: 'shop',
        table: 'killed',
        columns: [{ name: 'id', type: 'UInt64' }],
        tableDefinition: { sortingKey: ['id'] },
      },
      settings: { streaming_max_insert_wait_ms: 500 },
    });
    await first.close();
    let produced = 0;
    for (let round = 0; round < 5; round++) {
      const running = await startPipes({ folder, streamService: peer.endpoint });
      // Killed at another point of the cycle each time: while it opens, reads, inserts or records.
      const killed = pause(900 + round * 450).then(() => running.end('SIGKILL'));
      for (let part = 0; part < 4; part++) {
        await peer.put(
          'killed',
          Array.from({ length: 400 }, () => ({
            key: `key ${produced % 30}`,
            data: `{"id":${produced++}}`,
          })),
        );
      }
      if (round === 2) {
        await peer.split('killed', 'shardId-000000000000');
      }
      await killed;
    }
    const last = await world();
    try {
      last.pipes.start();
      const counted = async (): Promise<unknown> =>
        (
          await last.rows(sql`SELECT toString(count()), toString(uniqExact(id)) FROM shop.killed`)
        )[0];
      await until(
        'all rows',
        async () => Number(((await counted()) as string[])[1]) === produced,
        90_000,
      );
      expect(await counted()).toEqual([String(produced), String(produced)]);
    } finally {
      await last.close();
    }
  });
});
