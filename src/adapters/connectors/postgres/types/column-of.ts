import type { Column } from '../../../../ports/telemetry.ts';
import { arrayJson } from './array-text.ts';
import { dateJson, timestampJson, timestamptzJson } from './instant-text.ts';
import { baseOf, unknownType, type PgColumn, type PgType } from './pg-column.ts';
import { hstoreJson, recordFields } from './record-text.ts';

/**
 * Converts the text of one value to the JSON that the engine reads as the column's type. It is
 * never called for NULL.
 */
export type Encode = (text: string) => string;

/**
 * How a hot path may write a value's bytes instead of calling `encode`, with the same result.
 * `bare`: they are valid JSON. `quoted`: put them in quotes; nothing needs escaping. `escaped`: write
 * them as a JSON string, escaped. `coded`: call `encode`.
 */
export type Wire = 'bare' | 'quoted' | 'escaped' | 'coded';

export interface ColumnMapping {
  column: Column;
  encode: Encode;
  wire: Wire;
}

/**
 * The engine's column for a PostgreSQL column, and how to write its values;
 * docs/rules/postgres-types.md has the table. NULL is written as JSON's `null` in every column; a
 * column that is not nullable then stores its type's default.
 * @param allowNullable makes columns that may be NULL Nullable. Arrays and maps cannot be Nullable
 * and store NULL as empty.
 */
export function clickhouseColumn(
  { name, type, typmod, notNull, dimensions }: PgColumn,
  { allowNullable }: { allowNullable: boolean },
): ColumnMapping {
  const { type: plain, encode, wire } = mappingOf(type, typmod, dimensions);
  const nullable = allowNullable && !notNull && !isNotNull(type);
  return { column: { name, type: nullable ? nullableType(plain) : plain }, encode, wire };
}

interface Mapping {
  type: string;
  encode: Encode;
  wire: Wire;
}

/** The engine does not allow arrays and maps in Nullable, and requires it inside LowCardinality. */
function nullableType(type: string): string {
  if (/^(?:Array|Map)\(/.test(type)) {
    return type;
  }
  return type === 'LowCardinality(String)'
    ? 'LowCardinality(Nullable(String))'
    : `Nullable(${type})`;
}

function isNotNull(type: PgType): boolean {
  return type.kind === 'domain' && (type.notNull === true || isNotNull(baseOf(type)));
}

function mappingOf(type: PgType, typmod: number, dimensions: number): Mapping {
  switch (type.kind) {
    case 'domain':
      return mappingOf(baseOf(type), type.typmod ?? -1, type.dimensions ?? 0);
    case 'array':
      return arrayMapping(type, typmod, Math.max(1, dimensions));
    case 'enum':
      return { type: 'LowCardinality(String)', encode: textJson, wire: 'escaped' };
    case 'composite':
      return compositeMapping(type);
    case 'base':
      return baseMapping(type, typmod);
    case 'range':
    case 'multirange':
    case 'pseudo':
      return text;
  }
}

/** Another schema's type may share the name of a built-in type but mean something else. */
function baseMapping({ name, schema }: PgType, typmod: number): Mapping {
  if (schema !== 'pg_catalog' && name !== 'hstore') {
    return text;
  }
  return name === 'numeric' ? numericMapping(typmod) : (baseMappings.get(name) ?? text);
}

function arrayMapping(
  { element = unknownType(0), delimiter = ',' }: PgType,
  typmod: number,
  dimensions: number,
): Mapping {
  const { type, encode } = mappingOf(element, typmod, 0);
  const inner = nullableType(type);
  const elements = { encode, nullText: nullTextOf(inner), delimiter, dimensions };
  return {
    type: `${'Array('.repeat(dimensions)}${inner}${')'.repeat(dimensions)}`,
    encode: (value) => arrayJson(value, elements),
    wire: 'coded',
  };
}

/** JSON for NULL in an array of this type. */
function nullTextOf(type: string): string {
  if (type.startsWith('Array(')) {
    return '[]';
  }
  return type.startsWith('Map(') ? '{}' : 'null';
}

/** A composite type has other fields than when it was read: it must be read again. */
export class TypeChanged extends Error {
  readonly oid: number;
  /** Number of fields of the value. */
  readonly fields: number;

  constructor(oid: number, fields: number) {
    super('a composite type has changed');
    this.oid = oid;
    this.fields = fields;
  }
}

/**
 * Stores a composite value as the text of a JSON object: its type may gain fields at any time, which
 * a Tuple could not follow. A field whose name is not known any more is named by its place: `f3`.
 */
function compositeMapping({ oid, fields = [], tolerated }: PgType): Mapping {
  const written = fields.map(({ name, type, typmod, dimensions }) => ({
    key: `${JSON.stringify(name)}:`,
    encode: mappingOf(type, typmod, dimensions).encode,
  }));
  const encode: Encode = (value) => {
    const values = recordFields(value);
    // `()` has no fields, but reads as one field that is NULL.
    const count = value === '()' ? 0 : values.length;
    if (
      count !== written.length &&
      !(count === 0 && written.length === 1) &&
      tolerated?.has(count) !== true
    ) {
      throw new TypeChanged(oid, count);
    }
    const known = written.map(
      (field, index) =>
        field.key + (typeof values[index] === 'string' ? field.encode(values[index]) : 'null'),
    );
    const unknown = values
      .slice(written.length, count)
      .map((text, index) => `"f${written.length + index + 1}":${JSON.stringify(text)}`);
    return JSON.stringify(`{${[...known, ...unknown].join(',')}}`);
  };
  return { type: 'String', encode, wire: 'coded' };
}

const decimalDigitsMax = 76;

/**
 * A numeric with a precision becomes a Decimal of that size. One without, or with too many digits,
 * becomes text, which keeps every digit, NaN and the infinities. NaN in a Decimal becomes NULL, or 0
 * in a column that is not nullable.
 */
function numericMapping(typmod: number): Mapping {
  if (typmod < 4) {
    return quoted;
  }
  const precision = ((typmod - 4) >> 16) & 0xffff;
  // Eleven bits, signed.
  const scale = (((typmod - 4) & 0x7ff) ^ 0x400) - 0x400;
  const digits = Math.max(scale < 0 ? precision - scale : precision, scale);
  return digits > decimalDigitsMax
    ? quoted
    : { type: `Decimal(${digits}, ${Math.max(0, scale)})`, encode: decimalJson, wire: 'coded' };
}

const decimalJson: Encode = (value) => (isNumberText(value) ? value : 'null');
const floatJson: Encode = (value) =>
  isNumberText(value) ? value : (specialFloats[value] ?? '"-inf"');
const specialFloats: Record<string, string> = { NaN: '"nan"', Infinity: '"inf"' };

/** Whether the text is neither NaN nor an infinity. */
function isNumberText(value: string): boolean {
  const last = value.charCodeAt(value.length - 1);
  return last >= 0x30 && last <= 0x39;
}

const textJson: Encode = (value) => JSON.stringify(value);
const asIs: Encode = (value) => value;
const inQuotes: Encode = (value) => `"${value}"`;
const boolJson: Encode = (value) => (value === 't' ? 'true' : 'false');
/** Hexadecimal digits without the `\x`, so that `unhex` returns the bytes. */
const byteaJson: Encode = (value) => `"${value.slice(2)}"`;
/** `-$1,234.50`, in the locale C. */
const moneyJson: Encode = (value) => value.replaceAll(/[^0-9.-]/g, '');

const text: Mapping = { type: 'String', encode: textJson, wire: 'escaped' };
const quoted: Mapping = { type: 'String', encode: inQuotes, wire: 'quoted' };
const whole = (type: string): Mapping => ({ type, encode: asIs, wire: 'bare' });
const coded = (type: string, encode: Encode): Mapping => ({ type, encode, wire: 'coded' });

/** By pg_type.typname. All other types are stored as PostgreSQL's text. */
const baseMappings: ReadonlyMap<string, Mapping> = new Map([
  ['int2', whole('Int16')],
  ['int4', whole('Int32')],
  ['int8', whole('Int64')],
  ['oid', whole('UInt32')],
  ['xid', whole('UInt32')],
  ['cid', whole('UInt32')],
  ['xid8', whole('UInt64')],
  ['float4', coded('Float32', floatJson)],
  ['float8', coded('Float64', floatJson)],
  ['money', coded('Decimal(19, 2)', moneyJson)],
  ['bool', coded('Bool', boolJson)],
  ['uuid', { type: 'UUID', encode: inQuotes, wire: 'quoted' }],
  ['bytea', coded('String', byteaJson)],
  ['date', coded('Date32', dateJson)],
  ['timestamp', coded("DateTime64(6, 'UTC')", timestampJson)],
  ['timestamptz', coded("DateTime64(6, 'UTC')", timestamptzJson)],
  ['time', quoted],
  ['timetz', quoted],
  ['interval', quoted],
  ['bit', quoted],
  ['varbit', quoted],
  ['inet', quoted],
  ['cidr', quoted],
  ['macaddr', quoted],
  ['macaddr8', quoted],
  ['pg_lsn', quoted],
  ['hstore', coded('Map(String, Nullable(String))', hstoreJson)],
]);
