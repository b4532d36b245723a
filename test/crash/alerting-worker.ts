import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { createWebhookSender } from '../../src/adapters/webhook/webhook-sender.ts';
import type { AlertStore } from '../../src/ports/store/alert-store.ts';
import type { Store, StoreParts } from '../../src/ports/store/store.ts';
import { startTestApp } from '../kit/app.ts';

/**
 * A process that evaluates alerts from where the last one died, and dies itself at the nth passage
 * of a named point.
 */
const [folder = '', point = '', nth = '0', untilText = ''] = process.argv.slice(2);
let passages = 0;
let started = false;
function pass(name: string): void {
  if (started && name === point && ++passages === Number(nth)) {
    process.kill(process.pid, 'SIGKILL');
  }
}

const clockFile = join(folder, 'clock');
let nowMs = Number(readFileSync(clockFile, 'utf8'));
const clock = { now: () => nowMs };
const store = watched(await openSqliteStore({ path: join(folder, 'metadata.db'), clock }));
const telemetry = await openEmbedded({ path: join(folder, 'engine') });
const watchedTelemetry = new Proxy(telemetry, {
  get(target, name: keyof typeof telemetry) {
    if (name === 'query') {
      return async (...call: Parameters<typeof telemetry.query>) => {
        const result = await target.query(...call);
        pass('query');
        return result;
      };
    }
    const member = target[name];
    return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
  },
});
const sender = createWebhookSender({
  egress: egressGuard({ allow: ['127.0.0.0/8'] }),
  timeoutMs: 2000,
});
const app = await startTestApp({
  folder,
  roles: ['alerts'],
  config: { clickhouseDatabase: 'sightline', queryTimeoutMs: 10_000 },
  log: createLog({ level: 'error', destination: process.stderr }),
  clock,
  random: () => 0,
  parts: {
    store,
    telemetry: watchedTelemetry,
    vault: createVault(Buffer.alloc(32, 5)),
    sender: {
      close: () => sender.close(),
      async send(request, signal) {
        pass('send');
        const attempt = await sender.send(request, signal);
        pass('2xx');
        return attempt;
      },
    },
  },
  tuning: { ticksByHand: true },
});
// The first start takes a lease too, which is none of the alerts'.
started = true;

for (; nowMs <= Number(untilText); nowMs += 60_000) {
  writeFileSync(clockFile, String(nowMs));
  await app.alerting?.tick();
  await app.alerting?.delivered();
}
await app.stop();
await sender.close();
await telemetry.close();
await store.close();

/** The real store, with the points between its steps. */
function watched(real: Store): Store {
  const alerts = (inner: AlertStore): AlertStore => ({
    ...inner,
    async record(written) {
      await inner.record({ ...written, evaluations: [], outbox: [] });
      pass('state');
      const waiting = await inner.record(written);
      pass('outbox');
      return waiting;
    },
    async recordCalm(windows) {
      await inner.recordCalm(windows);
      pass('state');
      pass('outbox');
    },
    async recordMarks(marks) {
      await inner.recordMarks(marks);
      pass('mark');
    },
  });
  return {
    ...real,
    alerts: alerts(real.alerts),
    leases: {
      ...real.leases,
      async acquire(name, holder, ttlMs) {
        const lease = await real.leases.acquire(name, holder, ttlMs);
        pass('lease');
        return lease;
      },
    },
    async transaction<T>(work: (parts: StoreParts) => Promise<T>): Promise<T> {
      let recorded = false;
      const value = await real.transaction((parts) =>
        work({
          ...parts,
          alerts: {
            ...alerts(parts.alerts),
            record: async (written) => {
              recorded = written.evaluations.length > 0;
              return alerts(parts.alerts).record(written);
            },
            recordCalm: async (windows) => {
              recorded = true;
              await alerts(parts.alerts).recordCalm(windows);
            },
          },
        }),
      );
      if (recorded) {
        pass('commit');
      }
      return value;
    },
  };
}
