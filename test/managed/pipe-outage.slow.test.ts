import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import type { HttpAnswer } from '../kit/http.ts';

/** A pipe needs the engine for its tables: what callers see while the engine is away. */

let server: ClickHouseServer;
let telemetry: Telemetry;
let api: ApiKit;
let base: string;

beforeAll(async () => {
  server = await startClickHouseServer();
  telemetry = await openClickHouse({ url: server.url });
  api = await startApi({ telemetry });
  base = `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/pipes`;
});
afterAll(async () => {
  await api?.stop();
  await telemetry?.close();
  await server?.close();
});

const call = (method: string, path = '', body?: object): Promise<HttpAnswer> =>
  api.managed.call(method, `${base}${path}`, body ? { body } : {});
const columns = [{ name: 'id', type: 'UInt64' }];
const mapping = (name: string) => ({
  sourceSchemaName: 'public',
  sourceTable: name,
  targetTable: name,
});
const bodies = {
  kafka: {
    source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
    destination: { table: 'by_kafka', columns },
  },
  objectStorage: {
    source: {
      objectStorage: { url: 'http://127.0.0.1:9/shop/*.json', format: 'JSONEachRow' },
    },
    destination: { table: 'by_objects', columns },
  },
  cloudstream: {
    source: {
      cloudstream: {
        streamName: 'orders',
        region: 'us-east-1',
        accessKey: { accessKeyId: 'KEY', secretKey: 'secret' },
      },
    },
    destination: { table: 'by_stream', columns },
  },
  postgres: {
    source: {
      postgres: {
        host: '127.0.0.1',
        port: 9,
        database: 'shop',
        credentials: { username: 'u', password: 'p' },
        tableMappings: [mapping('orders')],
      },
    },
    destination: { roles: ['analyst'] },
  },
};
const away = {
  status: 503,
  requestId: expect.any(String) as string,
  error: 'INTERNAL: the telemetry engine does not respond. Send the request again later.',
};
const expectAway = ({ json, headers }: HttpAnswer, what: string): void => {
  expect([what, json, headers.get('retry-after')]).toEqual([what, away, '5']);
};

describe('while the engine is away', () => {
  it('creation, change and errors of every kind answer 503, what to do and Retry-After', async () => {
    const ids: string[] = [];
    for (const [kind, { source, destination }] of Object.entries(bodies)) {
      const { roles: _, ...withoutRoles } = { roles: [], ...destination };
      const made = await call('POST', '', { source, destination: withoutRoles });
      expect(made.status, `${kind}: ${made.text}`).toBe(200);
      ids.push(made.json.result.id as string);
    }
    await server.kill();
    for (const [kind, body] of Object.entries(bodies)) {
      expectAway(await call('POST', '', body), kind);
    }
    for (const id of ids.slice(0, 3)) {
      const more = [...columns, { name: 'more', type: 'String' }];
      expectAway(await call('PATCH', `/${id}`, { destination: { columns: more } }), 'PATCH');
      expectAway(await call('GET', `/${id}/errors`), 'errors');
    }
    const added = { source: { postgres: { tableMappingsToAdd: [mapping('items')] } } };
    expectAway(await call('PATCH', `/${ids[3]}`, added), 'PATCH of postgres');
    const listed = await call('GET');
    expect(listed.json.result.map(({ id }: { id: string }) => id)).toEqual(ids);

    await server.restart();
    for (const id of ids.slice(0, 3)) {
      const more = [...columns, { name: 'more', type: 'String' }];
      const changed = await call('PATCH', `/${id}`, { destination: { columns: more } });
      expect(changed.status, changed.text).toBe(200);
    }
  });

  it('an engine that hangs is told from one that is slow, long before the statement times out', async () => {
    await server.pause();
    try {
      const startedMs = performance.now();
      expectAway(await call('POST', '', bodies.objectStorage), 'POST');
      expect(performance.now() - startedMs).toBeLessThan(55_000);
    } finally {
      server.resume();
    }
    const destination = { table: 'after_pause', columns };
    const made = await call('POST', '', { ...bodies.objectStorage, destination });
    expect(made.status, made.text).toBe(200);
  });

  it('a pipe can be stopped, scaled and deleted', async () => {
    const made = await call('POST', '', bodies.kafka);
    const { id } = made.json.result as { id: string };
    await server.kill();
    const stopped = await call('PATCH', `/${id}/state`, { command: 'stop' });
    const scaled = await call('PATCH', `/${id}/scaling`, { replicas: 2 });
    const deleted = await call('DELETE', `/${id}`);
    expect([stopped.status, scaled.status, deleted.status]).toEqual([200, 200, 200]);
    await server.restart();
  });
});
