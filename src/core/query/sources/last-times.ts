import type { SourceTime } from '../../../contract/source-times.ts';
import type { Source, SourceInput } from '../../../contract/source.ts';
import { Fault } from '../../../contract/errors.ts';
import type { QueryResult } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitExtent } from '../emit/emit-tables.ts';
import { collect } from '../fields/compile.ts';
import type { Fields } from '../fields/fields.ts';
import { eventTime } from '../plan/event-time.ts';
import type { EventTime, Table } from '../plan/plan.ts';
import { tablesOf } from './draft.ts';

/** Tables that are asked at the same time. */
const tablesAtOnce = 4;

interface TimedTable {
  table: Table;
  time: EventTime;
}

interface Engine {
  /** The fields of a table; undefined if there is no such table. */
  fieldsOf(table: Table): Promise<Fields | undefined>;
  run(statement: Sql): Promise<QueryResult>;
}

/**
 * When each source got its newest row. Each table is asked once, however many sources read it. A
 * table that cannot be read has no time.
 */
export async function readLastTimes(
  sources: readonly Source[],
  { fieldsOf, run }: Engine,
): Promise<SourceTime[]> {
  const wanted = new Map<string, { source: Source; table: Table }>();
  for (const source of sources) {
    for (const { table } of tablesOf(source)) {
      wanted.set(keyOf(source, table), { source, table });
    }
  }
  const times = new Map<string, number>();
  const queue = [...wanted];
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [key, { source, table }] = next;
      const fields = await fieldsOf(table);
      const timed = fields && timedTable(source, table, fields);
      const newest = timed && (await newestOf(timed, run));
      if (newest !== undefined) {
        times.set(key, newest);
      }
    }
  };
  await Promise.all(Array.from({ length: tablesAtOnce }, work));
  return sources.map((source): SourceTime => {
    const own = tablesOf(source).flatMap(({ table }) => times.get(keyOf(source, table)) ?? []);
    return { sourceId: source.id, ...(own.length > 0 && { lastTime: Math.max(...own) }) };
  });
}

const keyOf = (source: SourceInput, { database, name }: Table): string =>
  JSON.stringify([database, name, source.timestampValueExpression]);

function timedTable(source: Source, table: Table, fields: Fields): TimedTable | undefined {
  const time = collect([], 'sourceId', () => eventTime(source, fields));
  return time?.exact.type.base === 'time' ? { table, time } : undefined;
}

async function newestOf(
  { table, time }: TimedTable,
  run: Engine['run'],
): Promise<number | undefined> {
  try {
    const [row] = (await run(emitExtent(table, time))).rows;
    const [, newest, count] = (row ?? []).map(Number);
    return count === 0 ? undefined : newest;
  } catch (error) {
    // Such as a view whose table is gone. Other failures are of all tables.
    if (error instanceof Fault && error.code === 'bad_request') {
      return undefined;
    }
    throw error;
  }
}
