import type { Query } from '../wire/query-of.ts';
import { unknownType, type PgColumn, type PgField, type PgType } from './pg-column.ts';

/** Columns of tables by the table's oid, in the table's order. PostgreSQL 12 or newer. */
export async function readColumns(
  query: Query,
  relations: readonly number[],
): Promise<Map<number, PgColumn[]>> {
  const attributes = await query(columnsQuery, [relations]);
  const types = await readTypes(query, [
    ...new Set(attributes.map((row) => Number(row['type_oid']))),
  ]);
  const byRelation = new Map<number, PgColumn[]>(relations.map((relation) => [relation, []]));
  for (const row of attributes) {
    const typeOid = Number(row['type_oid']);
    byRelation.get(Number(row['relation']))?.push({
      name: String(row['name']),
      number: Number(row['number']),
      type: types.get(typeOid) ?? unknownType(typeOid),
      typmod: Number(row['typmod']),
      dimensions: Number(row['dimensions']),
      notNull: Number(row['not_null']) === 1,
      generated: Number(row['generated']) === 1,
    });
  }
  return byRelation;
}

/** Types by oid: the requested ones, and the types they consist of. */
export async function readTypes(
  query: Query,
  oids: readonly number[],
): Promise<Map<number, PgType>> {
  return linkTypes((await query(typesQuery, [oids])).map(typeRow));
}

// All values are numbers or text, which read the same with every value parser of the client.
const columnsQuery = `
SELECT a.attrelid::int8 AS relation, a.attname AS name, a.attnum AS number,
       a.atttypid::int8 AS type_oid, a.atttypmod AS typmod,
       a.attndims AS dimensions, a.attnotnull::int AS not_null, (a.attgenerated <> '')::int AS generated
FROM pg_catalog.pg_attribute a
WHERE a.attrelid = ANY($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum`;

// Only types that array_in reads have the text form of an array. Types such as int2vector also have
// elements.
const typesQuery = `
WITH RECURSIVE reached(oid) AS (
  SELECT unnest($1::oid[])
  UNION
  SELECT part.oid FROM reached JOIN pg_catalog.pg_type t USING (oid) CROSS JOIN LATERAL (
    SELECT t.typelem AS oid WHERE t.typelem <> 0
    UNION ALL SELECT t.typbasetype WHERE t.typbasetype <> 0
    UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a
      WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
  ) part
)
SELECT t.oid::int8 AS oid, n.nspname AS schema, t.typname AS name, t.typtype::text AS kind,
       (t.typinput = 'pg_catalog.array_in'::regproc)::int AS is_array, t.typelem::int8 AS element,
       t.typdelim::text AS delimiter, t.typbasetype::int8 AS base, t.typtypmod AS typmod,
       t.typnotnull::int AS not_null, t.typndims AS dimensions,
       (SELECT json_agg(json_build_array(a.attname, a.atttypid::int8, a.atttypmod, a.attndims)
                        ORDER BY a.attnum)::text
        FROM pg_catalog.pg_attribute a
        WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0
          AND NOT a.attisdropped) AS fields
FROM reached JOIN pg_catalog.pg_type t USING (oid)
JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace`;

interface TypeRow {
  type: PgType;
  element: number;
  delimiter: string;
  base: number;
  fields: readonly [name: string, oid: number, typmod: number, dimensions: number][];
}

const kinds: Record<string, PgType['kind']> = {
  b: 'base',
  e: 'enum',
  d: 'domain',
  r: 'range',
  m: 'multirange',
  c: 'composite',
  p: 'pseudo',
};

function typeRow(row: Record<string, unknown>): TypeRow {
  const kind = Number(row['is_array']) === 1 ? 'array' : (kinds[String(row['kind'])] ?? 'base');
  const type: PgType = {
    oid: Number(row['oid']),
    schema: String(row['schema']),
    name: String(row['name']),
    kind,
  };
  if (kind === 'domain') {
    Object.assign(type, {
      typmod: Number(row['typmod']),
      notNull: Number(row['not_null']) === 1,
      dimensions: Number(row['dimensions']),
    });
  }
  const fields =
    typeof row['fields'] === 'string' ? (JSON.parse(row['fields']) as TypeRow['fields']) : [];
  return {
    type,
    element: Number(row['element']),
    delimiter: String(row['delimiter']),
    base: Number(row['base']),
    fields,
  };
}

function linkTypes(rows: readonly TypeRow[]): Map<number, PgType> {
  const types = new Map(rows.map(({ type }) => [type.oid, type]));
  const typeOf = (oid: number): PgType => types.get(oid) ?? unknownType(oid);
  for (const { type, element, delimiter, base, fields } of rows) {
    if (type.kind === 'array') {
      Object.assign(type, { element: typeOf(element), delimiter });
    }
    if (type.kind === 'domain') {
      type.base = typeOf(base);
    }
    if (type.kind === 'composite') {
      type.fields = fields.map(([name, oid, typmod, dimensions]): PgField => ({
        name,
        type: typeOf(oid),
        typmod,
        dimensions,
      }));
    }
  }
  return types;
}
