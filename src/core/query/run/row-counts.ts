import { Fault } from '../../../contract/errors.ts';
import type { Clock } from '../../../ports/ambient.ts';
import type { QueryResult } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitExtent } from '../emit/emit-tables.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { EventTime, Table } from '../plan/plan.ts';

const keptMs = 60_000;
const tablesMax = 1000;
/** Of a question for the oldest and newest time, which the engine answers without reading. */
export const extentRowsMax = 1_000_000;

interface Extent {
  oldestMs: number;
  newestMs: number;
  rows: number;
}

/** How many rows tables have, and over which time. */
export class RowCounts {
  private readonly clock: Clock;
  private readonly known = new Map<
    string,
    { extent: Promise<Extent | undefined>; readAtMs: number }
  >();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * About how many rows are in a range, as if the rows of the table were evenly spread. Infinite if
   * the engine does not tell without reading the table.
   */
  async inRange(
    { table, time }: { table: Table; time: EventTime },
    { fromMs, toMs }: TimeRange,
    read: (statement: Sql) => Promise<QueryResult>,
  ): Promise<number> {
    const key = JSON.stringify([table.database, table.name]);
    const nowMs = this.clock.now();
    let known = this.known.get(key);
    if (!known || nowMs - known.readAtMs >= keptMs) {
      if (this.known.size >= tablesMax) {
        this.known.clear();
      }
      known = { extent: extentOf(read(emitExtent(table, time))), readAtMs: nowMs };
      this.known.set(key, known);
    }
    const extent = await known.extent;
    if (!extent) {
      return Infinity;
    }
    const { oldestMs, newestMs, rows } = extent;
    const sharedMs = Math.min(toMs, newestMs) - Math.max(fromMs, oldestMs);
    return rows * Math.min(Math.max(sharedMs, 0) / Math.max(newestMs - oldestMs, 1), 1);
  }
}

async function extentOf(reading: Promise<QueryResult>): Promise<Extent | undefined> {
  try {
    const [oldestMs = 0, newestMs = 0, rows = 0] = ((await reading).rows[0] ?? []).map(Number);
    return { oldestMs, newestMs, rows };
  } catch (error) {
    if (error instanceof Fault) {
      return undefined;
    }
    throw error;
  }
}
