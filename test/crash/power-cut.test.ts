import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { sql, trusted } from '../../src/sql/sql.ts';
import { childScript } from '../kit/child-script.ts';
import { Disk, diskMissing } from '../kit/disk.ts';
import { until } from '../kit/eventually.ts';
import { kafkaMockMissing, startKafkaMock } from '../kit/kafka-mock.ts';
import { startKinesis, testRegion } from '../kit/kinesis.ts';
import { findPostgres, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { startS3 } from '../kit/s3.ts';
import { Load, LogSender, type LoadPeers } from './power-load.ts';
import type { PowerOptions } from './power-process.ts';

const cuts = Number(process.env['SIGHTLINE_TEST_POWER_CUTS'] ?? 5);
const keys = {
  accessKey: 'slp_test_access_key_000000000000000000000000',
  ingestionKey: 'sli_test_ingestion_key_0000000000000000000000',
  keyId: 'power-test-key',
  keySecret: 'power-test-secret-000000000000',
};

interface Addresses {
  surfaces: string[];
  otlpHttp: string;
}

/** The server, whose disk the test takes the power from. */
class PoweredServer {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  addresses!: Addresses;

  private constructor(options: PowerOptions) {
    this.#child = spawn(process.execPath, [childScript('power-process'), JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'exit');
  }

  static async start(options: PowerOptions): Promise<PoweredServer> {
    const server = new PoweredServer(options);
    const lines = createInterface({ input: server.#child.stdout! });
    const [line] = (await Promise.race([
      once(lines, 'line'),
      server.#ended.then(() => {
        throw new Error('the server did not start');
      }),
    ])) as [string];
    server.addresses = JSON.parse(line) as Addresses;
    return server;
  }

  /** From now on it answers nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}

let disk: Disk;
let postgres: PostgresPeer | undefined;
let peers: LoadPeers;
let server: PoweredServer | undefined;
beforeAll(async () => {
  disk = Disk.create(1024);
  postgres = findPostgres() ? await startPostgres({ wal_level: 'logical' }) : undefined;
  const client = postgres && new Client({ connectionString: postgres.url });
  await client?.connect();
  await client?.query('CREATE TABLE power (n int PRIMARY KEY)');
  const kafka = kafkaMockMissing() ? undefined : await startKafkaMock();
  await kafka?.createTopic('power', 4);
  peers = { kafka, postgres: client, kinesis: await startKinesis(), s3: await startS3() };
  await peers.kinesis.createStream('power', 2);
  await peers.s3.bucket('power');
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await peers?.kafka?.remove();
  await peers?.kinesis.remove();
  await peers?.s3.remove();
  await peers?.postgres?.end();
  await postgres?.remove();
  await disk?.unmount();
  disk?.remove();
});
const start = (lateMs: number): Promise<PoweredServer> =>
  PoweredServer.start({
    folder: join(disk.path, 'data'),
    ...keys,
    streamService: peers.kinesis.endpoint,
    lateMs,
  });
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const managed = server!.addresses.surfaces.find((url) => url.endsWith('/v1'))!;
  const answer = await fetch(`${managed}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return (JSON.parse(text) as { result: T }).result;
}
async function pipesPath(): Promise<string> {
  const [organization] = await call<[{ id: string }]>('GET', '/organizations');
  const services = `/organizations/${organization.id}/services`;
  const [service] = await call<[{ id: string }]>('GET', services);
  return `${services}/${service.id}/pipes`;
}
async function createPipes(): Promise<void> {
  const base = await pipesPath();
  const create = (name: string, source: object): Promise<unknown> =>
    call('POST', base, {
      name,
      source,
      destination: {
        database: 'telemetry',
        table: name,
        columns: [{ name: 'n', type: 'UInt64' }],
        tableDefinition: { sortingKey: ['n'] },
      },
      settings:
        name === 'objects'
          ? { object_storage_polling_interval_ms: 100 }
          : { streaming_max_insert_wait_ms: 500 },
    });
  if (peers.kafka) {
    await create('kafka', { kafka: { brokers: peers.kafka.broker, topics: 'power' } });
  }
  await create('kinesis', {
    cloudstream: {
      streamName: 'power',
      region: testRegion,
      accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a very secret key' },
    },
  });
  await create('objects', {
    objectStorage: {
      url: `${peers.s3.direct}/power/in/**`,
      accessKey: peers.s3.accessKey,
      isContinuous: true,
    },
  });
  if (postgres) {
    await call('POST', base, {
      name: 'postgres',
      source: {
        postgres: {
          host: '127.0.0.1',
          port: postgres.port,
          database: 'postgres',
          credentials: { username: 'postgres', password: 'not asked for' },
          settings: { syncIntervalSeconds: 1 },
          tableMappings: [
            { sourceSchemaName: 'public', sourceTable: 'power', targetTable: 'postgres' },
          ],
        },
      },
      destination: { database: 'telemetry' },
    });
  }
}
/** Through the interface of the running server, which has the directory. */
async function untilStored(tables: readonly string[], sent: Record<string, number>): Promise<void> {
  const base = await pipesPath();
  for (const { id, name } of await call<{ id: string; name: string }[]>('GET', base)) {
    let last: { rows: number } | undefined;
    await until(
      `all rows of ${name}`,
      async () => {
        const before = last?.rows;
        last = await call<{ rows: number }>('GET', `${base}/${id}/metrics`);
        await pause(1000);
        // An interrupted snapshot counts rows that the stream brings again.
        return !tables.includes(name) || (last.rows >= sent[name]! && last.rows === before);
      },
      90_000,
    ).catch((error: unknown) => {
      // The counts of the tables say more.
      console.log(`${String(error)} ${JSON.stringify(last)}`);
    });
  }
  await pause(2000);
}
async function inspect(
  tables: readonly string[],
  acknowledged: readonly number[],
): Promise<Record<string, object>> {
  const telemetry = await openEmbedded({ path: join(disk.path, 'data', 'telemetry') });
  try {
    const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
    const stored: Record<string, object> = {};
    for (const table of tables) {
      // Of two rows with one key the newer one counts: an interrupted snapshot stores some twice.
      const final = trusted(table === 'postgres' ? 'FINAL' : '');
      const { rows } = await telemetry.query(
        sql`SELECT toUInt32(count()), toUInt32(uniqExact(n))
          FROM telemetry.${trusted(table)} ${final}`,
        admin,
      );
      stored[table] = { rows: rows[0]?.[0], distinct: rows[0]?.[1] };
    }
    const { rows } = await telemetry.query(
      sql`SELECT toUInt32(toString(Body)), toUInt32(count()) FROM telemetry.otel_logs GROUP BY Body`,
      admin,
    );
    const counts = new Map(rows.map(([n, count]) => [Number(n), Number(count)]));
    stored['logs'] = {
      missing: acknowledged.filter((n) => !counts.has(n)).length,
      repeated: [...counts.values()].filter((count) => count > 1).length,
    };
    return stored;
  } finally {
    await telemetry.close();
  }
}

describe.skipIf(diskMissing())('a server whose disk loses its power again and again', () => {
  it(
    'has every row of every pipe exactly once, and every acknowledged log record',
    { timeout: 1_800_000 },
    async () => {
      const logs = new LogSender();
      server = await start(0);
      await createPipes();
      const load = new Load(peers);
      for (let cut = 0; cut < cuts; cut++) {
        const sending = logs.run(server.addresses.otlpHttp, keys.ingestionKey);
        await pause(5000 + Math.random() * 3000);
        server.freeze();
        disk.cut();
        await server.end('SIGKILL');
        await sending;
        await disk.unmount();
        disk.mount();
        server = await start(cut % 2 === 0 ? 300 : 0);
      }
      await pause(1000);
      await load.stop();
      const { sent } = load;
      await untilStored(Object.keys(sent), sent);
      await server.end('SIGTERM');
      const stored = await inspect(Object.keys(sent), logs.acknowledged);
      console.log(
        `${cuts} power cuts: ${JSON.stringify(sent)} rows at the sources, ` +
          `${logs.acknowledged.length} log records acknowledged, stored ${JSON.stringify(stored)}`,
      );
      for (const [table, count] of Object.entries(sent)) {
        expect(stored[table], table).toEqual({ rows: count, distinct: count });
      }
      expect(stored['logs']).toEqual({ missing: 0, repeated: 0 });
    },
  );
});
