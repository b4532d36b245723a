import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, until } from '../kit/eventually.ts';
import { enginePid, Program, type Server } from '../kit/program.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';

const logLine = (body: string, timeMs = Date.now()): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: `${timeMs}000000`,
                severityText: 'ERROR',
                body: { stringValue: body },
              },
            ],
          },
        ],
      },
    ],
  });

const program = new Program({
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
  SIGHTLINE_BOOTSTRAP_EMAIL: 'ada@example.com',
});
let server: Server;
const get = async (path: string, key = accessKey): Promise<Response> =>
  fetch(`${server.api}${path}`, { headers: { authorization: `Bearer ${key}` } });
const send = async (body: string, timeMs?: number): Promise<number> =>
  (
    await fetch(`${server.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: ingestionKey },
      body: logLine(body, timeMs),
    })
  ).status;
const access = (): string[] => ['--url', server.api, '--key', accessKey];
beforeAll(async () => {
  server = await program.serve();
});
afterAll(() => program.remove());

describe('the program after its first start', () => {
  it('prints the address of the interface first', () => {
    expect(/https?:\/\/\S+/.exec(server.banner)?.[0]).toBe(server.ui);
  });

  it('prints what was made up at the first start, and not what the operator set', () => {
    expect(server.banner).toContain('First start');
    expect(server.banner).toMatch(/API key secret +sls_\w{40}/);
    expect(server.banner).not.toContain(accessKey);
    expect(server.banner).not.toContain(ingestionKey);
  });

  it('is ready, lists the default sources and takes telemetry', async () => {
    expect((await fetch(`${server.api}/ready`)).status).toBe(200);
    const { data } = (await (await get('/api/v2/sources')).json()) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
    expect(await send('the cart is empty')).toBe(200);
  });

  it('charts and searches what was sent, from the shell too', async () => {
    const options = [...access(), '--where', 'empty', '--format', 'json'];
    const chart = await program.run('query', 'chart', '--group-by', 'ServiceName', ...options);
    expect(chart).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(chart.stdout)).toMatchObject([{ group: ['cart'], 'series_0.data': 1 }]);
    const search = await program.run('query', 'search', ...access(), '--where', 'empty');
    expect(search.code).toBe(0);
    expect(search.stdout).toContain('the cart is empty');
  });

  it('telemetry that comes late shows in a chart that was asked for before', async () => {
    const { data: sources } = (await (await get('/api/v2/sources')).json()) as {
      data: { id: string }[];
    };
    const longAgoMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 86_400_000;
    const chart = async (): Promise<unknown> => {
      const body = {
        series: [{ sourceId: sources[0]!.id, aggFn: 'count', where: 'straggler' }],
        startTime: longAgoMs,
        endTime: longAgoMs + 3_600_000,
        granularity: '5m',
      };
      const answer = await fetch(`${server.api}/api/v2/charts/series`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: unknown }).data;
    };
    for (const sent of [1, 2, 3]) {
      expect(await send(`a straggler ${sent}`, longAgoMs + 60_000)).toBe(200);
      expect(await chart()).toEqual([{ ts_bucket: longAgoMs, 'series_0.data': sent }]);
    }
  });
});

describe('files of the program', () => {
  it('are for their owner only, whatever the umask of the caller is', async () => {
    // Again if the engine removes a merged part meanwhile.
    const entries = await eventually(() =>
      readdirSync(program.dataDir, { recursive: true, withFileTypes: true }),
    );
    const readable = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
    expect(entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sightline.db', 'secret.key']),
    );
    expect(readable).toEqual([]);
  });
});

describe('the program, asked for what it cannot do', () => {
  it('a command that cannot be done says why on standard error and exits with 1', async () => {
    expect(await program.run('query', 'chart', ...access(), '--source', 'Nothing')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('there are: Logs, Traces, Metrics') as string,
    });
    expect(await program.run('query', 'chart', '--url', server.api)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--key') as string,
    });
    expect(await program.run('query', 'search', ...access(), '--limit', 'many')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--limit must be a number, not "many"') as string,
    });
    expect(await program.run('query', 'search', ...access(), '--format', 'xml')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('table, json') as string,
    });
    expect(await program.run('admin', 'users', 'create', 'nonsense')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('"nonsense" is not an email address') as string,
    });
  });

  it('a second process on the same data directory is refused, and the first goes on', async () => {
    const second = await program.run('serve');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/is in use by process \d+/);
    expect((await get('/api/v2/sources')).status).toBe(200);
  });
});

describe('the program, changed beside it and ended', () => {
  it('keys made and revoked beside the running server count within a second or two', async () => {
    const made = await program.run(
      'admin',
      'access-keys',
      'create',
      'ada@example.com',
      'from the shell',
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const key = made.stdout.trim();
    await until(
      'the new key to work',
      async () => ((await get('/api/v2/sources', key)).status === 200 ? true : undefined),
      3000,
    );
    const id =
      /^([0-9a-f]{24}) +from the shell/m.exec(
        (await program.run('admin', 'access-keys', 'list', 'ada@example.com')).stdout,
      )?.[1] ?? '';
    expect(
      await program.run('admin', 'access-keys', 'revoke', 'ada@example.com', id),
    ).toMatchObject({ code: 0 });
    await until(
      'the revoked key to be refused',
      async () => ((await get('/api/v2/sources', key)).status === 401 ? true : undefined),
      3000,
    );
  });

  it('a service made beside the running server takes telemetry into a database of its own', async () => {
    const made = await program.run('admin', 'services', 'create', 'second');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const key = /ingestion key +(\S+)/.exec(made.stdout)?.[1] ?? '';
    await until(
      'its telemetry to be taken',
      async () =>
        (
          await fetch(`${server.otlpHttp}/v1/logs`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: key },
            body: logLine('another'),
          })
        ).status === 200
          ? true
          : undefined,
      5000,
    );
  });

  it('SIGTERM ends it with 0, and the next start finds everything and prints no credentials', async () => {
    expect(await send('before the stop')).toBe(200);
    expect((await server.stop()).code).toBe(0);
    server = await program.serve();
    expect(server.banner).not.toContain('First start');
    const result = await program.run(
      'query',
      'search',
      ...access(),
      '--where',
      '"before the stop"',
    );
    expect(result.stdout).toContain('before the stop');
    expect((await server.stop()).code).toBe(0);
  });
});

describe('metrics on an address of their own', () => {
  const program = new Program({ SIGHTLINE_METRICS_ADDRESS: '127.0.0.1:0' });
  afterAll(() => program.remove());

  it('are served there and not on the port of the API', async () => {
    const server = await program.serve();
    const address = /metrics +(\S+)/.exec(server.banner)?.[1] ?? '';
    const metrics = await (await fetch(address)).text();
    expect(metrics).toContain('sightline_ingest_pending_bytes 0');
    expect(metrics).toContain('sightline_ingest_repeated_requests_total 0');
    expect((await fetch(`${server.api}/metrics`)).status).toBe(404);
    expect((await server.stop()).code).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')('count the restarts of the engine', async () => {
    const server = await program.serve();
    const address = /metrics +(\S+)/.exec(server.banner)?.[1] ?? '';
    const metrics = async (): Promise<string> => (await fetch(address)).text();
    expect(await metrics()).toContain('sightline_engine_restarts_total 0');
    process.kill(enginePid(server), 'SIGKILL');
    await eventually(async () => {
      const text = await metrics();
      expect(text).toContain('sightline_engine_restarts_total 1');
      expect(text).toContain('sightline_engine_up 1');
    });
    expect((await server.stop()).stderr).toContain('telemetry engine');
  });
});

describe('commands before the first start', () => {
  const program = new Program();
  afterAll(() => program.remove());

  it('leave nothing behind that stops it', async () => {
    for (const command of [
      ['admin', 'services', 'list'],
      ['admin', 'rotate-secret-key'],
      ['backup', join(program.dataDir, 'backup')],
    ]) {
      expect(await program.run(...command), command.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Start the server once') as string,
      });
    }
    expect(await program.run('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ok +engine +embedded, created in/) as string,
    });
    const server = await program.serve();
    expect((await server.stop()).code).toBe(0);
  });
});

describe('a wrong configuration', () => {
  const program = new Program({ SIGHTLINE_API_PORT: 'eighty', SIGHTLINE_DEPLOYMENT: 'cloud' });
  afterAll(() => program.remove());

  it('is told whole, at once, with exit code 2', async () => {
    const { code, stderr } = await program.run('serve');
    expect(code).toBe(2);
    expect(stderr).toContain('SIGHTLINE_API_PORT must be a whole number');
    expect(stderr).toContain('SIGHTLINE_DEPLOYMENT must be all, open-source or managed');
  });

  it('the doctor finds it, and finds nothing on a good one', async () => {
    expect(await program.run('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/FAIL +configuration +SIGHTLINE_API_PORT/) as string,
    });
    const well = await program.spawn(['doctor'], {
      SIGHTLINE_API_PORT: '0',
      SIGHTLINE_DEPLOYMENT: 'all',
    }).ended;
    expect(well).toMatchObject({ code: 0, stdout: expect.stringMatching(/ok +engine/) as string });
  });
});
