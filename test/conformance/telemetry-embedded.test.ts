import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openChdb, type ChdbOptions } from '../../src/adapters/telemetry/chdb.ts';
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

const start = async (options: Partial<ChdbOptions> = {}): Promise<Telemetry> =>
  (open = await openChdb({ path: join(directory, 'engine'), ...options }));
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
      sql`SELECT count() FROM system.processes WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%system.processes%'`,
      { purpose: 'admin', timeoutMs: 5000 },
    )
  ).rows[0]?.[0];

describe('waiting', () => {
  const narrow = { lanes: { chart: { width: 1, queueLimit: 1 } } };

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

describe('closing', () => {
  test('close lets a running query end and refuses what comes later', async () => {
    const telemetry = await start();
    const slow = telemetry.query(sql`SELECT sum(sleepEachRow(0.1)) FROM numbers(5)`, chart);
    await eventually(async () =>
      expect(
        (
          await telemetry.query(
            sql`SELECT count() FROM system.processes WHERE query LIKE '%sleepEachRow(0.1)%' AND query NOT LIKE '%system.processes%'`,
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

describe('the directory', () => {
  test('a second process is told that the directory is taken, and takes nothing from the first', async () => {
    const telemetry = await start();
    const script = `import { openChdb } from ${JSON.stringify(new URL('../../src/adapters/telemetry/chdb.ts', import.meta.url).href)};
      openChdb({ path: ${JSON.stringify(join(directory, 'engine'))} }).then(() => console.log('opened'), (error) => console.log(error.kind, error.message));`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, UV_THREADPOOL_SIZE: '24' } },
    );
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toBe(
      `unavailable the telemetry directory ${join(directory, 'engine')} cannot be opened: process ${process.pid} has it\n`,
    );
    expect(await readdir(join(directory, 'engine'))).toContain('incoming');
    expect((await telemetry.query(sql`SELECT 1`, chart)).rows).toEqual([[1]]);
  });

  test('a second directory in one process is refused with the reason', async () => {
    await start();
    await expect(openChdb({ path: join(directory, 'other') })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('one at a time'),
    });
  });

  test('too few threads for the connections is refused with the number that is needed', async () => {
    await expect(
      openChdb({
        path: join(directory, 'engine'),
        lanes: { chart: { width: 400, queueLimit: 1 } },
      }),
    ).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('UV_THREADPOOL_SIZE=413'),
    });
  });

  test('inserted blocks leave no file behind, refused ones neither', async () => {
    const telemetry = await start();
    await telemetry.migrate('files');
    const { insert } = testRows(telemetry, 'files');
    await insert('otel_logs', [{ Timestamp: '2026-11-20 10:00:00', Body: 'x' }]);
    await kindOf(insert('otel_logs', [{ Timestamp: 'never' }]));
    expect(await readdir(join(directory, 'engine', 'incoming'))).toEqual([]);
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
      chart,
    );
    const lines = plan.rows.map((row) => String(row[0]).trim());
    const at = lines.indexOf(`Name: ${index}`);
    expect(lines).toContain(`Name: ${index}`);
    const [kept, all] =
      /Granules: (\d+)\/(\d+)/
        .exec(lines.slice(at).find((line) => line.startsWith('Granules:')) ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    expect(kept).toBeLessThan(all!);
  });

  test('retention is a TTL in days that follows the configuration, and 0 takes it away', async () => {
    const ttl = async (telemetry: Telemetry): Promise<Record<string, unknown>> =>
      Object.fromEntries(
        (
          await testRows(telemetry, 'kept').rows(
            sql`SELECT name, extract(engine_full, ' TTL (.*?) SETTINGS') AS ttl FROM system.tables WHERE database = 'kept' AND name IN ('otel_logs', 'otel_logs_1m', 'otel_traces', 'otel_metrics_sum')`,
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
});

/** 200,000 rows in which one needle lies. */
async function fill(telemetry: Telemetry): Promise<void> {
  await telemetry.command(
    sql`INSERT INTO indexed.otel_logs (Timestamp, TraceId, ServiceName, Body, LogAttributes, ResourceAttributes)
    SELECT toDateTime64('2026-11-20 00:00:00', 9) + number / 10, leftPad(lower(hex(number)), 32, '0'), 'shop', if(number = 77777, 'a Needle here', concat('request ', toString(number % 1000), ' served')),
      if(number = 77777, map('rare.key', 'rare value'), map('http.route', '/cart')), map('host.name', concat('host-', toString(number % 5)))
    FROM numbers(200000)`,
    { purpose: 'admin', timeoutMs: 30_000 },
  );
}
