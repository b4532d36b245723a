import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { manyEvaluators } from './many-evaluators.ts';

let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry();
});
afterAll(() => engine.close());

describe('ten thousand alerts and twenty windows', () => {
  it.each([2, 4])(
    '%i evaluators over one SQLite store: each window is recorded exactly once',
    async (count) => {
      expect.hasAssertions();
      const folder = mkdtempSync(join(tmpdir(), 'sightline-many-'));
      const clock = { nowMs: 0 };
      const store = await openSqliteStore({
        path: join(folder, 'metadata.db'),
        clock: { now: () => clock.nowMs },
      });
      await manyEvaluators({
        engine,
        stores: Array.from({ length: count }, () => store),
        clock,
        alerts: 10_000,
        windows: 20,
      });
      await store.close();
      rmSync(folder, { recursive: true });
    },
  );

  describe.skipIf(postgresMissing())('over PostgreSQL', () => {
    let peer: PostgresPeer;
    beforeAll(async () => {
      peer = await startPostgres();
    });
    afterAll(() => peer.remove());

    it.each([2, 4])(
      '%i evaluators with connections of their own: each window is recorded exactly once',
      async (count) => {
        expect.hasAssertions();
        const clock = { nowMs: 0 };
        const url = await peer.createDatabase();
        const stores = [];
        for (let index = 0; index < count; index++) {
          stores.push(
            await openPostgresStore({ url, poolMax: 4, clock: { now: () => clock.nowMs } }),
          );
        }
        await manyEvaluators({ engine, stores, clock, alerts: 10_000, windows: 20 });
        for (const store of stores) {
          await store.close();
        }
      },
    );
  });
});
