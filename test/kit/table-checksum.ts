import type { Client } from 'pg';
import { readColumns } from '../../src/adapters/connectors/postgres/types/read-columns.ts';
import type { PgColumn, PgType } from '../../src/adapters/connectors/postgres/types/pg-column.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../src/sql/sql.ts';

export interface TablePair {
  source: { schema: string; table: string };
  target: { database: string; table: string };
  /** Compared by these; without them as a bag of rows. */
  key: readonly string[];
  /** Read with FINAL; rows with a true value here are gone. Absent: every stored row counts. */
  deletedColumn?: string | undefined;
  /** Columns of the source that are not compared. */
  except?: readonly string[];
}

export interface Comparison {
  sourceRows: number;
  targetRows: number;
  equal: boolean;
  /** The first few rows that differ, as `key: source row | target row`. */
  differences: string[];
}

/**
 * Compares a PostgreSQL table with its ClickHouse target row by row: each side writes every value
 * in one agreed notation by itself and hashes the row. Nothing of the connector's conversions takes
 * part. NULL in a column that is not Nullable counts as the type's default.
 */
export async function compareTables(
  client: Client,
  telemetry: Telemetry,
  pair: TablePair,
): Promise<Comparison> {
  const columns = await comparedColumns(client, telemetry, pair);
  const name = `${client.escapeIdentifier(pair.source.schema)}.${client.escapeIdentifier(pair.source.table)}`;
  const sourceText = `concat_ws(chr(31), ${columns.map(({ source }) => source).join(', ')})`;
  const targetText = sql`arrayStringConcat([${join(
    columns.map(({ target }) => target),
    ', ',
  )}], char(31))`;
  const from =
    pair.deletedColumn === undefined
      ? qualified(pair.target.database, pair.target.table)
      : sql`${qualified(pair.target.database, pair.target.table)} FINAL WHERE NOT ${identifier(pair.deletedColumn)}`;
  const [source, target] = await Promise.all([
    client.query<{ rows: string; sum: string }>(
      `SELECT count(*) AS rows,
          coalesce(sum(('x' || substr(md5(${sourceText}), 1, 15))::bit(60)::int8), 0)::text AS sum
        FROM ${name}`,
    ),
    read(
      telemetry,
      sql`WITH substring(MD5(${targetText}), 1, 8) AS hash
        SELECT count(),
          toString(sum(toUInt128(bitShiftRight(reinterpretAsUInt64(reverse(hash)), 4))))
        FROM ${from}`,
    ),
  ]);
  const sourceRows = Number(source.rows[0]!.rows);
  const targetRows = Number(target[0]![0]);
  const equal = sourceRows === targetRows && source.rows[0]!.sum === String(target[0]![1]);
  const differences = equal
    ? []
    : await differencesOf(client, telemetry, pair, { name, sourceText, targetText, from });
  return { sourceRows, targetRows, equal, differences };
}

async function differencesOf(
  client: Client,
  telemetry: Telemetry,
  { key }: TablePair,
  texts: { name: string; sourceText: string; targetText: Sql; from: Sql },
): Promise<string[]> {
  const sourceKey =
    key.length === 0
      ? `md5(${texts.sourceText})`
      : `concat_ws(',', ${key.map((column) => client.escapeIdentifier(column)).join(', ')})`;
  const targetKey =
    key.length === 0
      ? sql`lower(hex(MD5(${texts.targetText})))`
      : sql`arrayStringConcat([${join(
          key.map((column) => sql`toString(${identifier(column)})`),
          ', ',
        )}], ',')`;
  const source = await client.query<{ key: string; row: string }>(
    `SELECT ${sourceKey} AS key, ${texts.sourceText} AS row FROM ${texts.name}`,
  );
  const target = await read(
    telemetry,
    sql`SELECT ${targetKey}, ${texts.targetText} FROM ${texts.from}`,
  );
  const sourceRows = bag(source.rows.map(({ key, row }) => [key, row]));
  const targetRows = bag(target.map(([key, row]) => [String(key), String(row)]));
  const differing = [...new Set([...sourceRows.keys(), ...targetRows.keys()])].filter(
    (key) => sourceRows.get(key)?.join('\n') !== targetRows.get(key)?.join('\n'),
  );
  const shown = (rows: string[] | undefined): string =>
    rows === undefined
      ? '(no row)'
      : `${rows.length > 1 ? `${rows.length} × ` : ''}${rows[0]!.replaceAll('\x1f', ' ¦ ').slice(0, 300)}`;
  return [
    `${differing.length} keys differ`,
    ...differing
      .slice(0, 5)
      .map(
        (key) =>
          `${key}: source ${shown(sourceRows.get(key))} | target ${shown(targetRows.get(key))}`,
      ),
  ];
}

function bag(rows: readonly [string, string][]): Map<string, string[]> {
  const rowsByKey = new Map<string, string[]>();
  for (const [key, row] of rows) {
    rowsByKey.set(key, [...(rowsByKey.get(key) ?? []), row]);
  }
  return rowsByKey;
}

async function read(telemetry: Telemetry, statement: Sql) {
  return (await telemetry.query(statement, { purpose: 'admin', timeoutMs: 120_000 })).rows;
}

/** Each column that both have, as text on either side. */
async function comparedColumns(
  client: Client,
  telemetry: Telemetry,
  { source, target, except = [] }: TablePair,
): Promise<{ source: string; target: Sql }[]> {
  const { rows } = await client.query<{ oid: number }>(
    `SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2`,
    [source.schema, source.table],
  );
  if (!rows[0]) {
    throw new Error(`there is no table ${source.schema}.${source.table} at the source`);
  }
  const columns = (
    await readColumns(
      async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
      [rows[0].oid],
    )
  ).get(rows[0].oid)!;
  telemetry.forgetColumns(target.database, target.table);
  const types = new Map(
    (await telemetry.columns(target.database, target.table)).map(({ name, type }) => [name, type]),
  );
  return columns
    .filter(({ name }) => !except.includes(name))
    .map((column) => {
      const type = types.get(column.name);
      if (type === undefined) {
        throw new Error(`the target ${target.table} has no column ${column.name}`);
      }
      return {
        source: sourceText(column, type, client.escapeIdentifier(column.name)),
        target: targetText(type, identifier(column.name)),
      };
    });
}

/** A value of the source in the agreed notation; NULL as the target must show it. */
function sourceText({ type }: Pick<PgColumn, 'type'>, targetType: string, value: string): string {
  const nullable = targetType.includes('Nullable(') && !/^(?:Array|Map)\(/.test(targetType);
  return (
    `coalesce(${notation(baseOf(type), targetType, value)}, ` +
    `${nullable ? `'<null>'` : `'${defaultText(targetType)}'`})`
  );
}

const baseOf = (type: PgType): PgType => (type.kind === 'domain' ? baseOf(type.base!) : type);

function notation(type: PgType, targetType: string, value: string): string {
  if (type.kind === 'array') {
    return `to_json(${value})::text`;
  }
  // `least` and `greatest` pass over NULL.
  const clamped = (low: string, high: string): string =>
    `CASE WHEN ${value} IS NOT NULL THEN least(greatest(${value}, '${low}'), '${high}') END`;
  switch (type.name) {
    case 'bool':
      return `${value}::text`;
    case 'bytea':
      return `encode(${value}, 'hex')`;
    case 'float4':
      return `CASE WHEN ${value} = 'NaN' THEN 'nan' ELSE encode(float4send(${value}), 'hex') END`;
    case 'float8':
      return `CASE WHEN ${value} = 'NaN' THEN 'nan' ELSE encode(float8send(${value}), 'hex') END`;
    case 'money':
      return `trim_scale(${value}::numeric)::text`;
    case 'numeric':
      return targetType.includes('Decimal')
        ? `trim_scale(nullif(${value}, 'NaN'))::text`
        : textOf(value);
    case 'date':
      return `to_char(${clamped('1900-01-01', '2299-12-31')}, 'YYYY-MM-DD')`;
    case 'timestamp':
      return `to_char(${clamped('0001-01-01', '9999-12-31 23:59:59.999999')}, 'YYYY-MM-DD HH24:MI:SS.US')`;
    case 'timestamptz':
      return (
        `to_char((${clamped('0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999+00')}) ` +
        "AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
      );
    default:
      return textOf(value);
  }
}

/**
 * By the type's own output function: a cast to text pads, strips and adds, as it likes. `format`
 * makes NULL an empty text.
 */
const textOf = (value: string): string =>
  `CASE WHEN ${value} IS NULL THEN NULL ELSE format('%s', ${value}) END`;

function defaultText(type: string): string {
  if (/^(?:U?Int|Decimal)/.test(type)) {
    return '0';
  }
  if (type.startsWith('Float')) {
    return '0'.repeat(type === 'Float32' ? 8 : 16);
  }
  if (type.startsWith('DateTime64')) {
    return '1970-01-01 00:00:00.000000';
  }
  if (type.startsWith('Array(')) {
    return '[]';
  }
  if (type.startsWith('Map(')) {
    return '{}';
  }
  return (
    { Date32: '1970-01-01', Bool: 'false', UUID: '00000000-0000-0000-0000-000000000000' }[type] ??
    ''
  );
}

/** A value of the target in the agreed notation. */
function targetText(type: string, value: Sql): Sql {
  if (type.startsWith('Array(') || type.startsWith('Map(')) {
    return sql`replaceAll(toJSONString(${value}), '\\/', '/')`;
  }
  const nullable = type.includes('Nullable(');
  const plain = type.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1');
  const bits =
    plain === 'Float32'
      ? sql`leftPad(lower(hex(reinterpretAsUInt32(${value}))), 8, '0')`
      : sql`leftPad(lower(hex(reinterpretAsUInt64(${value}))), 16, '0')`;
  const text = plain.startsWith('Float')
    ? sql`if(isNaN(${value}), 'nan', ${bits})`
    : sql`toString(${value})`;
  return nullable ? sql`if(isNull(${value}), '<null>', assumeNotNull(${text}))` : text;
}
