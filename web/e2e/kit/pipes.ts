import type { BrowserContext, Page } from 'playwright-core';
import { Client } from 'pg';
import { until } from '../../../test/kit/eventually.ts';
import {
  kafkaMockPartsMissing,
  startKafkaMock,
  type KafkaMock,
} from '../../../test/kit/kafka-mock.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../../../test/kit/postgres.ts';
import { startS3, type S3Peer } from '../../../test/kit/s3.ts';
import { browserMissing } from './browser.ts';
import { callApi, callServer } from './call-api.ts';
import type { PageWatch } from './page-watch.ts';
import { hostileText } from './telemetry.ts';
import { wide, World, type View } from './world.ts';

export const pipePeersMissing = (): boolean =>
  browserMissing() || postgresMissing() || kafkaMockPartsMissing();

/** The program with its engine, sources of three kinds, and a browser. */
export interface PipeWorld {
  world: World;
  broker: KafkaMock;
  storage: S3Peer;
  database: PostgresPeer;
  /** Statements at the PostgreSQL server. */
  run(...statements: string[]): Promise<void>;
  /** A page of the first user. */
  open(path: string, view?: View): Promise<PipePage>;
  /** Calls the API as the first user, below the pipes of the service. */
  call<T>(method: string, path?: string, body?: object): Promise<T>;
  /** Waits until a pipe is in a state. */
  reaches(id: string, state: string): Promise<void>;
  close(): Promise<void>;
}

export interface PipePage {
  page: Page;
  watch: PageWatch;
  context: BrowserContext;
}

export interface PipeRecord {
  id: string;
  name: string;
  state: string;
  stateMessage?: string;
}

const bucket = 'shop';

export async function openPipeWorld(): Promise<PipeWorld> {
  const [world, broker, storage, database] = await Promise.all([
    World.open({
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
      SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
    }),
    startKafkaMock(),
    startS3(),
    startPostgres({ wal_level: 'logical' }),
  ]);
  await storage.bucket(bucket);
  const { page } = await world.signedIn();
  await page.goto('/settings');
  const call: PipeWorld['call'] = (method, path = '', body) => callPipes(page, method, path, body);
  return {
    world,
    broker,
    storage,
    database,
    call,
    async run(...statements) {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        for (const statement of statements) {
          await client.query(statement);
        }
      } finally {
        await client.end();
      }
    },
    async open(path, view = wide) {
      const made = await world.signedIn(view);
      await made.page.goto(path);
      return made;
    },
    async reaches(id, state) {
      await until(state, async () => {
        const pipe = await call<PipeRecord>('GET', `/${id}`);
        if (pipe.state !== state) {
          throw new Error(`${pipe.state}: ${pipe.stateMessage}`);
        }
        return true;
      });
    },
    async close() {
      await world.close();
      await Promise.all([broker.remove(), storage.remove(), database.remove()]);
    },
  };
}

/** Calls the API below the pipes of the service, as the person of the page. */
export async function callPipes<T>(
  page: Page,
  method: string,
  path = '',
  body?: object,
): Promise<T> {
  const { organizationId, serviceId } = await callApi<{
    organizationId: string;
    serviceId: string;
  }>(page, 'GET', '/session');
  const pipes = `/v1/organizations/${organizationId}/services/${serviceId}/pipes${path}`;
  return (await callServer<{ result: T }>(page, method, pipes, body))?.result as T;
}

/** Names of the pipes of `makeShopPipes`. */
export const names = {
  prices: 'Prices',
  backup: 'Backup of Lisbon',
  orders: `Orders ${hostileText}`,
  items: 'Items of the shop',
  archive: 'Archive',
};

export type ShopPipes = Record<keyof typeof names, string>;

/** A record that its column cannot hold. */
export const badRecord = JSON.stringify({ n: `many ${hostileText}`, note: 'x' });

const columns = [
  { name: 'n', type: 'UInt64' },
  { name: 'note', type: 'String' },
];

/** Sends records to a topic of the broker. */
export async function produce(
  { broker }: Pick<PipeWorld, 'broker'>,
  topic: string,
  values: string[],
) {
  await broker.producer.send({
    topic,
    messages: values.map((value) => ({ value, partition: 0 })),
  });
}

export const orders = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"note":"fine"}`);

/** A pipe over a topic, which fills a table of the same name. */
export function topicPipe({ broker }: Pick<PipeWorld, 'broker'>, name: string, topic: string) {
  return {
    name,
    source: { kafka: { brokers: broker.broker, topics: topic } },
    settings: { streaming_max_insert_wait_ms: 500 },
    destination: { table: topic, columns, tableDefinition: { sortingKey: ['n'] } },
  };
}

/** A pipe that loads the objects of a folder once. */
export function objectPipe({ storage }: Pick<PipeWorld, 'storage'>, name: string, folder: string) {
  return {
    name,
    source: {
      objectStorage: {
        url: `${storage.endpoint}/${bucket}/${folder}/*.json`,
        accessKey: storage.accessKey,
      },
    },
    settings: { object_storage_polling_interval_ms: 500 },
    destination: { table: folder, columns, tableDefinition: { sortingKey: ['n'] } },
  };
}

/** A pipe over tables of the PostgreSQL server, each under its own name. */
export function databasePipe(
  { database }: Pick<PipeWorld, 'database'>,
  name: string,
  tables: readonly string[],
): object {
  return {
    name,
    source: {
      postgres: {
        host: '127.0.0.1',
        port: database.port,
        database: 'postgres',
        credentials: { username: 'postgres', password: 'EXAMPLE-NOT-A-PASSWORD' },
        settings: { syncIntervalSeconds: 1 },
        tableMappings: tables.map((table) => ({
          sourceSchemaName: 'public',
          sourceTable: table,
          targetTable: table,
        })),
      },
    },
  };
}

/** Pipes in five states: failed, degraded, running with a bad record, running, and completed. */
export async function makeShopPipes(play: PipeWorld): Promise<ShopPipes> {
  const make = async (body: object): Promise<string> =>
    (await play.call<PipeRecord>('POST', '', body)).id;
  await play.run(
    'CREATE TABLE items (id int PRIMARY KEY, name text)',
    "INSERT INTO items SELECT n, 'item ' || n FROM generate_series(1, 40) AS n",
    'CREATE TABLE customers (id int PRIMARY KEY, name text)',
    "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')",
  );
  await play.broker.createTopic('orders', 1);
  await produce(play, 'orders', [...orders(0, 500), badRecord]);
  await play.storage.put(bucket, 'archive/1.json', orders(0, 20).join('\n'));
  const away = { ...play.database, port: 1 };
  const made = {
    archive: await make(objectPipe(play, names.archive, 'archive')),
    items: await make(databasePipe(play, names.items, ['items'])),
    orders: await make(topicPipe(play, names.orders, 'orders')),
    backup: await make(databasePipe({ database: away }, names.backup, ['backup'])),
    prices: await make(databasePipe(play, names.prices, ['prices'])),
  };
  await play.reaches(made.archive, 'Completed');
  await play.reaches(made.items, 'Running');
  await play.reaches(made.orders, 'Running');
  await play.reaches(made.backup, 'Degraded');
  await play.reaches(made.prices, 'Failed');
  await until('the rows and a bad record', async () => {
    const metrics = (id: string) =>
      play.call<{ rows: number; errors: number }>('GET', `/${id}/metrics`);
    const [ofOrders, ofItems] = [await metrics(made.orders), await metrics(made.items)];
    return ofOrders.errors === 1 && ofOrders.rows === 500 && ofItems.rows === 40;
  });
  return made;
}
