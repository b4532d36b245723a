import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { IncompleteRow } from './change-batch.ts';
import { quoteName, quoteTable } from '../wire/quote.ts';
import type { TableShape } from '../tables/table-shape.ts';

/** Keys in one query. A query may have at most 65,535 parameters. */
const keysMax = 500;
/** A commit is in the WAL shortly before other sessions see it. */
const visibleWaitMs = 20;

/**
 * Queries the large values that an update did not touch and that the server did not send with it.
 * The current value may be newer than the update: then the change that wrote it follows in the
 * stream. A row that does not exist any more keeps NULL: its deletion follows in the stream too.
 */
export async function completeRows(client: Client, rows: readonly IncompleteRow[]): Promise<void> {
  const byShape = new Map<TableShape, IncompleteRow[]>();
  for (const row of rows) {
    byShape.set(row.shape, [...(byShape.get(row.shape) ?? []), row]);
  }
  for (const [shape, rowsOfShape] of byShape) {
    for (let start = 0; start < rowsOfShape.length; start += keysMax) {
      await completeSome(client, shape, rowsOfShape.slice(start, start + keysMax));
    }
  }
}

async function completeSome(
  client: Client,
  shape: TableShape,
  rows: readonly IncompleteRow[],
): Promise<void> {
  for (let pending = rows; pending.length > 0;) {
    const valuesByKey = await lookUp(client, shape, pending);
    const absent = pending.filter((row) => {
      const values = valuesByKey.get(keyOf(shape, row));
      if (values) {
        for (const [place, value] of values) {
          if (row.values[place] === undefined) {
            row.values[place] = value;
          }
        }
      }
      return !values;
    });
    pending = await notYetVisible(client, absent);
    if (pending.length > 0) {
      await pause(visibleWaitMs);
    }
  }
  for (const row of rows) {
    row.values.forEach((value, place) => {
      if (value === undefined) {
        row.values[place] = null;
      }
    });
  }
}

const keyOf = ({ keyPlaces }: TableShape, { values }: Pick<IncompleteRow, 'values'>): string =>
  JSON.stringify(keyPlaces.map((place) => values[place]));

async function lookUp(
  client: Client,
  shape: TableShape,
  rows: readonly IncompleteRow[],
): Promise<Map<string, Map<number, string | null>>> {
  const { mapping, names, keyPlaces } = shape;
  const existing = await currentColumns(client, shape);
  const columns = [...names.entries()]
    .filter(([, name]) => existing.has(name))
    .map(([place, name]) => ({ place, quoted: quoteName(name) }));
  const keys = keyPlaces.flatMap((key) => columns.filter(({ place }) => place === key));
  if (keys.length < keyPlaces.length) {
    return new Map(rows.map((row) => [keyOf(shape, row), new Map()]));
  }
  const missing = columns.filter(({ place }) =>
    rows.some(({ values }) => values[place] === undefined),
  );
  const selected = [...keys, ...missing];
  let parameter = 0;
  const conditions = rows.map(
    () => `(${keys.map(({ quoted }) => `${quoted} = $${++parameter}`).join(' AND ')})`,
  );
  const table = quoteTable({ schema: mapping.sourceSchemaName, table: mapping.sourceTable });
  const result = await client.query<(string | null)[]>({
    text: `SELECT ${selected.map(({ quoted }) => quoted).join(', ')}
           FROM ${table} WHERE ${conditions.join(' OR ')}`,
    values: rows.flatMap((row) => keyPlaces.map((place) => row.values[place] ?? null)),
    rowMode: 'array',
    types: asText,
  });
  return new Map(
    result.rows.map((row) => [
      JSON.stringify(row.slice(0, keyPlaces.length)),
      new Map(selected.map(({ place }, index) => [place, row[index] ?? null])),
    ]),
  );
}

const asText = { getTypeParser: () => (value: string) => value };

/** Names of the table's current columns: some may have been dropped or renamed since. */
async function currentColumns(client: Client, { mapping }: TableShape): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.attname::text AS name
     FROM pg_catalog.pg_attribute a
     JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped`,
    [mapping.sourceSchemaName, mapping.sourceTable],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Rows whose transaction other sessions do not see as committed yet. */
async function notYetVisible(
  client: Client,
  rows: readonly IncompleteRow[],
): Promise<IncompleteRow[]> {
  if (rows.length === 0) {
    return [];
  }
  const { rows: running } = await client.query<{ id: string }>(
    `SELECT (x::text::numeric % 4294967296)::text AS id
     FROM pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()) AS x`,
  );
  const ids = new Set(running.map(({ id }) => Number(id)));
  return rows.filter(({ transaction }) => ids.has(transaction));
}
