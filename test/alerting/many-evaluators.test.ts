import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { openTestTelemetry } from '../kit/telemetry.ts';
import { manyEvaluators } from './many-evaluators.ts';

it('three evaluators share the work and record each window once, also when one leaves', async () => {
  expect.hasAssertions();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-many-'));
  const clock = { nowMs: 0 };
  const engine = await openTestTelemetry();
  const store = await openSqliteStore({
    path: join(folder, 'metadata.db'),
    clock: { now: () => clock.nowMs },
  });
  await manyEvaluators({ engine, stores: [store, store, store], clock, alerts: 120, windows: 4 });
  await store.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});
