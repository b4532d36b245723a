import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rights } from '../../src/adapters/telemetry/rights/engine-users.ts';
import { serverUserName } from '../../src/adapters/telemetry/rights/user-statements.ts';
import { sql } from '../../src/sql/sql.ts';
import { linesOfLog } from '../kit/app.ts';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import type { Credentials } from '../kit/clickhouse-server.ts';
import { until } from '../kit/eventually.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { madeUser, userSecret } from '../kit/server-users.ts';
import { logBlock } from '../kit/sharded.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

let peer: S3Peer;
let cluster: ClickHouseCluster | undefined;
let world: PipeWorld | undefined;

beforeAll(async () => {
  peer = await startS3();
  await peer.bucket('rows');
  for (let object = 0; object < 8; object++) {
    await peer.put(
      'rows',
      `${object}.json`,
      `{"id":${object},"version":1}\n{"id":99,"version":${object}}\n`,
    );
  }
});
afterEach(async () => {
  await world?.close();
  await cluster?.close();
  world = undefined;
});
afterAll(() => peer?.remove());

const given = { user: 'given', password: 'secret' };

/** Pipes and telemetry over two shards, whose servers have these users. */
async function start(credentials: Credentials): Promise<{ on: PipeWorld; lines: string[] }> {
  cluster = await startCluster(2, { credentials });
  const { log, lines } = linesOfLog();
  const urls = cluster.servers.map(({ url }) => url.replace('://', '://given:secret@'));
  const users = { secret: userSecret, log };
  world = await pipeWorld({ cluster: { urls, clusterName: cluster.name, users } });
  await world.engine.migrate('shop');
  world.pipes.start();
  return { on: world, lines };
}

const pipe = (table: string, tableDefinition: object) => ({
  source: { objectStorage: { url: `${peer.endpoint}/rows/**`, accessKey: peer.accessKey } },
  destination: {
    database: 'shop',
    table,
    columns: [
      { name: 'id', type: 'UInt64' },
      { name: 'version', type: 'UInt64' },
    ],
    tableDefinition,
  },
  settings: { object_storage_max_file_count: 1 },
});
const keyed = {
  engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
  sortingKey: ['id'],
};

/** Telemetry, charts and pipes of both placements. */
async function worksWhole(on: PipeWorld): Promise<void> {
  for (let block = 0; block < 10; block++) {
    await on.engine.insert('shop', 'otel_logs', logBlock('a', 1));
  }
  const asked = { purpose: 'chart', tenant: 'shop', timeoutMs: 20_000 } as const;
  const counted = await on.engine.query(
    sql`SELECT count(), (SELECT sum(Count) FROM shop.otel_logs_1m) FROM shop.otel_logs`,
    asked,
  );
  expect(counted.rows).toEqual([['10', '10']]);
  const pipes = [
    await on.create(pipe('blocks', { sortingKey: ['id'] })),
    await on.create(pipe('keyed', keyed)),
  ];
  for (const { id } of pipes) {
    await until('the load to end', async () => {
      const { state, stateMessage } = await on.get(id);
      if (state === 'Degraded' || state === 'Failed') {
        throw new Error(stateMessage);
      }
      return state === 'Completed';
    });
  }
  expect((await on.engine.query(sql`SELECT count() FROM shop.blocks`, asked)).rows).toEqual([
    ['16'],
  ]);
  expect((await on.engine.query(sql`SELECT count() FROM shop.keyed FINAL`, asked)).rows).toEqual([
    ['9'],
  ]);
}

test('work runs as its own user on every shard, and sees no other database', async () => {
  const databases = [undefined, 'shop', 'other'];
  const others = databases.flatMap((name) => rights.map((right) => madeUser(right, name)));
  const { on, lines } = await start({ ...given, others });
  await on.engine.migrate('other');
  await worksWhole(on);
  const asked = { purpose: 'chart', tenant: 'shop', timeoutMs: 20_000 } as const;
  // The shards answer in turn.
  for (const _ of [1, 2]) {
    const { rows } = await on.engine.query(sql`SELECT currentUser()`, asked);
    expect(rows).toEqual([[serverUserName({ right: 'read', database: 'shop' })]]);
    await expect(
      on.engine.query(sql`SELECT count() FROM other.otel_logs`, asked),
    ).rejects.toMatchObject({ kind: 'denied' });
    await expect(
      on.engine.query(sql`SELECT count() FROM other.otel_logs_local`, asked),
    ).rejects.toMatchObject({ kind: 'denied' });
  }
  expect(lines.filter((line) => line.includes('cannot'))).toEqual([]);
});

test('the rights that docs/operations.md lists are enough', async () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## Rights on a ClickHouse server'));
  const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  const grants = [...statements.matchAll(/^(GRANT .*) TO sightline;/gm)].map(([, grant = '']) =>
    grant.replace('telemetry.*', 'shop.*'),
  );
  expect(grants.length).toBeGreaterThan(5);
  const { on } = await start({ ...given, grants });
  await worksWhole(on);
});
