import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { IncompleteRow } from './change-batch.ts';
import { quoteName } from './quote.ts';
import type { TableShape } from './table-shape.ts';

/** Keys in one question; a question may have 65,535 values. */
const keysMax = 500;
/** A commit is in the log a moment before others see it. */
const visibleWaitMs = 20;

/**
 * Asks for large values that an update did not touch and that were not sent with it. What is there now may be newer than the update: then the
 * change that made it newer comes later in the stream, with its own value. A row that is gone by now keeps NULL: its end comes later too.
 */
export async function completeRows(client: Client, rows: readonly IncompleteRow[]): Promise<void> {
  const byShape = new Map<TableShape, IncompleteRow[]>();
  for (const row of rows) {
    byShape.set(row.shape, [...(byShape.get(row.shape) ?? []), row]);
  }
  for (const [shape, own] of byShape) {
    for (let at = 0; at < own.length; at += keysMax) {
      await completeSome(client, shape, own.slice(at, at + keysMax));
    }
  }
}

async function completeSome(
  client: Client,
  shape: TableShape,
  rows: readonly IncompleteRow[],
): Promise<void> {
  for (let left = rows; left.length > 0;) {
    const found = await lookUp(client, shape, left);
    const absent = left.filter((row) => {
      const values = found.get(keyOf(shape, row));
      if (values) {
        for (const [place, value] of values) {
          if (row.values[place] === undefined) {
            row.values[place] = value;
          }
        }
      }
      return !values;
    });
    left = await stillInvisible(client, absent);
    if (left.length > 0) {
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
  const wanted = names
    .map((_, place) => place)
    .filter((place) => rows.some(({ values }) => values[place] === undefined));
  const there = await columnsThere(client, shape);
  const asked = [...keyPlaces, ...wanted.filter((place) => there.has(names[place]!))];
  if (keyPlaces.some((place) => !there.has(names[place]!))) {
    return new Map(rows.map((row) => [keyOf(shape, row), new Map()]));
  }
  let number = 0;
  const condition = rows
    .map(
      () =>
        `(${keyPlaces.map((place) => `${quoteName(names[place]!)} = $${++number}`).join(' AND ')})`,
    )
    .join(' OR ');
  const values = rows.flatMap((row) => keyPlaces.map((place) => row.values[place] ?? null));
  const text = `SELECT ${asked.map((place) => quoteName(names[place]!)).join(', ')} FROM ${quoteName(mapping.sourceSchemaName)}.${quoteName(mapping.sourceTable)} WHERE ${condition}`;
  const answer = await client.query<(string | null)[]>({
    text,
    values,
    rowMode: 'array',
    types: asText,
  });
  return new Map(
    answer.rows.map((row) => [
      JSON.stringify(row.slice(0, keyPlaces.length)),
      new Map(asked.map((place, index) => [place, row[index] ?? null])),
    ]),
  );
}

const asText = { getTypeParser: () => (value: string) => value };

/** Columns may have been dropped or renamed since. */
async function columnsThere(client: Client, { mapping }: TableShape): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.attname::text AS name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped`,
    [mapping.sourceSchemaName, mapping.sourceTable],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Those whose transaction counts as running still for others. */
async function stillInvisible(
  client: Client,
  rows: readonly IncompleteRow[],
): Promise<IncompleteRow[]> {
  if (rows.length === 0) {
    return [];
  }
  const { rows: running } = await client.query<{ id: string }>(
    'SELECT (x::text::numeric % 4294967296)::text AS id FROM pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()) AS x',
  );
  const ids = new Set(running.map(({ id }) => Number(id)));
  return rows.filter(({ transaction }) => ids.has(transaction));
}
