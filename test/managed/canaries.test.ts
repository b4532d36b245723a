import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit, type TestKey } from '../kit/api.ts';
import type { HttpAnswer, JsonAnswer } from '../kit/http.ts';
import { newAlert, webhookInput } from '../kit/stack-objects.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { pipeSecrets } from './pipe-secrets.ts';

let api: ApiKit;
let engine: TestTelemetry;
/** While set, nothing can be written. */
let broken = false;
beforeAll(async () => {
  engine = await openTestTelemetry();
  api = await startApi({
    telemetry: engine.telemetry,
    auditLimits: { windowMs: 3_600_000 },
    through: (store) => ({
      ...store,
      transaction: (work) =>
        broken ? Promise.reject(new Error('disk I/O error')) : store.transaction(work),
    }),
  });
});
afterAll(async () => {
  await api.stop();
  await engine.close();
});

let made = 0;
const canaries: string[] = [];
/** A secret that is found wherever it turns up. */
function canary(): string {
  const text = `canary-${++made}-${createHash('sha256').update(String(made)).digest('hex').slice(0, 24)}`;
  canaries.push(text);
  return text;
}

/** The forms in which a secret may leak: as it is, and as the encodings that are around here. */
const forms = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  createHash('sha256').update(secret).digest('base64'),
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
];

const answers: string[] = [];
const watch = async (call: Promise<HttpAnswer>): Promise<HttpAnswer> => {
  const answer = await call;
  answers.push(JSON.stringify([...answer.headers]), answer.text);
  return answer;
};

/** Fields of a webhook that are write-only. */
const secrets = () => ({
  headers: { 'X-Token': canary() },
  queryParams: { token: canary() },
  secret: `whsec_${Buffer.from(canary()).toString('base64')}`,
});
/** Makes, changes, moves, uses and refuses webhooks with headers, parameters and secrets. */
async function useWebhooks(): Promise<{ hook: JsonAnswer; alert: JsonAnswer }> {
  const hook = (await watch(api.call('POST', '/webhooks', { body: webhookInput(secrets()) }))).json
    .data;
  for (const body of [
    secrets(),
    { ...secrets(), url: 'https://elsewhere.example.com/x' },
    { ...secrets(), url: 'ftp://bad' },
    { ...secrets(), service: 5 },
    { headers: { 'bad name': canary() } },
    { secret: { deep: canary() } },
    { headers: canary() },
  ]) {
    await watch(api.call('PUT', `/webhooks/${hook.id}`, { body }));
  }
  await watch(
    api.call('POST', '/webhooks', { body: webhookInput({ ...secrets(), name: hook.name }) }),
  );
  const alert = await newAlert(api, { channel: { type: 'webhook', webhookId: hook.id } });
  await watch(api.call('DELETE', `/webhooks/${hook.id}`));

  return { hook, alert };
}

/** Makes keys of both surfaces: only the answer that creates them may show them, so it is not watched. */
async function useKeys() {
  const { managed } = api;
  const created = (
    await managed.organization('POST', '/keys', {
      body: { name: 'watched', roles: ['admin'] },
      headers: { 'idempotency-key': 'once' },
    })
  ).json.result;
  const access = (await api.call('POST', '/team/access-keys', { body: { name: 'watched' } })).json
    .data;
  const accessText = Object.values(access).find(
    (value): value is string => typeof value === 'string' && value.startsWith('slp_'),
  )!;
  canaries.push(created.keyId, created.keySecret, accessText);
  const mine = { id: canary(), secret: canary() };
  const hash = (text: string) => createHash('sha256').update(text).digest('base64');
  await watch(
    managed.organization('POST', '/keys', {
      body: {
        hashData: {
          keyIdHash: hash(mine.id),
          keyIdSuffix: mine.id.slice(-4),
          keySecretHash: hash(mine.secret),
        },
      },
    }),
  );
  for (const body of [
    { keySecret: canary() },
    { hashData: { keyIdHash: canary(), keyIdSuffix: 'abcd', keySecretHash: canary() } },
    { hashData: canary() },
    `{"name": "${canary()}`,
    { name: { secret: canary() } },
    { roles: [canary()] },
    { expireAt: canary() },
    { state: canary() },
    { ipAccessList: [{ source: canary() }] },
  ]) {
    await watch(managed.organization('POST', '/keys', { body }));
  }
  await watch(
    managed.organization('PATCH', `/keys/${created.key.id}`, { body: { keySecret: canary() } }),
  );
  const watched = api.keyOf({
    ...managed,
    id: created.key.id,
    keyId: created.keyId,
    keySecret: created.keySecret,
  });
  await watch(watched.organization('GET', '/keys'));
  await watch(api.keyOf({ ...watched, keySecret: canary() }).organization('GET', '/keys'));
  await watch(api.keyOf({ ...watched, keyId: canary() }).organization('GET', '/keys'));
  await watch(api.call('GET', '/webhooks', { headers: { authorization: `Bearer ${canary()}` } }));
  await watch(managed.call('GET', `/organizations/${canary()}/keys`));
  await watch(
    managed.call('GET', `/organizations/${managed.organizationId}/keys?limit=${canary()}`),
  );

  return { created, watched };
}

/** Makes, reads, changes and refuses a pipe of every kind, with each of its write-only fields. */
async function usePipes(): Promise<void> {
  const { managed } = api;
  const { pem, ...pipeBodies } = pipeSecrets(canary);
  const pipes = `/organizations/${managed.organizationId}/services/${managed.serviceId}/pipes`;
  for (const [kind, { body, change }] of Object.entries(pipeBodies)) {
    const { status, json, text } = await watch(managed.call('POST', pipes, { body }));
    expect([kind, status], text).toEqual([kind, 200]);
    const path = `${pipes}/${json.result.id}`;
    if (JSON.stringify(body).includes('127.0.0.1')) {
      const { source } = body;
      const { json: checked } = await watch(
        managed.call('POST', `${pipes}/check`, { body: { source } }),
      );
      expect([kind, checked.result?.ok]).toEqual([kind, false]);
    }
    for (const wrong of [
      { ...body, name: 5 },
      { ...body, colour: canary() },
      { ...body, source: { ...body.source, pigeon: { password: canary() } } },
      { ...body, source: canary() },
    ]) {
      await watch(managed.call('POST', pipes, { body: wrong }));
    }
    expect((await watch(managed.call('PATCH', path, { body: { source: change } }))).status).toBe(
      200,
    );
    await watch(
      managed.call('PATCH', path, { body: { source: { ...change, validateSamples: canary() } } }),
    );
    for (const sub of ['', '/settings', '/metrics', '/errors']) {
      await watch(managed.call('GET', path + sub));
    }
  }
  await watch(
    managed.call('POST', pipes, {
      body: {
        ...pipeBodies.kafka.body,
        source: { kafka: { ...pipeBodies.kafka.body.source.kafka, caCertificate: pem } },
      },
    }),
  );
  await watch(managed.call('GET', pipes));
}

/** Failures of the server, which are logged with their cause. */
async function fail(hook: JsonAnswer, created: JsonAnswer, watched: TestKey): Promise<void> {
  const { managed } = api;
  broken = true;
  const failed = [
    await watch(api.call('POST', '/webhooks', { body: webhookInput(secrets()) })),
    await watch(api.call('PUT', `/webhooks/${hook.id}`, { body: secrets() })),
    await watch(managed.organization('POST', '/keys', { body: { name: canary() } })),
    await watch(
      managed.organization('POST', '/keys', {
        body: {},
        headers: { 'idempotency-key': 'fails' },
      }),
    ),
    await watch(
      watched.organization('PATCH', `/keys/${created.key.id}`, { body: { name: canary() } }),
    ),
  ];
  broken = false;
  expect(failed.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
}

/** Reads everything that can be read, on both surfaces. */
async function readEverything(
  hook: JsonAnswer,
  alert: JsonAnswer,
  created: JsonAnswer,
): Promise<void> {
  const { managed } = api;
  const readable = [
    '/webhooks',
    `/webhooks/${hook.id}`,
    '/alerts',
    `/alerts/${alert.id}`,
    '/sources',
    '/team',
    '/team/access-keys',
    '/dashboards',
    '/saved-searches',
    '/openapi.json',
    '/docs',
  ];
  for (const path of readable) {
    await watch(api.call('GET', path));
  }
  for (const path of [
    '',
    '/keys',
    `/keys/${created.key.id}`,
    '/services',
    '/activities',
    '/activities?outcome=denied',
    '/activities?outcome=failure',
  ]) {
    await watch(managed.organization('GET', path));
  }
  for (const path of ['/alerts', '/sources', '/dashboards', '/saved-searches']) {
    await watch(managed.stack('GET', path));
  }
  await watch(managed.call('GET', '/openapi.json'));
  await api.trail.flush();
  await api.usage.flush();
  await watch(managed.organization('GET', '/activities'));
  await watch(managed.organization('DELETE', `/keys/${created.key.id}`));
}

/** Where a secret turned up. */
function leaksIn(store: string): string[] {
  const leaks: string[] = [];
  for (const secret of canaries) {
    for (const form of forms(secret)) {
      if (answers.some((text) => text.includes(form))) {
        leaks.push(`an answer has ${form}`);
      }
      if (api.logLines.some((line) => line.includes(form))) {
        leaks.push(`the log has ${form}`);
      }
    }
    if (store.includes(secret)) {
      leaks.push(`the store has ${secret}`);
    }
  }
  return leaks;
}

describe('secrets', () => {
  it('in every write-only field, they appear in no answer, log or error, nor in clear in the store', async () => {
    const { managed } = api;
    canaries.push(
      managed.keySecret,
      managed.keyId,
      api.first.accessKey,
      api.first.password,
      api.first.ingestionKey,
    );

    const { hook, alert } = await useWebhooks();
    const { created, watched } = await useKeys();
    await usePipes();
    await fail(hook, created, watched);
    await readEverything(hook, alert, created);

    const store = readdirSync(api.directory)
      .map((name) => readFileSync(join(api.directory, name)).toString('latin1'))
      .join('\n');
    expect(store).toContain('watched');
    expect(api.logLines.length).toBeGreaterThan(0);
    expect(canaries.length).toBeGreaterThan(40);
    expect(answers.length).toBeGreaterThan(80);
    expect(leaksIn(store)).toEqual([]);
  });
});
