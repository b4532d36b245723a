import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/contract/status.ts';
import {
  askEngine,
  environment,
  managedCall,
  openCall,
  startLoad,
  type BackupLoad,
} from '../kit/backup-load.ts';
import { startCluster } from '../kit/clickhouse-cluster.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { until } from '../kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

/** One server with its stores, and where its engine answers. */
interface Site {
  program: Program;
  engine: Program | string;
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-backup-test-'));
let kafka: KafkaPeer;
let s3: S3Peer;
let postgres: PostgresPeer;
let receiver: WebhookReceiver;
const programs: Program[] = [];
const engines: Pick<ClickHouseServer, 'close'>[] = [];
const loads: BackupLoad[] = [];

beforeAll(async () => {
  [kafka, s3, postgres, receiver] = await Promise.all([
    startKafka(),
    startS3(),
    startPostgres(),
    startWebhookReceiver(),
  ]);
  await s3.bucket('backups');
}, 240_000);
afterAll(async () => {
  await Promise.all(loads.map((load) => load.stop().catch(() => {})));
  await Promise.all(programs.map((program) => program.remove()));
  await Promise.all(engines.map((engine) => engine.close()));
  await Promise.all([kafka?.remove(), s3?.remove(), postgres?.remove(), receiver?.close()]);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

const s3Environment = (): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: s3.accessKey.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.accessKey.secretKey,
  AWS_ENDPOINT_URL_S3: s3.direct,
});

function embedded(): Site {
  const program = new Program({ ...environment, ...s3Environment() });
  programs.push(program);
  return { program, engine: program };
}

async function remote(): Promise<Site> {
  const engine = await startClickHouseServer(
    { user: 'sightline', password: 'secret' },
    `<backups><allowed_path>${folder}</allowed_path></backups>`,
  );
  engines.push(engine);
  const url = engine.url.replace('://', '://sightline:secret@');
  const program = new Program({
    ...environment,
    ...s3Environment(),
    SIGHTLINE_DATABASE_URL: await postgres.createDatabase(),
    SIGHTLINE_CLICKHOUSE_URL: url,
  });
  programs.push(program);
  return { program, engine: url };
}

async function sharded(): Promise<Site> {
  const cluster = await startCluster(2, {
    credentials: { user: 'sightline', password: 'secret' },
    configuration: `<backups><allowed_path>${folder}</allowed_path></backups>`,
  });
  engines.push(cluster);
  const urls = cluster.servers.map(({ url }) => url.replace('://', '://sightline:secret@'));
  const program = new Program({
    ...environment,
    ...s3Environment(),
    SIGHTLINE_DATABASE_URL: await postgres.createDatabase(),
    SIGHTLINE_CLICKHOUSE_URL: urls.join(','),
    SIGHTLINE_CLICKHOUSE_CLUSTER: cluster.name,
  });
  programs.push(program);
  return { program, engine: urls[0]! };
}

async function createObjects(server: Server, topic: string, bucket: string): Promise<void> {
  const destination = (table: string): object => ({
    database: 'shop',
    table,
    columns: [
      { name: 'id', type: 'UInt64' },
      { name: 'text', type: 'String' },
    ],
    tableDefinition: { sortingKey: ['id'] },
  });
  await managedCall(server, 'POST', '/pipes', {
    name: 'records',
    source: {
      kafka: { type: 'kafka', brokers: kafka.plain, topics: topic, format: 'JSONEachRow' },
    },
    destination: destination('records'),
    settings: { streaming_max_insert_wait_ms: 500 },
  });
  await managedCall(server, 'POST', '/pipes', {
    name: 'objects',
    source: {
      objectStorage: {
        type: 's3',
        format: 'JSONEachRow',
        url: `${s3.endpoint}/${bucket}/rows/*.json`,
        accessKey: s3.accessKey,
        isContinuous: true,
      },
    },
    destination: destination('objects'),
    settings: { object_storage_polling_interval_ms: 100, object_storage_max_file_count: 5 },
  });
  const sources = await openCall<{ id: string; name: string }[]>(server, 'GET', '/sources');
  const webhook = await openCall<{ id: string }>(server, 'POST', '/webhooks', {
    name: 'receiver',
    service: 'generic',
    url: `${receiver.url}/hook`,
    secret: 'a-secret-of-the-webhook',
  });
  const logs = sources.find(({ name }) => name === 'Logs');
  const search = await openCall<{ id: string }>(server, 'POST', '/saved-searches', {
    name: 'errors',
    sourceId: logs?.id,
  });
  await openCall(server, 'POST', '/alerts', {
    name: 'errors',
    source: 'saved_search',
    savedSearchId: search.id,
    interval: '1m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook.id },
  });
}

const numbers = async (engine: Site['engine'], query: string): Promise<number[]> =>
  ((await askEngine(engine, query))[0] ?? []).map(Number);
const counts = (engine: Site['engine'], table: string): Promise<number[]> =>
  numbers(engine, `SELECT count(), uniqExact(id) FROM shop.${table}`);

/** Fills a server, backs it up under load into `place`, and restores it at another site. */
async function backUpAndRestore(
  name: string,
  from: Site,
  target: Site,
  place: string,
): Promise<void> {
  const [topic, bucket] = [`records-${name}`, `objects-${name}`];
  await kafka.createTopic(topic, 3);
  await s3.bucket(bucket);
  const server = await from.program.serve();
  const listed = await from.program.run('admin', 'services', 'databases', 'add', 'shop');
  expect([listed.code, listed.code === 0 || listed.stderr]).toEqual([0, true]);
  await createObjects(server, topic, bucket);
  const load = startLoad(server, { kafka, topic, s3, bucket });
  loads.push(load);
  await until(
    'rows of both pipes',
    async () => {
      const [records = 0] = await counts(from.engine, 'records').catch(() => [0]);
      const [objects = 0] = await counts(from.engine, 'objects').catch(() => [0]);
      return records > 2000 && objects > 200;
    },
    60_000,
  );
  const acknowledged = load.logs;
  const [recordsBefore = 0] = await counts(from.engine, 'records');
  const backup = await from.program.run('backup', place);
  expect([backup.code, backup.code === 0 || backup.stderr]).toEqual([0, true]);
  expect(backup.stdout).toContain('does not contain the secret key');
  expect(backup.stdout).not.toContain('not recorded as finished');
  await until(
    'the load to go on',
    async () => {
      const [records = 0] = await counts(from.engine, 'records');
      return records > recordsBefore + 2000;
    },
    60_000,
  );
  await load.stop();
  await server.stop();

  const restored = await target.program.run('restore', place);
  expect([restored.code, restored.code === 0 || restored.stderr]).toEqual([0, true]);
  const again = await target.program.run('restore', place);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/empty|drop them/)]);

  const second = await target.program.serve();
  expect(second.banner).not.toContain('First start');
  await until(
    'every record',
    async () => {
      const [records = 0] = await counts(target.engine, 'records');
      const [objects = 0] = await counts(target.engine, 'objects');
      return records >= load.records && objects >= load.objectRows;
    },
    60_000,
  );
  await pause(2_000);
  expect(await counts(target.engine, 'records')).toEqual([load.records, load.records]);
  expect(await counts(target.engine, 'objects')).toEqual([load.objectRows, load.objectRows]);

  const ids = "toUInt64(replaceOne(Body, 'log ', ''))";
  const [rows = 0, distinct = 0, known = 0] = await numbers(
    target.engine,
    `SELECT count(), uniqExact(${ids}), countIf(${ids} < ${acknowledged}) FROM telemetry.otel_logs`,
  );
  expect([rows, known]).toEqual([distinct, acknowledged]);
  expect(await numbers(target.engine, 'SELECT sum(Count) FROM telemetry.otel_logs_1m')).toEqual([
    rows,
  ]);
  expect(
    await askEngine(
      target.engine,
      `SELECT name FROM system.tables WHERE startsWith(name, 'pipe_stage_')`,
    ),
  ).toEqual([]);
  const pipes = await managedCall<{ name: string; state: string }[]>(second, 'GET', '/pipes');
  expect(pipes.map(({ name: pipe, state }) => [pipe, state]).sort()).toEqual([
    ['objects', 'Running'],
    ['records', 'Running'],
  ]);
  // The process that was backed up is not one of the restored server.
  const status = await openCall<Status>(second, 'GET', '/status');
  expect(status.server?.nodes.map(({ state }) => state)).toEqual(['running']);
  // The secret of the webhook opens: the test event is signed.
  const [webhook] = await openCall<{ id: string }[]>(second, 'GET', '/webhooks');
  const [alert] = await openCall<{ name: string }[]>(second, 'GET', '/alerts');
  expect(alert?.name).toBe('errors');
  const before = receiver.received.length;
  await openCall(second, 'POST', `/webhooks/${webhook?.id}/test`);
  await until('the test event', () => Promise.resolve(receiver.received.length > before));
  expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/);
  await second.stop();
}

describe.skipIf(kafkaMissing() || postgresMissing())('a backup under load', () => {
  it('of the embedded stores goes on exactly once from a directory', async () => {
    await backUpAndRestore('embedded', embedded(), embedded(), join(folder, 'embedded'));
    const manifest = readFileSync(join(folder, 'embedded', 'manifest.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ format: 1, unfinished: [] });
  });

  it('of the embedded stores goes on exactly once from a bucket', async () => {
    await backUpAndRestore('bucket', embedded(), embedded(), 's3://backups/bucket');
  });

  it('of the embedded stores goes on exactly once on PostgreSQL and a ClickHouse server', async () => {
    await backUpAndRestore('moved', embedded(), await remote(), join(folder, 'moved'));
  });

  it('of PostgreSQL and a ClickHouse server goes on exactly once on others', async () => {
    await backUpAndRestore('remote', await remote(), await remote(), join(folder, 'remote'));
  });

  it('of a cluster of shards goes on exactly once on another cluster, and nowhere else', async () => {
    const place = join(folder, 'sharded');
    await backUpAndRestore('sharded', await sharded(), await sharded(), place);
    const { code, stderr } = await (await remote()).program.run('restore', place);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the backup is of a cluster of 2 shards'),
    ]);
  });
});
