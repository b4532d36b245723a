import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"text":"t"}\n`).join('');
const isOfEngine = (agent: string | undefined): boolean => agent?.startsWith('aws-sdk-js') !== true;
const columns = [
  { name: 'n', type: 'UInt64' },
  { name: 'text', type: 'String' },
];

let peer: S3Peer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startS3();
  world = await pipeWorld();
  await peer.bucket('life');
  world.pipes.start();
});
afterEach(() => peer.interfere(undefined));
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const pipeOf = (name: string, source: object = {}, more: object = {}): object => ({
  source: {
    objectStorage: {
      url: `${peer.endpoint}/life/${name}/*.json`,
      accessKey: peer.accessKey,
      ...source,
    },
  },
  settings: { object_storage_max_file_count: 2, object_storage_polling_interval_ms: 100 },
  destination: { database: 'shop', table: name, columns, tableDefinition: { sortingKey: ['n'] } },
  ...more,
});
const counts = async (name: string): Promise<number[]> =>
  (await world.rows(sql`SELECT count(), uniqExact(n) FROM ${qualified('shop', name)}`))[0]!.map(
    Number,
  );
const stages = async (): Promise<unknown[]> =>
  world.rows(
    sql`SELECT name FROM system.tables WHERE database = 'shop' AND startsWith(name, 'pipe_')`,
  );
const state = (id: string, wanted: string): Promise<unknown> =>
  until(wanted, async () => {
    const { state: now, stateMessage } = await world.get(id);
    if (now !== wanted) {
      throw new Error(`${now}: ${stateMessage}`);
    }
    return true;
  });
/**
 * Twelve objects of ten rows, a pipe over them, and the engine in the middle of two of them until
 * `letGo`.
 */
async function loading(name: string): Promise<{ id: string; letGo: () => void }> {
  for (let index = 0; index < 12; index++) {
    await peer.put('life', `${name}/${index}.json`, lines(index * 10, index * 10 + 10));
  }
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  peer.interfere(async ({ method, url = '', headers }) => {
    if (!isOfEngine(headers['user-agent']) || method !== 'GET' || !/\d\.json/.test(url)) {
      return false;
    }
    if (++reads > 4) {
      await held;
    }
    return false;
  });
  const { id } = await world.create(pipeOf(name));
  await until('the middle of a load', () => Promise.resolve(reads > 4));
  return { id, letGo };
}

describe('an object storage pipe that is changed, stopped or deleted while it loads', () => {
  it('columns that a PATCH adds in mid-load are there, and every object is loaded once', async () => {
    const { id, letGo } = await loading('grown');
    const more = [...columns, { name: 'more', type: 'Nullable(String)' }];
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { destination: { columns: more }, settings: { object_storage_max_file_count: 5 } },
    });
    letGo();
    await state(id, 'Completed');
    expect([await counts('grown'), (await world.metrics(id)).rows, await stages()]).toEqual([
      [120, 120],
      120,
      [],
    ]);
    expect(await world.rows(sql`SELECT toUInt8(countIf(more IS NULL)) FROM shop.grown`)).toEqual([
      [120],
    ]);
  });

  it('a column that somebody adds to the table in mid-load stops nobody', async () => {
    const { id, letGo } = await loading('altered');
    await world.telemetry.command(
      sql`ALTER TABLE shop.altered ADD COLUMN seen DateTime DEFAULT now()`,
      { purpose: 'admin', timeoutMs: 20_000 },
    );
    letGo();
    await state(id, 'Completed');
    expect([await counts('altered'), await stages()]).toEqual([[120, 120], []]);
  });

  it('stopped during a load it loses nothing; started it loads the rest, then new and changed objects', async () => {
    const { id, letGo } = await loading('stopped');
    await world.call('changePipeState', { params: { pipeId: id }, body: { command: 'stop' } });
    letGo();
    await state(id, 'Stopped');
    expect((await counts('stopped'))[0]).toBeLessThan(120);
    await world.call('changePipeState', { params: { pipeId: id }, body: { command: 'start' } });
    await state(id, 'Completed');
    expect([await counts('stopped'), await stages()]).toEqual([[120, 120], []]);
    await peer.put('life', 'stopped/!first.json', lines(500, 503));
    await peer.put('life', 'stopped/3.json', lines(600, 601));
    await world.call('changePipeState', { params: { pipeId: id }, body: { command: 'start' } });
    await until('the rows', async () => (await counts('stopped'))[0] === 124);
    await state(id, 'Completed');
    expect(await counts('stopped')).toEqual([124, 124]);
  });

  it('deleted during a load it leaves no stage and no ledger entry, and the loaded rows stay', async () => {
    const { id, letGo } = await loading('deleted');
    await world.call('deletePipe', { params: { pipeId: id } });
    letGo();
    const ledger = world.store.pipes.objects({
      workspaceId: world.principal.workspace.id,
      pipeId: id,
      partition: '0-0',
      epoch: 1,
    });
    await until(
      'no entry left',
      async () =>
        (await ledger.entries(Array.from({ length: 12 }, (_, index) => `deleted/${index}.json`)))
          .length === 0,
    );
    expect(await stages()).toEqual([]);
    const [rows, distinct] = await counts('deleted');
    expect(rows).toBe(distinct);
    // A pipe of the same name begins anew.
    const again = await world.create(
      pipeOf('deleted', {}, { destination: { database: 'shop', table: 'anew', columns } }),
    );
    await state(again.id, 'Completed');
    expect(await counts('anew')).toEqual([120, 120]);
  });
});

describe('the table and the definition of an object storage pipe', () => {
  it('two pipes into one table load what is theirs; a table of other columns is refused at once', async () => {
    for (const index of [0, 1, 2]) {
      for (const name of ['left', 'right']) {
        await peer.put(
          'life',
          `${name}/${index}.json`,
          lines(
            index * 10 + (name === 'left' ? 0 : 1000),
            index * 10 + (name === 'left' ? 10 : 1010),
          ),
        );
      }
    }
    const to = { destination: { database: 'shop', table: 'shared', columns } };
    const both = await Promise.all(
      ['left', 'right'].map((name) => world.create(pipeOf(name, {}, to))),
    );
    for (const { id } of both) {
      await state(id, 'Completed');
    }
    expect(await counts('shared')).toEqual([60, 60]);
    await expect(
      world.create(
        pipeOf(
          'left',
          {},
          {
            destination: {
              database: 'shop',
              table: 'shared',
              columns: [
                { name: 'n', type: 'String' },
                { name: 'z', type: 'String' },
              ],
            },
          },
        ),
      ),
    ).rejects.toThrow(/destination\.columns\.0\.type: is String.*destination\.columns\.1\.name/);
  });

  it('the state names a table dropped under a running pipe; once recreated, new objects are loaded', async () => {
    await peer.put('life', 'dropped/a.json', lines(0, 10));
    const { id } = await world.create(pipeOf('dropped', { isContinuous: true }));
    await until('the rows', async () => (await counts('dropped'))[0] === 10);
    const admin = { purpose: 'admin', timeoutMs: 20_000 } as const;
    await world.telemetry.command(sql`DROP TABLE shop.dropped SYNC`, admin);
    await peer.put('life', 'dropped/b.json', lines(10, 15));
    await until('the state', async () =>
      /the destination table does not exist/.test((await world.get(id)).stateMessage ?? ''),
    );
    await world.telemetry.command(
      sql`CREATE TABLE shop.dropped (n UInt64, text String) ENGINE = MergeTree ORDER BY n`,
      admin,
    );
    await until('the rows', async () => (await counts('dropped'))[0] === 5);
    await state(id, 'Running');
    await world.call('deletePipe', { params: { pipeId: id } });
  });

  it('by PATCH a role replaces a key, and the other way round', async () => {
    const iamRole = 'arn:aws:iam::123456789012:role/reader';
    const { id } = await world.create(pipeOf('identity', { authentication: 'IAM_USER' }));
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { source: { objectStorage: { iamRole } } },
    });
    expect((await world.get(id)).source.objectStorage).toMatchObject({
      iamRole,
      authentication: 'IAM_ROLE',
    });
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { source: { objectStorage: { accessKey: peer.accessKey } } },
    });
    const { source } = await world.get(id);
    expect([source.objectStorage?.iamRole, source.objectStorage?.authentication]).toEqual([
      undefined,
      'IAM_USER',
    ]);
    await state(id, 'Completed');
  });

  it('a field and a part of it are not both taken from an object: the answer names them', async () => {
    const fieldMappings = [
      ['n', 'user'],
      ['text', 'user.name'],
    ].map(([destinationField, sourceField]) => ({ destinationField, sourceField }));
    await expect(world.create(pipeOf('within', {}, { fieldMappings }))).rejects.toThrow(
      /fieldMappings: user\.name is a part of user/,
    );
  });
});
