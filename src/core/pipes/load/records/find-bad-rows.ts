import { TelemetryError } from '../../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, trusted } from '../../../../sql/sql.ts';
import { wideType } from '../../../../sql/wide-type.ts';
import type { RowTable } from './row-destination.ts';
import { JsonRowWriter, type RowLines } from './json-row-writer.ts';

const rowNumber = '__sightline_row';
/**
 * Each reason costs an insert of its row. Rows beyond this number get a general reason, so that a
 * flood of bad rows does not hold up the pipe.
 */
const reasonsMax = 32;
const timeoutMs = 60_000;

/**
 * Finds the rows that the engine cannot read, and why. All rows, numbered, are inserted into a
 * temporary table of the same columns, and the engine leaves out the bad ones: a missing row is bad.
 * Only the engine decides; JavaScript does not repeat its parsing.
 */
export async function findBadRows(
  to: Pick<RowTable, 'shard' | 'database' | 'table'>,
  names: readonly string[],
  rows: RowLines,
  token: string,
  signal: AbortSignal,
): Promise<{ row: number; reason: string }[]> {
  const { shard, database } = to;
  const table = `${to.table.slice(0, 120)}_pipe_check_${token.slice(0, 24)}`;
  const types = new Map(
    (await shard.columns(database, to.table)).map(({ name, type }) => [name, type]),
  );
  // Types as the engine wrote them. Integers are wide, so that values out of range arrive complete.
  const fields = names.map((name) => ({
    name,
    type: types.get(name) ?? 'String',
    wide: wideType(types.get(name) ?? 'String'),
  }));
  const columns = fields.map(
    ({ name, type, wide }) => sql`${identifier(name)} ${trusted(wide ?? type)}`,
  );
  const drop = sql`DROP TABLE IF EXISTS ${qualified(database, table)}`;
  const command = { purpose: 'pipe', tenant: database, timeoutMs } as const;
  await shard.command(drop, command);
  await shard.command(
    sql`CREATE TABLE ${qualified(database, table)}
      (${identifier(rowNumber)} UInt32, ${join(columns, ', ')}) ENGINE = Memory`,
    command,
  );
  try {
    const check = { shard, database, table, columns: [rowNumber, ...names] };
    await insertNumbered(
      check,
      rows,
      Array.from({ length: rows.rows }, (_, row) => row),
      true,
      signal,
    );
    const bad = await missing(check, rows.rows, signal);
    const unread: { row: number; reason: string }[] = [];
    // One after the other: inserts of other pipes wait in the same queue.
    for (const [index, row] of bad.entries()) {
      unread.push({
        row,
        reason: index < reasonsMax ? await reasonOf(check, rows, row, signal) : generalReason,
      });
    }
    const tooLarge = await outOfRange(
      check,
      fields.flatMap(({ name, type, wide }) => (wide === undefined ? [] : [{ name, type }])),
      signal,
    );
    return [...unread, ...tooLarge].sort((a, b) => a.row - b.row);
  } finally {
    await shard.command(drop, command);
  }
}

/** The table of numbered rows. */
interface CheckTable extends Pick<RowTable, 'shard' | 'database' | 'table'> {
  columns: readonly string[];
}

const generalReason = 'the engine could not read the record into the columns of the table';

async function missing(check: CheckTable, count: number, signal: AbortSignal): Promise<number[]> {
  const statement = sql`SELECT arraySort(groupArray(number)) FROM (
    SELECT number FROM numbers(${count}) WHERE number NOT IN (
      SELECT ${identifier(rowNumber)} FROM ${qualified(check.database, check.table)}
    )
  )`;
  const { rows } = await check.shard.query(statement, {
    purpose: 'pipe',
    tenant: check.database,
    timeoutMs,
    signal,
  });
  return ((rows[0]?.[0] as (string | number)[] | undefined) ?? []).map(Number);
}

/**
 * Finds rows with an integer that does not fit its column: the engine would store it modulo the
 * width.
 */
async function outOfRange(
  check: CheckTable,
  columns: readonly { name: string; type: string }[],
  signal: AbortSignal,
): Promise<{ row: number; reason: string }[]> {
  if (columns.length === 0) {
    return [];
  }
  const changed = columns.map(
    ({ name, type }) =>
      sql`ifNull(toString(${identifier(name)}) != toString(CAST(${identifier(name)}, ${type})), 0)`,
  );
  const firstChanged = sql`arrayFirstIndex(wrong -> wrong, [${join(changed, ', ')}])`;
  const statement = sql`SELECT arraySort(groupArray((${identifier(rowNumber)}, ${firstChanged})))
    FROM ${qualified(check.database, check.table)} WHERE ${join(changed, ' OR ')}`;
  const { rows } = await check.shard.query(statement, {
    purpose: 'pipe',
    tenant: check.database,
    timeoutMs,
    signal,
  });
  return ((rows[0]?.[0] as [number, number][] | undefined) ?? []).flatMap(([row, index]) => {
    const column = columns[Number(index) - 1];
    return column
      ? [
          {
            row: Number(row),
            reason: `a value is out of range for ${column.name} (${column.type})`,
          },
        ]
      : [];
  });
}

async function reasonOf(
  check: CheckTable,
  rows: RowLines,
  row: number,
  signal: AbortSignal,
): Promise<string> {
  try {
    await insertNumbered(check, rows, [row], false, signal);
    return generalReason;
  } catch (error) {
    if (
      error instanceof TelemetryError &&
      error.kind !== 'unavailable' &&
      error.kind !== 'aborted' &&
      error.kind !== 'timeout'
    ) {
      return engineReason(error.message);
    }
    throw error;
  }
}

/** The engine's own words, without its code, version and inner workings. */
export function engineReason(message: string): string {
  return message
    .replace(/^[\s\S]*DB::\w*Exception: /, '')
    .replace(/:? ?\(at row \d+\)[\s\S]*$/, '')
    .replace(/[\s:]*While executing[\s\S]*$/, '')
    .replace(/ ?\(version [^)]*\)/, '')
    .replace(/: In scope [\s\S]*$/, '')
    .replace(/ \([A-Z_]+\)$/, '')
    .replace(/: ?\(in file\/uri [^)]*\)/g, '')
    .replace(/[\s.:]+$/, '')
    .slice(0, 1000);
}

async function insertNumbered(
  check: CheckTable,
  rows: RowLines,
  which: readonly number[],
  leaveOutBadRows: boolean,
  signal: AbortSignal,
): Promise<void> {
  const numbered = new JsonRowWriter(rows.length + which.length * 40);
  for (const row of which) {
    const line = oneLine(rows.row(row));
    const brace = line.indexOf(0x7b);
    numbered.text(`{"${rowNumber}":${row}${isEmptyObject(line, brace) ? '' : ','}`);
    numbered.bytes(line, brace + 1);
    numbered.endRow();
  }
  await check.shard.insert(
    check.database,
    check.table,
    { format: 'JSONEachRow', columns: check.columns, data: numbered.take(), rows: which.length },
    { purpose: 'pipe', foreign: true, leaveOutBadRows, timeoutMs, signal },
  );
}

function isEmptyObject(line: Buffer, brace: number): boolean {
  let index = brace + 1;
  while (line[index] === 0x20 || line[index] === 0x09) {
    index++;
  }
  return line[index] === 0x7d;
}

/** After a bad row the engine continues at the next line, so a record must be on one line. */
function oneLine(row: Buffer): Buffer {
  const body = row.at(-1) === 0x0a ? row.subarray(0, row.length - 1) : row;
  if (!body.includes(0x0a) && !body.includes(0x0d)) {
    return body;
  }
  return Buffer.from(body.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
