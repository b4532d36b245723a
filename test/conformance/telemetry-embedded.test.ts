import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  openEmbedded,
  type EmbeddedOptions,
} from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { TelemetryError, type QueryOptions, type Telemetry } from '../../src/ports/telemetry.ts';
import { sql, trusted } from '../../src/sql/sql.ts';
import { eventually } from '../kit/eventually.ts';
import { testRows } from '../kit/telemetry.ts';

/** What only the embedded engine has to be held to: its one directory, its few connections. */
let directory: string;
let open: Telemetry | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sightline-telemetry-'));
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const start = async (options: Partial<EmbeddedOptions> = {}): Promise<Telemetry> =>
  (open = await openEmbedded({ path: join(directory, 'engine'), ...options }));
const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
const pidOf = (telemetry: Telemetry): number => telemetry.engineProcess?.pid ?? -1;
const chart: QueryOptions = { purpose: 'chart', timeoutMs: 20_000 };
const endless = sql`SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))`;
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof TelemetryError ? error.kind : String(error)),
  );
const running = async (telemetry: Telemetry): Promise<unknown> =>
  (
    await telemetry.query(
      sql`SELECT count() FROM system.processes
        WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%system.processes%'`,
      { purpose: 'admin', timeoutMs: 5000 },
    )
  ).rows[0]?.[0];

describe('waiting', () => {
  const narrow = { limits: { chart: { width: 1, queueLimit: 1 } } };

  test('a full queue refuses at once, another purpose does not wait, and a signal ends the wait', async () => {
    const telemetry = await start(narrow);
    const stopFirst = new AbortController();
    const stopSecond = new AbortController();
    const first = kindOf(telemetry.query(endless, { ...chart, signal: stopFirst.signal }));
    await eventually(async () => expect(await running(telemetry)).toBe('1'));
    const second = kindOf(telemetry.query(sql`SELECT 1`, { ...chart, signal: stopSecond.signal }));
    await expect(telemetry.query(sql`SELECT 1`, chart)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('busy'),
    });
    expect(
      (await telemetry.query(sql`SELECT 2`, { purpose: 'alert', timeoutMs: 5000 })).rows,
    ).toEqual([[2]]);
    stopSecond.abort();
    expect(await second).toBe('aborted');
    const third = telemetry.query(sql`SELECT 3`, chart);
    stopFirst.abort();
    expect(await first).toBe('aborted');
    expect((await third).rows).toEqual([[3]]);
  });

  test('waiting counts towards the time limit', async () => {
    const telemetry = await start(narrow);
    const stop = new AbortController();
    const first = kindOf(telemetry.query(endless, { ...chart, signal: stop.signal }));
    await expect(
      telemetry.query(sql`SELECT 1`, { ...chart, timeoutMs: 200 }),
    ).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('busy') });
    stop.abort();
    expect(await first).toBe('aborted');
  });
});

test.runIf(process.platform === 'linux')(
  'an idle engine gives the memory of a query back within seconds',
  async () => {
    const telemetry = await start();
    const ownMib = (): number => {
      const status = readFileSync(`/proc/${pidOf(telemetry)}/status`, 'utf8');
      return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    };
    const beforeMib = ownMib();
    await telemetry.query(
      sql`SELECT uniqExact(toString(number)), length(groupArray(toString(number)))
        FROM numbers(2000000)`,
      { purpose: 'admin', timeoutMs: 20_000 },
    );
    expect(ownMib()).toBeGreaterThan(beforeMib + 60);
    // An allocator without a thread of its own still has it after half a minute.
    await eventually(() => expect(ownMib()).toBeLessThan(beforeMib + 45), 15_000);
  },
);

describe('closing', () => {
  test('close lets a running query end and refuses what comes later', async () => {
    const telemetry = await start();
    const slow = telemetry.query(sql`SELECT sum(sleepEachRow(0.1)) FROM numbers(5)`, chart);
    await eventually(async () =>
      expect(
        (
          await telemetry.query(
            sql`SELECT count() FROM system.processes
              WHERE query LIKE '%sleepEachRow(0.1)%' AND query NOT LIKE '%system.processes%'`,
            { purpose: 'admin', timeoutMs: 5000 },
          )
        ).rows[0],
      ).toEqual(['1']),
    );
    const closed = telemetry.close();
    expect(await kindOf(telemetry.query(sql`SELECT 1`, chart))).toBe('unavailable');
    expect((await slow).rows).toEqual([['0']]);
    await closed;
    expect(await kindOf(telemetry.ping(1000))).toBe('unavailable');
  });

  test('close stops what does not end by itself, and the directory opens again', async () => {
    const telemetry = await start({ closeWaitMs: 100 });
    const work = kindOf(telemetry.query(endless, { ...chart, timeoutMs: 60_000 }));
    await eventually(async () => expect(await running(telemetry)).toBe('1'));
    await telemetry.close();
    expect(await work).toBe('aborted');
    expect((await (await start()).query(sql`SELECT 1`, chart)).rows).toEqual([[1]]);
  });
});

const opener = new URL('../../src/adapters/telemetry/embedded/open-embedded.ts', import.meta.url);
const openerImport = `import { openEmbedded } from ${JSON.stringify(opener.href)};`;

describe('the directory', () => {
  test('a second process is told that the directory is taken, and takes nothing from the first', async () => {
    const telemetry = await start();
    const script = `${openerImport}
      openEmbedded({ path: ${JSON.stringify(join(directory, 'engine'))} }).then(
        () => console.log('opened'),
        (error) => console.log(error.kind, error.message),
      );`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toBe(
      `unavailable cannot open the telemetry directory ${join(directory, 'engine')}: ` +
        `process ${pidOf(telemetry)} uses it. ` +
        'Stop that process, or set SIGHTLINE_DATA_DIR to another directory.\n',
    );
    expect((await telemetry.query(sql`SELECT 1`, chart)).rows).toEqual([[1]]);
  });

  test('the directory and the files of the engine are for their owner only', async () => {
    await start();
    expect(statSync(join(directory, 'engine')).mode & 0o777).toBe(0o700);
  });
});

describe('the process', () => {
  test('killed, it starts again, keeps every acknowledged row, and writers wait for it', async () => {
    const telemetry = await start();
    await telemetry.migrate('killed');
    const { insert, rows } = testRows(telemetry, 'killed');
    const row = (body: string) => [{ Timestamp: '2026-11-20 10:00:00', Body: body }];
    await insert('otel_logs', row('before'));
    const pid = pidOf(telemetry);
    process.kill(pid, 'SIGKILL');
    await insert('otel_logs', row('after'));
    expect(await rows(sql`SELECT Body FROM killed.otel_logs ORDER BY Body`)).toEqual([
      { Body: 'after' },
      { Body: 'before' },
    ]);
    expect(pidOf(telemetry)).not.toBe(pid);
  });

  test('a chart is refused while the engine starts, and answered when it has', async () => {
    const telemetry = await start();
    process.kill(pidOf(telemetry), 'SIGKILL');
    await eventually(async () =>
      expect((await telemetry.query(sql`SELECT 1`, chart)).rows).toEqual([[1]]),
    );
  });

  test('it ends with the process that started it, even when that is killed', async () => {
    const path = join(directory, 'orphan');
    const script = `${openerImport}
      openEmbedded({ path: ${JSON.stringify(path)} }).then((telemetry) => console.log(telemetry.engineProcess.pid));
      setInterval(() => {}, 1000);`;
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    parent.kill('SIGKILL');
    await eventually(async () => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });

  test('a part that is broken on disk is named in the log and counted', async () => {
    const path = join(directory, 'broken');
    const lines: object[] = [];
    const log = { ...silentLog, error: (fields: object) => void lines.push(fields) };
    const first = await openEmbedded({ path });
    await first.migrate('broken');
    await testRows(first, 'broken').insert('otel_logs', [
      { Timestamp: '2026-11-20 10:00:00', Body: 'lost' },
    ]);
    const { rows } = await first.query(
      sql`SELECT path FROM system.parts WHERE database = 'broken' AND table = 'otel_logs'`,
      { purpose: 'admin', timeoutMs: 5000 },
    );
    await first.close();
    truncateSync(join(String(rows[0]?.[0]), 'data.bin'), 10);
    open = await openEmbedded({ path, log });
    expect(open.engineProcess?.brokenParts).toBe(1);
    expect(lines).toContainEqual(
      expect.objectContaining({
        database: 'broken',
        table: 'otel_logs',
        reason: 'broken-on-start',
      }),
    );
  });
});

describe('tables', () => {
  test.each<[string, string, string]>([
    ['idx_trace_id', 'otel_logs', `TraceId = '0000000000000000000000000000002a'`],
    ['idx_lower_body', 'otel_logs', `hasToken(lower(Body), 'needle')`],
    ['idx_log_attr_key', 'otel_logs', `mapContains(LogAttributes, 'rare.key')`],
    ['idx_log_attr_value', 'otel_logs', `LogAttributes['http.route'] = '/nowhere'`],
    ['idx_res_attr_value', 'otel_logs', `ResourceAttributes['host.name'] = 'nowhere'`],
  ])('%s of %s leaves out granules for %s', async (index, table, condition) => {
    const telemetry = await start();
    await telemetry.migrate('indexed');
    const [{ count } = { count: '0' }] = await testRows(telemetry, 'indexed').rows(
      sql`SELECT count() AS count FROM indexed.otel_logs`,
    );
    if (count === '0') {
      await fill(telemetry);
    }
    const plan = await telemetry.query(
      trusted(`EXPLAIN indexes = 1 SELECT count() FROM indexed.${table} WHERE ${condition}`),
      { ...chart, tenant: 'indexed' },
    );
    const lines = plan.rows.map((row) => String(row[0]).trim());
    const position = lines.indexOf(`Name: ${index}`);
    expect(lines).toContain(`Name: ${index}`);
    const [kept, all] =
      /Granules: (\d+)\/(\d+)/
        .exec(lines.slice(position).find((line) => line.startsWith('Granules:')) ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    expect(kept).toBeLessThan(all!);
  });

  test('retention is a TTL in days that follows the configuration, and 0 takes it away', async () => {
    const ttl = async (telemetry: Telemetry): Promise<Record<string, unknown>> =>
      Object.fromEntries(
        (
          await testRows(telemetry, 'kept').rows(
            sql`SELECT name, extract(engine_full, ' TTL (.*?) SETTINGS') AS ttl
              FROM system.tables
              WHERE database = 'kept'
                AND name IN ('otel_logs', 'otel_logs_1m', 'otel_traces', 'otel_metrics_sum')`,
          )
        ).map((row) => [row['name'], row['ttl']]),
      );
    const first = await start({ retentionDays: { logs: 30, traces: 7 } });
    await first.migrate('kept');
    expect(await ttl(first)).toEqual({
      otel_logs: 'TimestampTime + toIntervalDay(30)',
      otel_logs_1m: 'Minute + toIntervalDay(30)',
      otel_traces: 'toDateTime(Timestamp) + toIntervalDay(7)',
      otel_metrics_sum: '',
    });
    await first.close();
    const second = await start({ retentionDays: { logs: 0, traces: 14 } });
    await second.migrate('kept');
    expect(await ttl(second)).toEqual({
      otel_logs: '',
      otel_logs_1m: '',
      otel_traces: 'toDateTime(Timestamp) + toIntervalDay(14)',
      otel_metrics_sum: '',
    });
    await second.close();
    const third = await start();
    await third.migrate('kept');
    expect((await ttl(third))['otel_traces']).toBe('toDateTime(Timestamp) + toIntervalDay(14)');
  });

  test('an insert of telemetry builds the indexes of words, trace ids and values of attributes', async () => {
    const telemetry = await start();
    await telemetry.migrate('needles');
    const row = { Timestamp: 1, Body: 'x', LogAttributes: { 'user.id': 'u1' } };
    const data = Buffer.from(JSON.stringify(row));
    const block = { format: 'JSONEachRow', columns: Object.keys(row), data, rows: 1 } as const;
    await telemetry.insert('needles', 'otel_logs', block, { purpose: 'ingest' });
    const built = await testRows(telemetry, 'needles').rows(
      sql`SELECT name FROM system.data_skipping_indices
        WHERE database = 'needles' AND table = 'otel_logs' AND data_compressed_bytes > 0
        ORDER BY name`,
    );
    expect(built.map(({ name }) => name)).toEqual([
      'idx_log_attr_value',
      'idx_lower_body',
      'idx_trace_id',
    ]);
  });

  test('parts are synced to the disk; for telemetry the configuration decides', async () => {
    const names = ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'];
    const definition = async (telemetry: Telemetry): Promise<string> => {
      const [row] = await testRows(telemetry, 'synced').rows(
        sql`SELECT engine_full FROM system.tables WHERE database = 'synced' AND name = 'otel_logs'`,
      );
      return String(row?.['engine_full']);
    };
    const first = await start({ syncTelemetry: false });
    await first.migrate('synced');
    const server = await testRows(first, 'synced').rows(
      sql`SELECT name, value FROM system.merge_tree_settings
        WHERE name IN ('fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge')`,
    );
    expect(server.map(({ value }) => value)).toEqual(['1', '1', '1']);
    for (const name of names) {
      expect(await definition(first)).toContain(`${name} = 0`);
    }
    await first.close();
    const second = await start({ syncTelemetry: true });
    await second.migrate('synced');
    for (const name of names) {
      expect(await definition(second)).toContain(`${name} = 1`);
    }
  });

  test('the files of a dropped table are removed within half a minute', async () => {
    const telemetry = await start();
    const admin = { purpose: 'admin', timeoutMs: 5000 } as const;
    await telemetry.command(sql`CREATE DATABASE dropped`, admin);
    await telemetry.command(
      sql`CREATE TABLE dropped.t (a Int8) ENGINE = MergeTree ORDER BY a`,
      admin,
    );
    await telemetry.command(sql`DROP TABLE dropped.t`, admin);
    const { rows } = await telemetry.query(
      sql`SELECT table_dropped_time - now() FROM system.dropped_tables WHERE database = 'dropped'`,
      admin,
    );
    expect(rows).toHaveLength(1);
    expect(Number(rows[0]?.[0])).toBeLessThanOrEqual(31);
  });

  test('a part of less than 32 MiB in memory is in few files, a larger one in files for each column', async () => {
    const telemetry = await start();
    await telemetry.migrate('parts');
    const typeOf = async (service: string, rows: number): Promise<unknown> => {
      await telemetry.command(
        sql`INSERT INTO parts.otel_logs (Timestamp, ServiceName, Body)
        SELECT toDateTime64('2026-11-20 00:00:00', 9), ${service}, repeat('x', 1000) FROM numbers(${rows})`,
        { purpose: 'admin', timeoutMs: 30_000 },
      );
      const [part] = await testRows(telemetry, 'parts').rows(
        sql`SELECT part_type FROM system.parts
        WHERE database = 'parts' AND table = 'otel_logs'
          AND name = (SELECT any(_part) FROM parts.otel_logs WHERE ServiceName = ${service})`,
      );
      return part?.['part_type'];
    };
    expect([await typeOf('small', 15_000), await typeOf('large', 50_000)]).toEqual([
      'Compact',
      'Wide',
    ]);
  });
});

/** 200,000 rows in which one needle lies. */
async function fill(telemetry: Telemetry): Promise<void> {
  await telemetry.command(
    sql`INSERT INTO indexed.otel_logs (Timestamp, TraceId, ServiceName, Body, LogAttributes, ResourceAttributes)
    SELECT toDateTime64('2026-11-20 00:00:00', 9) + number / 10,
      leftPad(lower(hex(number)), 32, '0'), 'shop',
      if(number = 77777, 'a Needle here', concat('request ', toString(number % 1000), ' served')),
      if(number = 77777, map('rare.key', 'rare value'), map('http.route', '/cart')),
      map('host.name', concat('host-', toString(number % 5)))
    FROM numbers(200000)`,
    { purpose: 'admin', timeoutMs: 30_000 },
  );
}

test('queries leave nothing behind in the signal that they were given', async () => {
  const telemetry = await start();
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index++) {
    await telemetry.query(sql`SELECT 1`, { ...chart, signal });
  }
  expect(dependents(signal)).toBe(0);
});

/** How many signals of `AbortSignal.any` Node remembers in one of their sources. */
function dependents(signal: AbortSignal): number {
  const held = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  return held ? (Reflect.get(signal, held) as { size: number }).size : 0;
}
