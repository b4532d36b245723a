import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { sourceKinds } from '../../src/core/pipes/kinds/registry.ts';
import { sql } from '../../src/sql/sql.ts';
import type { ConnectorContext, Connectors } from '../../src/ports/connector.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { linesOfLog, startTestApp, type TestApp } from '../kit/app.ts';
import { keyAt, type TestKey } from '../kit/callers.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { testRows } from '../kit/telemetry.ts';
import { until } from '../kit/eventually.ts';
import { ledgerKind } from './ledger-kind.ts';

const secrets = {
  token: 'token-7f3a91c2e5',
  changedToken: 'token-b84d02f6a7',
  pin: 'pin-0c9e8d7f6a',
  code: 'code-5b4a39281f',
  key: 'AK-secret-key-61f0',
};
const source = {
  address: 'http://127.0.0.1:9/ledger',
  token: secrets.token,
  key: secrets.key,
  login: { user: 'reader', pin: secrets.pin },
  entries: [{ title: 'first', code: secrets.code }, { title: 'second' }],
  batchRows: 5,
};
const columns = [{ name: 'n', type: 'UInt32' }];

const folder = mkdtempSync(join(tmpdir(), 'sightline-fifth-kind-'));
const { log, lines } = linesOfLog();
const memory = new MemoryLog(1);
const contexts: ConnectorContext[] = [];
const answers: string[] = [];
let app: TestApp;
let key: TestKey;
let pipes: string;

beforeAll(async () => {
  const connectors: Connectors = {
    ...createConnectors(),
    ledger: (context) => {
      contexts.push(context);
      return memory.connector(context, 5);
    },
  };
  app = await startTestApp({
    folder,
    roles: ['api', 'pipes'],
    log,
    parts: { kinds: { ...sourceKinds, ledger: ledgerKind }, connectors },
    tuning: { pipes: { tickMs: 100 } },
  });
  const { first } = app;
  if (!first) {
    throw new Error('the app did not fill its store');
  }
  const { origin } = new URL(app.addresses.surfaces?.[0] ?? '');
  key = keyAt(origin, { ...first, id: '' });
  pipes = `/services/${first.serviceId}/pipes`;
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path = '', body?: object): Promise<HttpAnswer> {
  const answer = await key.organization(method, pipes + path, body && { body });
  answers.push(answer.text);
  return answer;
}
async function result(answer: Promise<HttpAnswer>) {
  const { status, text, json } = await answer;
  expect(status, text).toBe(200);
  return json.result;
}
async function create(table: string, change: object = {}) {
  const destination = { database: 'telemetry', table, columns };
  return result(call('POST', '', { source: { ledger: { ...source, ...change } }, destination }));
}
async function issues(answer: Promise<HttpAnswer>): Promise<string[]> {
  const { status, text, json } = await answer;
  expect(status, text).toBe(400);
  return json.errors.map(
    ({ path, message }: { path: string; message: string }) => `${path}: ${message}`,
  );
}
const stateOf = async (id: string): Promise<string> => (await result(call('GET', `/${id}`))).state;

describe('what a kind that is only in the registries answers, accepts and merges', () => {
  it('answers only what its record schema has, with its defaults; the connector gets all', async () => {
    const pipe = await create('shown');
    expect(pipe.name).toBe('ledger to shown');
    expect(pipe.source).toEqual({
      ledger: {
        address: source.address,
        account: `ledger-${pipe.id}`,
        key: 'AK***',
        login: { user: 'reader' },
        entries: [{ title: 'first' }, { title: 'second' }],
        batchRows: 5,
      },
    });
    expect((await result(call('GET', `/${pipe.id}`))).source).toEqual(pipe.source);
    const context = await until('a connector', () =>
      Promise.resolve(contexts.find(({ pipeId }) => pipeId === pipe.id)),
    );
    expect(context.source).toEqual({ ...source, account: `ledger-${pipe.id}` });
  });

  it('judges its addresses, certificates and rules when a pipe is saved', async () => {
    const destination = { database: 'telemetry', table: 'refused', columns };
    const refused = (change: object) =>
      issues(call('POST', '', { source: { ledger: { ...source, ...change } }, destination }));
    expect(await refused({ address: 'https://10.1.2.3/ledger' })).toEqual([
      expect.stringMatching(/^source\.ledger\.address: .*10\.1\.2\.3/),
    ]);
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
    expect(await refused({ caCertificate: pem, account: 'mine' })).toEqual([
      'source.ledger.caCertificate: holds a certificate that cannot be read',
    ]);
    expect(await refused({ account: 'closed' })).toEqual(['source.ledger.account: is closed']);
    expect(await refused({ token: 5 })).toEqual([
      expect.stringMatching(/^source\.ledger\.token: must be string/),
    ]);
    const fields = ['left', 'right'].map((name) => ({ name, type: 'String' }));
    const body = { source: { ledger: source }, destination: { ...destination, columns: fields } };
    expect(await issues(call('POST', '', body))).toEqual([
      'destination.columns: take left or right',
    ]);
    const own = { source: { ledger: source, kafka: { brokers: 'a:1', topics: 't' } }, destination };
    expect(await issues(call('POST', '', own))).toEqual([
      'source: must have exactly one of kafka, objectStorage, cloudstream, postgres, ledger; it has kafka and ledger',
    ]);
  });

  it('merges a PATCH by its own rule, and seals what the PATCH brings', async () => {
    const { id } = await create('merged', { tags: ['a'] });
    const change = { token: secrets.changedToken, account: 'other', addTags: ['b'] };
    const changed = await result(call('PATCH', `/${id}`, { source: { ledger: change } }));
    expect(changed.source.ledger).toMatchObject({
      account: 'other',
      tags: ['a', 'b'],
      key: 'AK***',
    });
    expect(changed.source.ledger).not.toHaveProperty('token');
    const context = await until('the connector of the changed pipe', () =>
      Promise.resolve(
        contexts.find(({ pipeId, source: { account } }) => pipeId === id && account === 'other'),
      ),
    );
    expect(context.source).toEqual({
      ...source,
      token: secrets.changedToken,
      account: 'other',
      tags: ['a', 'b'],
    });
    for (const [refused, issue] of [
      [{ ledger: { addTags: ['b'] } }, 'source.ledger.addTags: has b already'],
      [{ ledger: { account: 'closed' } }, 'source.ledger.account: is closed'],
      [
        { ledger: { address: 'https://a.example' } },
        'source.ledger.address: is not a known property',
      ],
      [{ kafka: {} }, "source.kafka: this pipe's source is ledger"],
    ] as const) {
      expect(await issues(call('PATCH', `/${id}`, { source: refused }))).toEqual([issue]);
    }
  });
});

describe('the life of a pipe of such a kind', () => {
  it('opens, rests and starts anew in its own states, and reads within its own limits', async () => {
    memory.append(Array.from({ length: 20 }, (_, n) => JSON.stringify({ n })));
    const destination = {
      database: 'telemetry',
      table: 'lived',
      columns: [...columns, { name: 'entry', type: 'UInt64' }],
    };
    const fieldMappings = [
      { sourceField: 'n', destinationField: 'n' },
      { sourceField: '_entry', destinationField: 'entry' },
    ];
    const { id } = await result(
      call('POST', '', { source: { ledger: source }, destination, fieldMappings }),
    );
    const metrics = await until('rows', async () => {
      const now = await result(call('GET', `/${id}/metrics`));
      return now.rows === 20 && now;
    });
    expect(metrics.batches).toBe(4);
    expect([metrics.lag, metrics.retainedBytes]).toEqual([null, 0]);
    const { checkpoint, ...listed } = metrics;
    expect(checkpoint).not.toEqual([]);
    const pipes = await result(call('GET', '?metrics=true'));
    expect(pipes.find((one: { id: string }) => one.id === id).metrics).toEqual(listed);
    expect(await result(call('GET', ''))).not.toContainEqual(
      expect.objectContaining({ metrics: expect.anything() as unknown }),
    );
    const { rows } = testRows(app.telemetry, 'telemetry');
    expect(await rows(sql`SELECT count() AS same FROM telemetry.lived WHERE n = entry`)).toEqual([
      { same: '20' },
    ]);
    expect(await stateOf(id)).toBe('Setup');
    const command = (name: string) => result(call('PATCH', `/${id}/state`, { command: name }));
    expect((await command('stop')).state).toBe('Pausing');
    await until('rest', async () => (await stateOf(id)) === 'Paused');
    const transitions = lines
      .filter((line) => line.includes('pipe state changed') && line.includes(id))
      .map((line) => JSON.parse(line) as { from: string; state: string })
      .map(({ from, state }) => `${from} ${state}`);
    expect(transitions).toEqual(['Provisioning Setup', 'Pausing Paused']);
    await command('resync');
    await until('rows read anew', async () => {
      return (await result(call('GET', `/${id}/metrics`))).rows === 40;
    });
  });
});

describe('a source of such a kind before a pipe has it', () => {
  it('is checked and explored with the secrets of its pipe, and its proposal makes a pipe', async () => {
    const { id } = await create('drafted');
    const draft = { ...source, key: 'AK***', login: { user: 'reader' } };
    const body = { source: { ledger: draft }, pipeId: id };
    expect(await result(call('POST', '/check', body))).toEqual({
      ok: true,
      steps: [{ step: 'connect', ok: true }],
      issues: [],
    });
    const context = contexts.find((one) => one.purpose === 'sample' && one.pipeId === id);
    expect(context?.source).toEqual(source);
    const other = { ...draft, address: 'http://127.0.0.1:8/ledger' };
    const refused = call('POST', '/check', { ...body, source: { ledger: other } });
    expect((await issues(refused)).map((issue) => issue.split(':', 1)[0]).toSorted()).toEqual([
      'source.ledger.key',
      'source.ledger.login.pin',
    ]);
    expect((await result(call('POST', '/discover', body))).items).toEqual([
      { id: 'log', partitions: 1 },
    ]);
    const { proposal } = await result(call('POST', '/discover', { ...body, item: 'log' }));
    expect(proposal).toEqual({
      source: { ledger: {} },
      destination: { table: 'log', columns: [{ name: 'n', type: 'Int64' }] },
      fieldMappings: [],
    });
  });
});

describe('the secrets of such a kind', () => {
  it('fails and is deleted without a word of its secrets', async () => {
    memory.down = true;
    const { id } = await create('lost');
    await until('trouble', async () => (await stateOf(id)) === 'Degraded');
    await result(call('GET', `/${id}/errors`));
    await result(call('GET', `/${id}/metrics`));
    memory.down = false;
    await call('DELETE', `/${id}`);
    await result(call('GET'));
    const trail = await key.organization('GET', '/activities');
    expect(trail.text).toContain(id);
    const places = {
      answers: answers.join('\n'),
      log: lines.join('\n'),
      'audit trail': trail.text,
      store: filesOf(folder),
    };
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(100);
      for (const [name, secret] of Object.entries(secrets)) {
        expect(text.includes(secret), `${name} in ${place}`).toBe(false);
      }
    }
  });
});

/** Every byte of the stores, in one text. The engine removes temporary files meanwhile. */
function filesOf(folder: string): string {
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'latin1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return '';
      }
      throw error;
    }
  };
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => read(join(parentPath, name)))
    .join('\n');
}
