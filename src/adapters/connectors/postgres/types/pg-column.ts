/** A PostgreSQL type as the catalogue tells it, with everything it is made of. */
export interface PgType {
  oid: number;
  /** pg_type.typname, such as `int4`, `_text`, `hstore`. */
  name: string;
  schema: string;
  kind: 'base' | 'enum' | 'domain' | 'array' | 'range' | 'multirange' | 'composite' | 'pseudo';
  /** Of a domain: what it constrains. */
  base?: PgType;
  /** Of a domain: the modifier of its base; -1 = none. */
  typmod?: number;
  notNull?: boolean;
  /** Of a domain over an array: the declared dimensions. */
  dimensions?: number;
  /** Of an array. */
  element?: PgType;
  /** Of an array: what stands between two elements; `;` for boxes, else `,`. */
  delimiter?: string;
  /** Of a composite, in order. */
  fields?: readonly PgField[];
  /** Of a composite: values with so many fields were written before it was changed, and are not looked into again. */
  tolerated?: ReadonlySet<number>;
}

export interface PgField {
  name: string;
  type: PgType;
  typmod: number;
  dimensions: number;
}

/** A column of a table. */
export interface PgColumn extends PgField {
  /** pg_attribute.attnum: stays the same for as long as the column lives, whatever it is called. */
  number: number;
  notNull: boolean;
  /** Computed from other columns. A publication carries such a column only from PostgreSQL 18 on, and only when told to. */
  generated: boolean;
}

/**
 * Every session whose text output is read here, of replication too, starts with these. They fix what depends on settings of the
 * server, the database or the role: without them `money`, `date`, `interval` and `bytea` could read otherwise.
 */
export const sessionSettings = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  TimeZone: 'UTC',
  extra_float_digits: '3',
  bytea_output: 'hex',
  lc_monetary: 'C',
  xmloption: 'content',
} as const;
