import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Status } from '../../src/contract/status.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let engine: TestTelemetry;
let api: ApiKit;
/** What every query of the engine fails with. */
let failure: TelemetryError | undefined;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: behindCable(engine.telemetry) });
});
afterAll(async () => {
  await api.stop();
  await engine.close();
});

const behindCable = (telemetry: Telemetry): Telemetry =>
  new Proxy(telemetry, {
    get: (target, name: keyof Telemetry) => {
      if (name === 'query' && failure) {
        return () => Promise.reject(failure!);
      }
      const value: unknown = target[name];
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

async function server(): Promise<NonNullable<Status['server']>> {
  const { json } = await api.call('GET', '/status');
  return Status.parse(json.data).server!;
}
const theEngine = async () => {
  const [only, ...others] = (await server()).engines;
  expect(others).toEqual([]);
  return only!;
};
const row = (day: string) => ({ Timestamp: `${day} 00:00:00.000`, Body: 'a' });

describe('the engine', () => {
  it('is asked for disks, memory and parts', async () => {
    const before = await theEngine();
    await engine.insert('otel_logs', [row('2026-01-01')]);
    const { errors, disks, memory, parts } = await theEngine();
    expect(errors).toEqual([]);
    expect(disks).toHaveLength(1);
    expect(disks![0]!.freeBytes).toBeGreaterThan(0);
    expect(disks![0]!.totalBytes).toBeGreaterThan(disks![0]!.freeBytes);
    expect(memory!.usedBytes).toBeGreaterThan(0);
    expect(memory!.limitBytes).toBeGreaterThan(memory!.usedBytes);
    expect(parts!.active).toBeGreaterThan(before.parts!.active);
    expect(parts!.mostInPartition).toBeGreaterThanOrEqual(1);
    expect([parts!.broken, parts!.detached]).toEqual([0, 0]);
  });

  it('counts parts that were set aside', async () => {
    await engine.insert('otel_logs', [row('2026-01-02')]);
    const table = qualified('telemetry', 'otel_logs');
    await engine.command(sql`ALTER TABLE ${table} DETACH PARTITION '2026-01-02'`);
    expect((await theEngine()).parts).toMatchObject({ broken: 0, detached: 1 });
  });

  it.each([
    ['unavailable', 'The telemetry engine does not respond. See the log of the server.'],
    [
      'denied',
      'The ClickHouse user of Sightline may not read the system tables. Grant it SELECT ON system.*.',
    ],
    ['other', 'The telemetry engine could not answer. See the log of the server.'],
  ] as const)('that fails (%s) is said in its place, in our own words', async (kind, reason) => {
    failure = new TelemetryError(kind, 'canary: user secret at 10.0.0.7');
    try {
      const { engines, nodes } = await server();
      expect(engines).toEqual([{ errors: [reason] }]);
      expect(nodes).toHaveLength(1);
    } finally {
      failure = undefined;
    }
  });
});
