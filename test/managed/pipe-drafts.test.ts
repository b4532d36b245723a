import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkspace } from '../../src/core/identity/provision.ts';
import { startApi, type ApiKit, type TestKey } from '../kit/api.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/** What a caller may ask of a source before a pipe has it, over HTTP. */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const password = 'draft-secret-word';
const credentials = { username: 'reader', password };
let engine: TestTelemetry;
let api: ApiKit;
let silent: Server;
let port: number;
const sockets = new Set<Socket>();
/** The first look of a kind loads its connector. */
const loading = { timeout: 6000 };
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry, pipes: true });
  // Takes connections, reads what comes, and never answers.
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  port = (silent.address() as { port: number }).port;
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
  for (const socket of sockets) {
    socket.destroy();
  }
  silent?.close();
});
const pipes = (key: TestKey = api.managed): string =>
  `/organizations/${key.organizationId}/services/${key.serviceId}/pipes`;
const ask = (
  operation: 'check' | 'discover',
  body: unknown,
  key = api.managed,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> => key.call('POST', `${pipes(key)}/${operation}`, { body, headers });
const away = (rest: object = {}) => ({
  postgres: { host: '127.0.0.1', port: 9, database: 'shop', credentials, ...rest },
});
const pathsOf = ({ json }: HttpAnswer): string[] =>
  json.errors.map(({ path }: { path: string }) => path);
async function newPipe(): Promise<string> {
  const tableMappings = [
    { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' },
  ];
  const { json, text } = await api.managed.call('POST', pipes(), {
    body: { source: away({ tableMappings }), destination: { database: 'telemetry' } },
  });
  expect(json.result, text).toBeDefined();
  return json.result.id;
}

describe('a draft of a source', () => {
  it.each(['check', 'discover'] as const)(
    'that does not work is no error of the request: %s',
    async (operation) => {
      const { status, json, text } = await ask(operation, { source: away() });
      expect(status, text).toBe(200);
      expect(json.result).toMatchObject({
        ok: false,
        issues: [
          {
            path: 'source.postgres.host',
            reason: 'connection_failed',
            message: expect.stringMatching(/connection refused/),
          },
        ],
      });
      expect(text).not.toContain(password);
    },
  );

  it.each([
    [{}, ['source']],
    [{ source: {} }, ['source']],
    [{ source: { kafka: { brokers: 'a' } } }, ['source.kafka.brokers']],
    [{ source: { kafka: { brokers: 'a:1', colour: 1 } } }, ['source.kafka.colour']],
    [
      { source: { kafka: { brokers: 'a:1' }, postgres: {} } },
      expect.arrayContaining(['source.postgres.host']),
    ],
    [{ source: away(), item: '' }, ['item']],
    [{ source: away(), pipeId: 'x' }, ['pipeId']],
    [
      { source: { kafka: { brokers: '127.0.0.1:9', authentication: 'PLAIN' } } },
      ['source.kafka.credentials.username', 'source.kafka.credentials.password'],
    ],
    [{ source: away({ host: '10.1.2.3' }) }, ['source.postgres.host']],
    [{ source: { kafka: { brokers: '169.254.169.254:80' } } }, ['source.kafka.brokers']],
    [
      { source: { objectStorage: { url: 'https://192.168.0.1/b/*.json' } } },
      ['source.objectStorage.url'],
    ],
  ])('that a creation would refuse is a 400 that names the field: %j', async (body, paths) => {
    const answer = await ask('discover', body);
    expect([answer.status, answer.text.includes(password)]).toEqual([400, false]);
    expect(pathsOf(answer)).toEqual(paths);
  });

  it('may be looked at only by those who may create a pipe', async () => {
    const developer = await api.newKey(['developer']);
    for (const operation of ['check', 'discover'] as const) {
      expect((await ask(operation, { source: away() }, developer)).status).toBe(403);
    }
  });

  it('leaves an audit line without its content', async () => {
    await ask('check', { source: away() });
    const { json, text } = await api.managed.organization(
      'GET',
      '/activities?operation=checkPipe&limit=1',
    );
    expect(json.result[0]).toMatchObject({
      operation: 'checkPipe',
      object: { kind: 'pipe' },
      outcome: 'success',
    });
    expect(text).not.toContain(password);
  });

  it('is stored nowhere, not for an Idempotency-Key either', async () => {
    const marker = 'stored-nowhere-7d1c';
    const headers = { 'idempotency-key': 'same' };
    for (const host of [`${marker}.invalid`, `${marker}-2.invalid`]) {
      const { status, json } = await ask('check', { source: away({ host }) }, api.managed, headers);
      expect([status, json.result.issues[0].reason]).toEqual([200, 'host_not_found']);
    }
    const store = readdirSync(api.directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(api.directory, name)).toString('latin1'))
      .join('\n');
    expect(store.includes(marker)).toBe(false);
    expect(store.includes(password)).toBe(false);
    expect(api.logLines.join('\n')).not.toContain(password);
  });
});

describe('a draft of an existing pipe', () => {
  it('gets its stored credentials, but only for the host of the pipe', async () => {
    const pipeId = await newPipe();
    const own = { source: away({ credentials: undefined }), pipeId };
    expect((await ask('check', own)).json.result.issues[0].reason).toBe('connection_failed');
    for (const other of [{ host: 'localhost' }, { port }]) {
      const body = { source: away({ credentials: undefined, ...other }), pipeId };
      const answer = await ask('check', body);
      expect([answer.status, pathsOf(answer)]).toEqual([400, ['source.postgres.credentials']]);
    }
    const kafka = await ask('check', { source: { kafka: { brokers: '127.0.0.1:9' } }, pipeId });
    expect([kafka.status, pathsOf(kafka)]).toEqual([400, ['source.kafka']]);
  });

  it('of another service, or of none, does not exist', async () => {
    const pipeId = await newPipe();
    const deps = { store: api.store, ids: api.ids, vault: api.vault };
    const { serviceId } = await createWorkspace(deps, {
      organizationId: api.managed.organizationId,
      name: 'other',
      database: 'other',
    });
    const other = api.keyOf({ ...api.managed, serviceId });
    for (const operation of ['check', 'discover'] as const) {
      const foreign = await ask(operation, { source: away(), pipeId }, other);
      const absent = await ask(operation, { source: away(), pipeId: api.ids.uuid() });
      expect([foreign.status, foreign.json.error]).toEqual([404, 'NOT_FOUND: pipe not found']);
      expect([absent.status, absent.json.error]).toEqual([404, foreign.json.error]);
    }
  });
});

describe('a source that never answers', () => {
  it('ends after 8 seconds, and a fourth look at the same time is refused', async () => {
    const begun = performance.now();
    const looks = [
      ask('check', { source: away({ port }) }),
      ask('discover', { source: { kafka: { brokers: `127.0.0.1:${port}` } } }),
      ask('check', {
        source: {
          objectStorage: {
            url: `http://127.0.0.1:${port}/bucket/*.json`,
            accessKey: { accessKeyId: 'AKID', secretKey: password },
          },
        },
      }),
    ];
    await expect.poll(() => sockets.size, loading).toBeGreaterThanOrEqual(3);
    // What would end the looks must not be collected meanwhile.
    collect();
    const fourth = await ask('check', { source: away() });
    expect([fourth.status, fourth.headers.get('retry-after')]).toEqual([429, '5']);
    for (const { status, json } of await Promise.all(looks)) {
      expect([status, json.result.ok, json.result.issues[0].reason]).toEqual([
        200,
        false,
        'timed_out',
      ]);
    }
    const tookMs = performance.now() - begun;
    expect(tookMs).toBeGreaterThan(7500);
    expect(tookMs).toBeLessThan(12_000);
    expect((await ask('check', { source: away() })).status).toBe(200);
    await expect.poll(() => sockets.size, { timeout: 3000 }).toBe(0);
  }, 30_000);

  it('is left at once by a caller who goes away, and lets others in', async () => {
    const sent = new AbortController();
    const looks = [
      { postgres: { ...away().postgres, port } },
      { kafka: { brokers: `127.0.0.1:${port}` } },
      { objectStorage: { url: `http://127.0.0.1:${port}/bucket/*.json` } },
    ].map((source) =>
      api.managed.call('POST', `${pipes()}/check`, { body: { source }, signal: sent.signal }).then(
        ({ status }) => status,
        (error: Error) => error.name,
      ),
    );
    await expect.poll(() => sockets.size, loading).toBeGreaterThanOrEqual(3);
    sent.abort();
    expect(await Promise.all(looks)).toEqual(['AbortError', 'AbortError', 'AbortError']);
    await expect.poll(() => sockets.size, { timeout: 3000 }).toBe(0);
    expect((await ask('check', { source: away() })).status).toBe(200);
  }, 15_000);
});
