import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createWorkspace, setIngestionKey } from '../../src/core/identity/provision.ts';
import { startTestApp } from '../kit/app.ts';
import { database, openEngine, post } from './kit.ts';

const line = JSON.stringify({
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'first' } }] }] }],
});

it('the first requests for a new service share one creation of its tables', async () => {
  const engine = await openEngine();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-new-service-'));
  const migrated: string[] = [];
  const telemetry = new Proxy(engine.telemetry, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'migrate') {
        return (of: string) => {
          migrated.push(of);
          return target.migrate(of);
        };
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const app = await startTestApp({
    folder,
    roles: ['ingest'],
    config: { clickhouseDatabase: database },
    parts: { telemetry },
  });
  try {
    const { store, vault, first, addresses } = app;
    const provision = { store, vault, ids: createIds({ now: () => Date.now() }) };
    const { id } = await createWorkspace(provision, {
      organizationId: first?.organizationId ?? '',
      name: 'later',
      database: 'later',
    });
    const authorization = 'the-ingestion-key-of-a-later-service';
    await setIngestionKey(provision, id, authorization);
    const sent = await Promise.all(
      Array.from({ length: 30 }, () =>
        post(`${addresses.otlpHttp}/v1/logs`, line, { authorization }),
      ),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(migrated).toEqual([database, 'later']);
  } finally {
    await app.stop();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
