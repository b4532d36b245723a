import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { availableParallelism } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');
const isOfEngine = (agent: string | undefined): boolean => agent?.startsWith('aws-sdk-js') !== true;
const pipeOf = (peer: S3Peer, name: string, settings: object) => ({
  source: {
    objectStorage: { url: `${peer.endpoint}/settings/${name}/*.json`, accessKey: peer.accessKey },
  },
  settings,
  destination: {
    database: 'shop',
    table: name,
    columns: [{ name: 'n', type: 'UInt64' }],
    tableDefinition: { sortingKey: ['n'] },
  },
});
const completed = (world: PipeWorld, id: string): Promise<unknown> =>
  until(
    'its end',
    async () => {
      const { state, stateMessage } = await world.get(id);
      if (state !== 'Completed') {
        throw new Error(`${state}: ${stateMessage}`);
      }
      return true;
    },
    30_000,
  );

/** A table that keeps no rows, with a view so slow that an insert can be seen. */
async function createSlowView(world: PipeWorld, name: string): Promise<void> {
  const table = qualified('shop', name);
  for (const statement of [
    sql`CREATE DATABASE IF NOT EXISTS shop`,
    sql`CREATE TABLE ${table} (n UInt64) ENGINE = Null`,
    sql`CREATE MATERIALIZED VIEW ${qualified('shop', `${name}_slow`)} ENGINE = Memory
      AS SELECT n, sleepEachRow(0.25) AS slept FROM ${table}`,
  ]) {
    await world.telemetry.command(statement, { purpose: 'admin', timeoutMs: 30_000 });
  }
}

describe('the settings of an object storage pipe', () => {
  let peer: S3Peer;
  let world: PipeWorld;
  beforeAll(async () => {
    peer = await startS3();
    world = await pipeWorld();
    world.pipes.start();
    await peer.bucket('settings');
  });
  afterEach(() => peer.interfere(undefined));
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  /** What the engine says it runs, while it waits for an object. */
  const running = (like = '%INSERT%s3(%'): Promise<Record<string, string>[]> =>
    until(
      'a load',
      async () => {
        const settings = await world.rows(
          sql`SELECT toJSONString(Settings) FROM system.processes
            WHERE query LIKE ${like} AND query NOT LIKE '%system.processes%'`,
        );
        return (
          settings.length > 0 &&
          settings.map(([text]) => JSON.parse(String(text)) as Record<string, string>)
        );
      },
      20_000,
    );

  /** The settings of the statement that loads an object of this pipe. */
  const settingsOf = async (name: string, settings: object): Promise<Record<string, string>> => {
    await peer.put('settings', `${name}/a.json`, lines(0, 5));
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    peer.interfere(async ({ method, headers }) => {
      if (isOfEngine(headers['user-agent']) && method === 'GET') {
        await held;
      }
      return false;
    });
    const pipe = await world.create(pipeOf(peer, name, settings));
    try {
      const [ofEngine] = await running();
      return ofEngine!;
    } finally {
      letGo();
      await completed(world, pipe.id);
    }
  };

  it('reach the statement that loads, as the engine has them', async () => {
    const settings = await settingsOf('engine', {
      engine_max_threads: 7,
      engine_max_insert_threads: 2,
      engine_min_insert_block_size_bytes: 12_345_678,
      engine_max_download_threads: 5,
    });
    expect(settings).toMatchObject({
      max_threads: '7',
      max_insert_threads: '2',
      min_insert_block_size_bytes: '12345678',
      max_download_threads: '5',
      parallel_view_processing: '1',
    });
  });

  it('leave it to the program to use more threads than there are processors', async () => {
    expect(await settingsOf('threads', {})).toMatchObject({
      max_threads: String(availableParallelism() + 2),
    });
  });

  it.each([true, false])(
    'process the views of a table that keeps no rows in parallel if the pipe says so: %s',
    async (isParallel) => {
      const name = `views_${isParallel}`;
      await peer.put('settings', `${name}/a.json`, lines(0, 6));
      await createSlowView(world, name);
      const { source, destination } = pipeOf(peer, name, {});
      const pipe = await world.create({
        source,
        destination: { ...destination, managedTable: false, tableDefinition: undefined },
        settings: { engine_parallel_view_processing: isParallel },
      });
      const [settings] = await running(`INSERT INTO \`shop\`.\`${name}\`%`);
      expect(settings).toMatchObject({ parallel_view_processing: isParallel ? '1' : '0' });
      await completed(world, pipe.id);
    },
  );

  it('set how many objects and batches are loaded at once, while one more batch is ready', async () => {
    for (let index = 0; index < 24; index++) {
      await peer.put(
        'settings',
        `files/${String(index).padStart(2, '0')}.json`,
        lines(index, index + 1),
      );
    }
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const batches = new Set<number>();
    peer.interfere(async ({ method, url = '', headers }) => {
      const name = /files\/(\d\d)/.exec(url)?.[1];
      if (!isOfEngine(headers['user-agent']) || name === undefined) {
        return false;
      }
      batches.add(Math.floor(Number(name) / 3));
      if (method === 'GET') {
        await held;
      }
      return false;
    });
    // Of two lanes of the engine, and as many batches of three.
    const pipe = await world.create(
      pipeOf(peer, 'files', { object_storage_max_file_count: 3, object_storage_concurrency: 1 }),
    );
    try {
      await until('two batches', () => Promise.resolve(batches.size === 2));
      await until(
        'the table that the third batch will be read into',
        async () =>
          Number(
            (
              await world.rows(
                sql`SELECT count() FROM system.tables WHERE database = 'shop' AND match(name, '^pipe_stage_.*_inlet')`,
              )
            )[0]![0],
          ) === 3,
      );
      expect((await running()).length).toBe(2);
      expect([batches.size, Math.max(...batches) < 3]).toEqual([2, true]);
    } finally {
      letGo();
    }
    await completed(world, pipe.id);
    expect((await world.rows(sql`SELECT count() FROM ${qualified('shop', 'files')}`))[0]?.[0]).toBe(
      '24',
    );
  });
});

describe('an object storage pipe over an engine with a cluster', () => {
  let peer: S3Peer;
  let server: ClickHouseServer;
  let world: PipeWorld;
  let node: Server;
  let connected = 0;
  beforeAll(async () => {
    node = createServer((socket) => {
      connected++;
      socket.destroy();
    });
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const { port } = node.address() as AddressInfo;
    const replica = `<replica><host>127.0.0.1</host><port>${port}</port></replica>`;
    peer = await startS3();
    server = await startClickHouseServer(
      undefined,
      `<remote_servers><nodes><shard>${replica}</shard><shard>${replica}</shard></nodes></remote_servers>`,
    );
    world = await pipeWorld({ clickHouseUrl: server.url });
    world.pipes.start();
    await peer.bucket('settings');
  });
  afterAll(async () => {
    await world?.close();
    await Promise.all([peer?.remove(), server?.close()]);
    node?.close();
  });

  it('has its nodes read, unless the pipe says otherwise', async () => {
    await peer.put('settings', 'alone/a.json', lines(0, 5));
    const alone = await world.create(
      pipeOf(peer, 'alone', { object_storage_use_cluster_function: false }),
    );
    await completed(world, alone.id);
    expect((await world.rows(sql`SELECT count() FROM ${qualified('shop', 'alone')}`))[0]?.[0]).toBe(
      '5',
    );
    expect(connected).toBe(0);
    await peer.put('settings', 'together/a.json', lines(0, 5));
    const together = await world.create(pipeOf(peer, 'together', {}));
    // This machine has no more than one engine: that they are asked is all that can be seen.
    await until(
      'a node to be asked',
      async () => {
        const { state, stateMessage } = await world.get(together.id);
        if (connected === 0) {
          throw new Error(`${state}: ${stateMessage}`);
        }
        return true;
      },
      30_000,
    );
    await world.call('deletePipe', { params: { pipeId: together.id } });
  });
});
