import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { openWebhookSecrets } from '../../src/core/webhook/webhook-secrets.ts';
import { secretPlaces } from '../../src/ports/store/secret-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { credentials, environment, openCall } from '../kit/backup-load.ts';
import { until } from '../kit/eventually.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { Program, type Ended, type Server } from '../kit/program.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

let receiver: WebhookReceiver;
const programs: Program[] = [];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.remove()));
  await receiver?.close();
});

const webhookOf = (name: string): object => ({
  name,
  service: 'generic',
  url: `${receiver.url}/${name}`,
  secret: `secret of ${name}`,
});

async function createWebhooks(server: Server, prefix: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      openCall(server, 'POST', '/webhooks', webhookOf(`${prefix}-${index}`)),
    ),
  );
}

/** A signed test event needs the secret of the webhook. */
async function expectSignedTest(server: Server): Promise<void> {
  const webhooks = await openCall<{ id: string }[]>(server, 'GET', '/webhooks');
  for (const { id } of [webhooks[0], webhooks.at(-1)].flatMap((one) => one ?? [])) {
    const before = receiver.received.length;
    await openCall(server, 'POST', `/webhooks/${id}/test`);
    await until('the test event', () => Promise.resolve(receiver.received.length > before));
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/);
  }
}

/** How many secrets there are, and how many of the webhooks' a key opens. */
async function secretsUnder(store: Store, key: Buffer): Promise<{ all: number; opened: number }> {
  const vault = createVault(key);
  let [all, opened] = [0, 0];
  for (const place of secretPlaces) {
    all += (await store.secrets.page(place, [], 10_000)).length;
  }
  for (const { id } of await store.identity.workspaces()) {
    const { items } = await store.documents.list(id, 'webhook', { limit: 1000, offset: 0 });
    for (const stored of items) {
      try {
        openWebhookSecrets(vault, stored);
        opened++;
      } catch {
        // Sealed under another key.
      }
    }
  }
  return { all, opened };
}

const keysIn = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

describe('a change of the secret key in the data directory', () => {
  it('survives kill -9 at any moment, while the server runs and writes', async () => {
    const { SIGHTLINE_SECRET_KEY: _, ...withoutKey } = environment;
    const program = new Program(withoutKey);
    programs.push(program);
    const keyFile = join(program.dataDir, 'secret.key');
    const server = await program.serve();
    await createWebhooks(server, 'before', 150);
    const [oldKey = ''] = keysIn(keyFile);

    let rotation: Ended | undefined;
    let webhooks = 150;
    for (const delayMs of [0, 700, 1000, 1500]) {
      const killed = program.spawn(['admin', 'rotate-secret-key']);
      await until('the new key', () => Promise.resolve(keysIn(keyFile).length === 2));
      await pause(delayMs);
      killed.child.kill('SIGKILL');
      const ended = await killed.ended;
      await expectSignedTest(server);
      await createWebhooks(server, `killed-${delayMs}`, 3);
      webhooks += 3;
      if (ended.code === 0) {
        // The machine was so slow that the kill came too late.
        rotation = ended;
        break;
      }
    }
    const writing = createWebhooks(server, 'during', 30);
    webhooks += 30;
    rotation ??= await program.run('admin', 'rotate-secret-key');
    await writing;
    expect([rotation.code, rotation.code === 0 || rotation.stderr]).toEqual([0, true]);
    expect(rotation.stdout).toContain('All stored secrets are encrypted with the new key');
    const keys = keysIn(keyFile);
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toBe(oldKey);
    expect(keysIn(`${keyFile}.old`)).toEqual([oldKey]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    // The running server remembers values from before.
    await expectSignedTest(server);
    await server.stop();

    const store = await openSqliteStore({ path: join(program.dataDir, 'sightline.db') });
    const under = await secretsUnder(store, Buffer.from(keys[0] ?? '', 'hex'));
    const underOld = await secretsUnder(store, Buffer.from(oldKey, 'hex'));
    await store.close();
    expect([under.opened, underOld.opened]).toEqual([webhooks, 0]);
    expect(under.all).toBeGreaterThan(webhooks);

    const restarted = await program.serve();
    await expectSignedTest(restarted);
    const shown = await program.run('admin', 'ingestion-key', 'show');
    expect(shown.stdout.trim()).toBe(credentials.ingestionKey);
    await restarted.stop();
  });
});

describe.skipIf(postgresMissing())('a change of the secret key in settings', () => {
  let postgres: PostgresPeer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());

  it('re-encrypts everything of several processes over one PostgreSQL store', async () => {
    const url = await postgres.createDatabase();
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const settings = { ...environment, SIGHTLINE_DATABASE_URL: url };
    const old = { ...settings, SIGHTLINE_SECRET_KEY: oldKey.toString('hex') };
    const first = new Program(old);
    const second = new Program(old);
    programs.push(first, second);
    let server = await first.serve();
    await createWebhooks(server, 'before', 20);
    const refused = await first.run('admin', 'rotate-secret-key');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('SIGHTLINE_PREVIOUS_SECRET_KEY'),
    ]);
    await server.stop();

    const both = {
      SIGHTLINE_SECRET_KEY: newKey.toString('base64'),
      SIGHTLINE_PREVIOUS_SECRET_KEY: oldKey.toString('hex'),
    };
    server = await first.serve(both);
    const other = await second.serve(both);
    const writing = createWebhooks(other, 'during', 10);
    const killed = first.spawn(['admin', 'rotate-secret-key'], both);
    await pause(600);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const rotation = await first.spawn(['admin', 'rotate-secret-key'], both).ended;
    await writing;
    expect([rotation.code, rotation.code === 0 || rotation.stderr]).toEqual([0, true]);
    expect(rotation.stdout).toContain('Remove SIGHTLINE_PREVIOUS_SECRET_KEY');
    await expectSignedTest(other);
    await Promise.all([server.stop(), other.stop()]);

    const store = await openPostgresStore({ url });
    expect((await secretsUnder(store, newKey)).opened).toBe(30);
    expect((await secretsUnder(store, oldKey)).opened).toBe(0);
    await store.close();
    server = await second.serve({ SIGHTLINE_SECRET_KEY: newKey.toString('hex') });
    await expectSignedTest(server);
    await server.stop();
    expect(existsSync(join(first.dataDir, 'secret.key'))).toBe(false);
  });
});
