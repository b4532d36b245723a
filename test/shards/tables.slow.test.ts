import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { migrations } from '../../src/adapters/telemetry/migrations.ts';
import { sql } from '../../src/sql/sql.ts';
import { logBlock, openSharded, type Sharded } from '../kit/sharded.ts';

const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
let sharded: Sharded;

beforeAll(async () => {
  sharded = await openSharded(3);
});
afterAll(() => sharded?.close());

const names = (shard: number, database: string, engine: string): Promise<string> =>
  sharded.ask(
    shard,
    `SELECT arrayStringConcat(arraySort(groupArray(name)), ' ') FROM system.tables
     WHERE database = '${database}' AND engine = '${engine}'`,
  );

describe('a new database', () => {
  test('has tables with rows on each shard, and tables over all shards', async () => {
    const { telemetry } = sharded;
    expect(await telemetry.migrate('fresh')).toHaveLength(migrations.length);
    for (const shard of [0, 1, 2]) {
      expect(await names(shard, 'fresh', 'Distributed')).toBe(
        'otel_logs otel_logs_1m otel_metrics_exponential_histogram otel_metrics_gauge ' +
          'otel_metrics_histogram otel_metrics_sum otel_metrics_summary otel_traces ' +
          'otel_traces_trace_id_ts sightline_rollups',
      );
      expect(await names(shard, 'fresh', 'MaterializedView')).toBe(
        'otel_logs_1m_mv_local otel_traces_trace_id_ts_mv_local',
      );
    }
    expect(await telemetry.migrate('fresh')).toEqual([]);
    expect(await telemetry.rollupExactFrom('fresh')).toBe(0);
  });

  test('is made by several processes at once', async () => {
    const others = await Promise.all([sharded.open(), sharded.open()]);
    await Promise.all([sharded.telemetry, ...others].map((each) => each.migrate('together')));
    await others[0]!.insert('together', 'otel_logs', logBlock('a', 10));
    const { rows } = await others[1]!.query(sql`SELECT count() FROM together.otel_logs`, admin);
    expect(rows).toEqual([['10']]);
  });

  test('keeps rows as long as configured, on each shard', async () => {
    const kept = await sharded.open({ retentionDays: { logs: 7 } });
    await kept.migrate('kept');
    for (const shard of [0, 1, 2]) {
      expect(await sharded.ask(shard, 'SHOW CREATE TABLE kept.otel_logs_local')).toContain(
        'TTL TimestampTime + toIntervalDay(7)',
      );
    }
  });

  test('whose tables got new columns shows them over all shards', async () => {
    await sharded.telemetry.migrate('wider');
    for (const shard of [0, 1, 2]) {
      await sharded.ask(shard, 'ALTER TABLE wider.otel_logs_local ADD COLUMN Extra String');
    }
    await sharded.telemetry.migrate('wider');
    const columns = await sharded.telemetry.columns('wider', 'otel_logs');
    expect(columns.map(({ name }) => name)).toContain('Extra');
  });

  test('whose columns differ between shards is refused', async () => {
    await sharded.telemetry.migrate('unequal');
    await sharded.ask(1, 'ALTER TABLE unequal.otel_logs_local MODIFY COLUMN TraceFlags UInt32');
    await expect(sharded.telemetry.migrate('unequal')).rejects.toThrow(
      /the column unequal\.otel_logs_local\.TraceFlags is UInt8 on shard 1 \(.*\), and UInt32 on shard 2/,
    );
  });
});

test('nobody inserts through the tables over all shards', async () => {
  await sharded.telemetry.migrate('direct');
  await expect(sharded.ask(0, `INSERT INTO direct.otel_logs (Body) VALUES ('x')`)).rejects.toThrow(
    /sharding key/,
  );
});

describe('a database that exists unsharded', () => {
  const [old, queries] = ['old', { purpose: 'chart', tenant: 'old', timeoutMs: 30_000 }] as const;

  test('keeps its rows and counts, while it is written and read', async () => {
    const single = await openClickHouse({ url: sharded.cluster.servers[0]!.url });
    await single.migrate(old);
    await single.insert(old, 'otel_logs', logBlock('before', 500));
    const done = new AbortController();
    let stored = 500;
    let read = 0;
    const writing = (async () => {
      // An old process: it fails from some moment on, and everything acknowledged stays.
      while (!done.signal.aborted) {
        await single.insert(old, 'otel_logs', logBlock('meanwhile', 7)).then(
          () => (stored += 7),
          () => {},
        );
      }
    })();
    const reading = (async () => {
      while (!done.signal.aborted) {
        const count = await single.query(sql`SELECT count() FROM old.otel_logs`, queries).then(
          ({ rows }) => Number(rows[0]![0]),
          // Between the two halves of a RENAME the table has no name.
          (error: { kind: string }) => (error.kind === 'unknown_table' ? 500 : error),
        );
        expect(count).toBeGreaterThanOrEqual(500);
        read += 1;
      }
    })();
    const steps = await sharded.telemetry.migrate(old);
    done.abort();
    await Promise.all([writing, reading]);
    expect(read).toBeGreaterThan(0);
    expect(steps).toContain('tables shared with all shards on shard 1');
    await single.close();

    await sharded.telemetry.insert(old, 'otel_logs', logBlock('after', 100));
    const total = await sharded.telemetry.query(sql`SELECT count() FROM old.otel_logs`, queries);
    const count = Number(total.rows[0]![0]);
    // An insert that was cut short has no answer, and may be stored.
    expect(count - 100).toBeGreaterThanOrEqual(stored);
    expect(count - 100 - stored).toBeLessThanOrEqual(7);
    const counted = await sharded.telemetry.query(
      sql`SELECT sum(Count) FROM old.otel_logs_1m`,
      queries,
    );
    expect(Number(counted.rows[0]![0])).toBe(count);
    expect(await sharded.telemetry.rollupExactFrom(old)).toBe(0);
    expect(await sharded.telemetry.migrate(old)).toEqual([]);
  });

  test.each([1, 2, 4, 7, 10])(
    'is finished after the work was cut off at %i tables',
    async (tables) => {
      const database = `cut_${tables}`;
      const { url } = sharded.cluster.servers[2]!;
      const single = await openClickHouse({ url });
      await single.migrate(database);
      await single.insert(database, 'otel_logs', logBlock('before', 50));
      await single.close();
      const dying = await sharded.open();
      void dying.migrate(database).catch(() => {});
      await expect
        .poll(
          async () =>
            Number(
              await sharded.ask(
                2,
                `SELECT count() FROM system.tables WHERE database = '${database}' AND engine = 'Distributed'`,
              ),
            ),
          { timeout: 30_000, interval: 1 },
        )
        .toBeGreaterThanOrEqual(tables);
      await dying.close(0);
      await sharded.telemetry.migrate(database);
      expect(await sharded.counts(`${database}.otel_logs_local`)).toEqual([0, 0, 50]);
      // Some of these blocks go to the shard whose view was replaced.
      for (let block = 0; block < 40; block++) {
        await sharded.telemetry.insert(database, 'otel_logs', logBlock('after', 5), {
          deduplicationToken: `block ${block}`,
        });
      }
      const [, , rows = 0] = await sharded.counts(`${database}.otel_logs_local`);
      expect(rows).toBeGreaterThan(50);
      expect(await sharded.ask(0, `SELECT count() FROM ${database}.otel_logs`)).toBe('250');
      expect(await sharded.ask(0, `SELECT sum(Count) FROM ${database}.otel_logs_1m`)).toBe('250');
    },
  );
});
