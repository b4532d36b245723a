import type { Source, SourceField } from '../../../contract/source.ts';
import type { Value } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitColumnSamples, emitMapSamples } from '../emit/emit-search.ts';
import { eventTime } from '../plan/event-time.ts';
import { mapKeyPath, type Fields } from './fields.ts';
import type { Table } from '../plan/plan.ts';

const recentMs = 21_600_000;

/** Runs one query on the engine. */
export type Ask = (statement: Sql) => Promise<Value[][]>;

/**
 * Columns of a source's table and keys of its map columns, with values that occur in recent rows
 * (or any, where none are recent).
 */
export async function sourceFields(
  source: Source,
  table: Table,
  fields: Fields,
  nowMs: number,
  ask: Ask,
): Promise<SourceField[]> {
  const time = eventTime(source, fields);
  const short = fields.columns
    .filter(({ type }) => /^(LowCardinality|Enum|Bool)/.test(type))
    .map(({ name }) => name);
  const maps = fields.columns
    .filter(({ name }) => fields.type(name)?.base === 'map')
    .map(({ name }) => name);
  const gather = async (sinceMs: number | undefined) => ({
    tops:
      short.length === 0
        ? []
        : ((await ask(emitColumnSamples(table, time, sinceMs, short)))[0] ?? []),
    keys: await Promise.all(maps.map((name) => ask(emitMapSamples(table, time, sinceMs, name)))),
  });
  const recent = await gather(nowMs - recentMs);
  const { tops, keys } =
    recent.tops.every((values) => texts(values).length === 0) &&
    recent.keys.every((rows) => rows.length === 0)
      ? await gather(undefined)
      : recent;
  const columns = fields.columns.map(({ name, type }): SourceField => ({
    name,
    type,
    kind: 'column',
    values: texts(tops[short.indexOf(name)]),
  }));
  const attributes = maps.flatMap((name, index) =>
    (keys[index] ?? []).map(([key, values]): SourceField => ({
      name: mapKeyPath(name, String(key)),
      type: 'String',
      kind: 'attribute',
      values: texts(values),
    })),
  );
  return [...columns, ...attributes];
}

function texts(values: Value | undefined): string[] {
  return Array.isArray(values) ? values.map(String).filter((text) => text !== '') : [];
}

/** The first list, and the attributes of the others: those of the same name are one. */
export function joinedFields([first = [], ...others]: readonly SourceField[][]): SourceField[] {
  const joined = new Map(first.map((field) => [field.name, field]));
  for (const field of others.flat().filter(({ kind }) => kind === 'attribute')) {
    const known = joined.get(field.name);
    const values = [...new Set([...(known?.values ?? []), ...field.values])];
    joined.set(field.name, { ...(known ?? field), values });
  }
  return [...joined.values()];
}
