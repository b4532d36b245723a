import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StoredAlertStatus } from '../../src/ports/store/alert-store.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { startTimeline, type Timeline } from '../kit/timeline.ts';

/** Of the file. */
export let engine: TestTelemetry;
/** Of the test that runs: a store, a receiver and a clock of its own over empty tables. */
export let t: Timeline;

/** To be called once at the head of a file. */
export function setStage(): void {
  beforeAll(async () => {
    engine = await openTestTelemetry();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    for (const table of ['otel_logs', 'otel_logs_1m']) {
      await engine.command(sql`TRUNCATE TABLE ${qualified('sightline', table)}`);
    }
    t = await startTimeline({ engine });
  });
  afterEach(() => t.close());
}

/** What the API shows of an alert that has been evaluated. */
export async function statusOf(alertId: string): Promise<StoredAlertStatus> {
  const status = (await t.store.alerts.status(t.workspaceId, [alertId])).get(alertId);
  if (!status) {
    throw new Error(`alert ${alertId} has no status`);
  }
  return status;
}

/** Its errors, each as its type and message. */
export async function errorsOf(alertId: string): Promise<string[]> {
  const { executionErrors } = await statusOf(alertId);
  return executionErrors.map(({ type, message }) => `${type} ${message}`);
}
