import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { eventually } from '../kit/eventually.ts';
import { rollupFaults } from '../kit/rollup.ts';
import { logBlock } from './log-block.ts';

const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
const credentials = { user: 'default', password: '' };
const rowsPerBlock = 500;

describe('the rollup of a server that was killed', () => {
  let server: ClickHouseServer;
  /** Two processes over the same server. */
  let first: Telemetry;
  let second: Telemetry;
  beforeAll(async () => {
    server = await startClickHouseServer(credentials);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    [first, second] = await Promise.all([open(), open()]);
    await first.migrate('crash');
    await second.migrate('crash');
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
  });

  const open = (): Promise<Telemetry> =>
    openClickHouse({ url: server.url, rollupCheck: { pollMs: 200, settleMs: 2_000 } });
  /** Two starts within two seconds count as one: a server tells its uptime in whole seconds. */
  const restart = async (): Promise<void> => {
    const uptime = async (): Promise<number> => {
      const response = await fetch(server.url, { method: 'POST', body: 'SELECT uptime()' });
      return Number(await response.text());
    };
    await eventually(async () => expect(await uptime()).toBeGreaterThan(3));
    await server.kill();
    await server.restart();
  };
  /** Rows that only the logs have, and a count that only the rollup has. */
  async function breakRollup(block: number): Promise<void> {
    await first.command(sql`DETACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.insert('crash', 'otel_logs', logBlock(block, rowsPerBlock));
    await first.command(sql`ATTACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.command(
      sql`INSERT INTO crash.otel_logs_1m (Minute, ServiceName, Count) VALUES (now(), 'ghost', 7)`,
      admin,
    );
    expect(await rollupFaults(first, 'crash')).not.toEqual([]);
  }
  const isExact = (): Promise<void> =>
    eventually(async () => expect(await rollupFaults(first, 'crash')).toEqual([]), 60_000);

  test('gets what is missing and loses what is too much, once', async () => {
    await breakRollup(1);
    await restart();
    await isExact();
    // A second correction would come with the next looks of either process.
    await pause(6_000);
    expect(await rollupFaults(first, 'crash')).toEqual([]);
  });

  test('gets what is missing while inserts go on', async () => {
    const end = new AbortController();
    const inserting = (async () => {
      for (let block = 1000; !end.signal.aborted; block++) {
        const row = logBlock(block, rowsPerBlock);
        await second
          .insert('crash', 'otel_logs', row, { deduplicationToken: `block ${block}` })
          .catch(() => pause(50));
      }
    })();
    await breakRollup(2);
    await restart();
    await pause(8_000);
    end.abort();
    await inserting;
    await isExact();
  });

  test('gets what is missing if the process was killed as well, once it starts again', async () => {
    await breakRollup(3);
    await Promise.all([first.close(), second.close()]);
    await restart();
    [first, second] = await Promise.all([open(), open()]);
    await first.migrate('crash');
    await isExact();
  });

  test('is compared once after each start of the server', async () => {
    await restart();
    await eventually(async () => {
      const { rows } = await first.query(
        sql`SELECT max(Checked) FROM crash.sightline_server_starts
          WHERE abs(toUnixTimestamp(Started) - (toUnixTimestamp(now()) - uptime())) <= 2`,
        admin,
      );
      expect(rows).toEqual([[1]]);
    }, 30_000);
    // No crash: nothing looks for this difference.
    await breakRollup(4);
    const faults = await rollupFaults(first, 'crash');
    await pause(5_000);
    expect(await rollupFaults(first, 'crash')).toEqual(faults);
  });
});
