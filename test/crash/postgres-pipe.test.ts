import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { chaosDefinitions, chaosTables, fillChaos, startChaos } from '../kit/chaos-writer.ts';
import { initializePgbench, pgbenchTables, startPgbench } from '../kit/pgbench.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { allEqual, postgresPipe } from '../pipes/postgres-pipe.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const kills = Number(process.env['SIGHTLINE_TEST_CRASH_KILLS'] ?? 20);
const seed = Number(process.env['SIGHTLINE_TEST_CRASH_SEED'] ?? Date.now() % 1_000_000);
const tables = [...pgbenchTables, ...chaosTables];

describe.skipIf(postgresMissing())(
  'a PostgreSQL pipe whose process is killed again and again, under a live load',
  () => {
    let peer: PostgresPeer;
    let client: Client;
    /** The store: what this process and the killed one can both look into. */
    let databaseUrl: string;
    const folder = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
    beforeAll(async () => {
      peer = await startPostgres({ wal_level: 'logical', max_wal_size: '2GB' });
      databaseUrl = await peer.createDatabase();
      client = new Client({ connectionString: peer.url });
      await client.connect();
      await client.query(chaosDefinitions);
      await fillChaos(client, 2000);
      initializePgbench(peer.url, 3);
    });
    afterAll(async () => {
      await killPipes();
      await client?.end();
      await peer?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    /**
     * Half of the kills while the snapshot runs: when it is done too early, everything is read
     * anew. The other half in the stream.
     */
    async function killAgainAndAgain(
      store: Store,
      workspaceId: string,
      pipeId: string,
    ): Promise<Record<string, number>> {
      const killedIn: Record<string, number> = {};
      const stateOf = async () => (await store.pipes.status(workspaceId, pipeId))!.state;
      for (let kill = 0; kill < kills; kill++) {
        const inSnapshot = kill < kills / 2;
        if (inSnapshot && (await stateOf()) === 'Running') {
          await store.pipes.ask(workspaceId, pipeId, {
            resync: true,
            wish: 'run',
            state: 'Provisioning',
          });
        }
        const running = await startPipes({ folder, databaseUrl });
        await until(
          inSnapshot ? 'the snapshot' : 'the stream',
          async () => {
            const { state, message } = (await store.pipes.status(workspaceId, pipeId))!;
            if (state === 'Failed') {
              throw new Error(`the pipe failed: ${message}`);
            }
            return (inSnapshot ? ['Snapshot', 'Running'] : ['Running']).includes(state);
          },
          180_000,
        );
        await pause(Math.random() * (inSnapshot ? 700 : 2000));
        const state = await stateOf();
        killedIn[state] = (killedIn[state] ?? 0) + 1;
        await running.end('SIGKILL');
      }
      return killedIn;
    }

    it(
      'ends with every table equal to its source, row by row',
      { timeout: 1_200_000 },
      async () => {
        const world = await pipeWorld({ folder, databaseUrl, holder: 'only' });
        const pipe = await world.create(
          postgresPipe(peer, tables, {
            syncIntervalSeconds: 1,
            snapshotNumRowsPerPartition: 20_000,
            initialLoadParallelism: 2,
          }),
        );
        const { workspace } = world.principal;
        await world.close();

        const bench = startPgbench(peer.url, 40);
        const chaos = startChaos({ url: peer.url, seed, rate: 30 });
        const store = await openPostgresStore({ url: databaseUrl });
        const killedIn = await killAgainAndAgain(store, workspace.id, pipe.id);
        await store.close();
        await Promise.all([bench.stop(), chaos.stop()]);

        const after = await pipeWorld({ folder, databaseUrl, holder: 'only' });
        try {
          after.pipes.start();
          const compared = await allEqual(
            client,
            after,
            tables,
            Number(process.env['SIGHTLINE_TEST_CRASH_PATIENCE_MS'] ?? 240_000),
          );
          expect((await after.get(pipe.id)).state).toBe('Running');
          expect(killedIn['Snapshot'] ?? 0).toBeGreaterThanOrEqual(Math.floor(kills / 4));
          expect(killedIn['Running'] ?? 0).toBeGreaterThanOrEqual(Math.floor(kills / 4));
          console.log(
            `crash: ${kills} kills (${JSON.stringify(killedIn)}), seed ${seed}; ` +
              `${compared.map(({ table, sourceRows }) => `${table} ${sourceRows}`).join(', ')}`,
          );
        } catch (error) {
          const { state, stateMessage } = await after.get(pipe.id);
          throw new Error(
            `seed ${seed}, killed in ${JSON.stringify(killedIn)}, ` +
              `now ${state} ${stateMessage ?? ''} ` +
              `${JSON.stringify(await after.metrics(pipe.id))}: ${(error as Error).message}`,
            { cause: error },
          );
        } finally {
          await after.close();
        }
      },
    );
  },
);
