import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopesOfRoles } from '../../src/contract/key.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { startUiKit, type Browser, type UiKit } from '../kit/ui.ts';

const path = '/api/v2/demo';
let engine: TestTelemetry;
let kit: UiKit;
let admin: Browser;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  kit = await startUiKit(
    {},
    {
      roles: ['api', 'ui', 'ingest'],
      parts: { telemetry: engine.telemetry },
    },
  );
  admin = await kit.signedIn();
});
afterAll(async () => {
  await kit?.stop();
  await engine?.close();
});

const stateOf = async (browser: Browser): Promise<unknown> =>
  (await browser.call('GET', path)).json.data.state;

/** Number of log records of the shop since a time. */
async function logsSince(ms: number): Promise<number> {
  const [row] = await engine.rows(
    sql`SELECT toUInt32(count()) AS found FROM telemetry.otel_logs
      WHERE Timestamp >= fromUnixTimestamp64Milli(${ms})`,
  );
  return Number(row?.['found']);
}

describe('the demo shop', () => {
  it('is started and stopped by an admin only', async () => {
    const { json } = await admin.call('POST', '/api/v2/team/members', {
      body: { email: 'grace@example.com' },
    });
    const member = kit.browser();
    await member.call('POST', '/api/v2/session/link', {
      body: { token: json.data.link.path.split('#')[1], password: 'a good password' },
    });
    expect((await member.call('POST', path)).status).toBe(403);
    expect((await member.call('DELETE', path)).status).toBe(403);
    expect(await stateOf(member)).toBe('stopped');
    expect(scopesOfRoles(['admin']).has('demo:write')).toBe(false);
  });

  it('sends telemetry of the past and the present, also with a new ingestion key', async () => {
    const beforeMs = Date.now();
    const first = await admin.call('POST', path);
    expect([first.status, first.json.data.state]).toEqual([200, 'running']);
    const second = await admin.call('POST', path);
    expect(second.json.data).toEqual(first.json.data);
    expect((await admin.call('GET', path)).json.data).toEqual(first.json.data);
    await until('rows of the past', async () => (await logsSince(0)) > 500 || undefined, 60_000);

    expect((await admin.call('POST', '/api/v2/team/ingestion-key/rotate')).status).toBe(200);
    const rotatedMs = Date.now();
    expect(rotatedMs).toBeGreaterThan(beforeMs);
    await until(
      'rows with the new key',
      async () => (await logsSince(rotatedMs)) > 0 || undefined,
      60_000,
    );
  });

  it('ends without a loss, and a second stop changes nothing', async () => {
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await stateOf(admin)).toBe('stopped');
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await logsSince(0)).toBeGreaterThan(500);
  });

  it('is on the audit trail', async () => {
    const { json } = await admin.call(
      'GET',
      `/v1/organizations/${kit.first.organizationId}/activities`,
    );
    const lines: string[] = json.result.map((line: { operation: string }) => line.operation);
    expect(lines).toEqual(expect.arrayContaining(['startDemo', 'stopDemo']));
  });
});

describe('the endpoints of telemetry', () => {
  it('are the ports of the receivers', async () => {
    const { json } = await admin.call('GET', '/api/v2/team/ingestion-endpoints');
    expect(json.data).toEqual({
      httpPort: Number(new URL(kit.addresses.otlpHttp ?? '').port),
      grpcPort: Number(new URL(kit.addresses.otlpGrpc ?? '').port),
    });
  });

  it('are unknown, and the shop unavailable, in a process that receives no telemetry', async () => {
    const other = await startUiKit();
    try {
      const browser = await other.signedIn();
      expect(await stateOf(browser)).toBe('unavailable');
      const refused = await browser.call('POST', path);
      expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
      const { json } = await browser.call('GET', '/api/v2/team/ingestion-endpoints');
      expect(json.data).toEqual({});
    } finally {
      await other.stop();
    }
  });
});
