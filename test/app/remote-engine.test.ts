import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  startClickHouseServer,
  type ClickHouseServer,
  type Credentials,
} from '../kit/clickhouse-server.ts';
import { Program, type Server } from '../kit/program.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
let engine: ClickHouseServer;
let program: Program;
let server: Server;

beforeAll(async () => {
  engine = await startClickHouseServer();
  program = new Program({
    SIGHTLINE_CLICKHOUSE_URL: engine.url,
    SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
    SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
  });
  server = await program.serve();
});
afterAll(async () => {
  await program?.remove();
  await engine?.close();
});

it('the program on a ClickHouse server: telemetry in, chart out', async () => {
  const now = Date.now();
  const logs = JSON.stringify({
    resourceLogs: [
      {
        scopeLogs: [
          { logRecords: [{ timeUnixNano: `${now}000000`, body: { stringValue: 'far away' } }] },
        ],
      },
    ],
  });
  const sent = await fetch(`${server.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey },
    body: logs,
  });
  expect(sent.status).toBe(200);
  const headers = { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' };
  const {
    data: [source],
  } = (await (await fetch(`${server.api}/api/v2/sources`, { headers })).json()) as {
    data: [{ id: string }];
  };
  const body = JSON.stringify({
    series: [{ sourceId: source.id, aggFn: 'count', where: '"far away"' }],
    startTime: now - 60_000,
    endTime: now + 60_000,
    granularity: '30d',
  });
  const chart = await fetch(`${server.api}/api/v2/charts/series`, {
    method: 'POST',
    headers,
    body,
  });
  expect(await chart.json()).toEqual({
    data: [{ ts_bucket: expect.any(Number) as number, 'series_0.data': 1 }],
  });
});

/** The users that printed statements make, as entries of a server's file of users. */
function usersOf(statements: string): Credentials[] {
  const made = /^CREATE USER IF NOT EXISTS `?(\w+)`? IDENTIFIED WITH sha256_hash BY '(\w+)';$/gm;
  return [...statements.matchAll(made)].map(([, user = '', passwordHash = '']) => {
    const grants = statements
      .split('\n')
      .filter((line) => line.startsWith('GRANT ') && line.includes(user))
      .map((line) => line.replace(/ TO `?\w+`?;$/, ''));
    const least = ['GRANT SELECT ON system.one'];
    return { user, password: '', passwordHash, grants: grants.length > 0 ? grants : least };
  });
}

it('users that an operator made from the printed statements are used, and the doctor says so', async () => {
  const doctor = async (url: string): Promise<string> => {
    const { stdout } = await program.spawn(['doctor'], { SIGHTLINE_CLICKHOUSE_URL: url }).ended;
    return /users on ClickHouse +(.*)/.exec(stdout)?.[1] ?? stdout;
  };
  expect(await doctor(engine.url)).toMatch(
    /^the user of the address runs charts, .*, ingestion, pipes: .*Not enough privileges/,
  );

  const { stdout, code } = await program.run('admin', 'clickhouse-users');
  expect(code).toBe(0);
  const others = usersOf(stdout);
  expect(others).toHaveLength(6);
  const given = { user: 'given', password: 'secret', grants: ['GRANT SELECT ON system.one'] };
  const second = await startClickHouseServer({ ...given, others });
  try {
    const url = second.url.replace('//', '//given:secret@');
    expect(await doctor(url)).toBe('charts, ingestion and pipes run as users of their own');
  } finally {
    await second.close();
  }
});
