import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations as telemetryMigrations } from '../../src/adapters/telemetry/migrations.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { linesOfLog, startTestApp, type TestApp } from '../kit/app.ts';
import { keyAt } from '../kit/callers.ts';
import { eventually } from '../kit/eventually.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

interface Line {
  level: string;
  message: string;
  [field: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-log-lines-'));
const records = new MemoryLog(1);
const secret = 'a-secret-of-the-source';
let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'made_before' });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The whole program over the same folder. `lines`: what an operator sees at level info. */
async function startProgram(): Promise<{ app: TestApp; lines: () => Line[] }> {
  const { log, lines } = linesOfLog();
  const app = await startTestApp({
    folder,
    roles: ['api', 'ui', 'ingest', 'alerts', 'pipes'],
    log,
    parts: {
      telemetry: engine.telemetry,
      connectors: { ...createConnectors(), kafka: (context) => records.connector(context) },
    },
    tuning: { pipes: { tickMs: 50, leaseMs: 2000 } },
  });
  return {
    app,
    lines: () =>
      lines.map((line) => JSON.parse(line) as Line).filter(({ level }) => level === 'info'),
  };
}

const messages = (lines: Line[]): string[] => lines.map(({ message }) => message);
const byMessage = (lines: Line[], message: string): Line[] =>
  lines.filter((line) => line.message === message);

it('a start says what was migrated, what runs and where; a stop says that it is done', async () => {
  const first = await startProgram();
  await first.app.stop();
  expect(messages(first.lines())).toEqual([
    'metadata store migrated',
    'telemetry database migrated',
    'server started',
    'server stopped',
  ]);
  const [store, telemetry, started, stopped] = first.lines();
  expect(store?.['steps']).toContain('base-1');
  expect(telemetry).toMatchObject({
    database: 'telemetry',
    steps: telemetryMigrations.map(({ name }) => name),
  });
  expect(started).toMatchObject({
    version: '0.0.0-test',
    roles: ['api', 'ui', 'ingest', 'alerts', 'pipes'],
    stores: { metadata: 'SQLite', telemetry: 'embedded ClickHouse' },
    addresses: first.app.addresses,
  });
  expect(stopped?.['elapsedMs']).toEqual(expect.any(Number));
  for (const text of Object.values(first.app.first ?? {}).filter(isSecret(first.app))) {
    expect(JSON.stringify(first.lines())).not.toContain(text);
  }

  const second = await startProgram();
  await second.app.stop();
  expect(messages(second.lines())).toEqual(['server started', 'server stopped']);
});

const isSecret =
  ({ first }: TestApp) =>
  (value: unknown): value is string =>
    typeof value === 'string' &&
    [first?.password, first?.accessKey, first?.ingestionKey, first?.keySecret].includes(value);

it('a pipe leaves one line for each lease won or lost and for each change of its state', async () => {
  rmSync(join(folder, 'sightline.db'));
  const { app, lines } = await startProgram();
  const { first } = app;
  if (!first) {
    throw new Error('the store was not empty');
  }
  const url = new URL(app.addresses.surfaces?.[0] ?? '').origin;
  const path = `/services/${first.serviceId}/pipes`;
  const { organization: call } = keyAt(url, { ...first, id: first.keyId });
  const created = await call('POST', path, {
    body: {
      name: 'orders',
      source: {
        kafka: {
          brokers: '127.0.0.1:9',
          topics: 'orders',
          authentication: 'PLAIN',
          credentials: { username: 'reader', password: secret },
        },
      },
      destination: {
        database: 'telemetry',
        table: 'orders',
        columns: [{ name: 'n', type: 'UInt32' }],
      },
    },
  });
  expect([created.status, created.text]).toEqual([200, expect.any(String)]);
  const { id: pipeId } = created.json.result as { id: string };
  const states = () =>
    byMessage(lines(), 'pipe state changed').map(({ from, state }) => `${from} → ${state}`);
  await eventually(() => expect(states()).toEqual(['Provisioning → Running']));

  const lease = await app.store.leases.acquire(`pipe/${pipeId}/0`, 'embedded', 60_000);
  if (!lease) {
    throw new Error('the lease is held by somebody else');
  }
  await app.store.leases.release(lease);
  await eventually(() => expect(byMessage(lines(), 'pipe lease won')).toHaveLength(2));
  expect(byMessage(lines(), 'pipe lease lost')).toEqual([
    expect.objectContaining({ pipeId, replica: 0 }),
  ]);

  await call('PATCH', `${path}/${pipeId}/state`, { body: { command: 'stop' } });
  await eventually(() => expect(states().at(-1)).toBe('Stopping → Stopped'));
  await call('DELETE', `${path}/${pipeId}`);
  await eventually(() => expect(byMessage(lines(), 'pipe deleted')).toHaveLength(1));
  await app.stop();
  expect(states()).toEqual(['Provisioning → Running', 'Stopping → Stopped']);
  expect(lines().at(-1)?.message).toBe('server stopped');
  expect(JSON.stringify(lines())).not.toContain(secret);
});
