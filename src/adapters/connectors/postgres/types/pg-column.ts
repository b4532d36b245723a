/** A PostgreSQL type from the catalogue, with all types it consists of. */
export interface PgType {
  oid: number;
  /** pg_type.typname, such as `int4`, `_text`, `hstore`. */
  name: string;
  schema: string;
  kind: 'base' | 'enum' | 'domain' | 'array' | 'range' | 'multirange' | 'composite' | 'pseudo';
  /** Of a domain: the type it constrains. */
  base?: PgType;
  /** Of a domain: the modifier of its base; -1 if there is none. */
  typmod?: number;
  notNull?: boolean;
  /** Of a domain over an array: the declared dimensions. */
  dimensions?: number;
  /** Of an array. */
  element?: PgType;
  /** Of an array: the character between two elements; `;` for boxes, otherwise `,`. */
  delimiter?: string;
  /** Of a composite, in order. */
  fields?: readonly PgField[];
  /** Of a composite: field counts of values that are older than its last change, and accepted. */
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
  /** pg_attribute.attnum. It stays the same when the column is renamed. */
  number: number;
  notNull: boolean;
  /**
   * Computed from other columns. A publication carries such a column only since PostgreSQL 18, and
   * only if configured to.
   */
  generated: boolean;
}

/** A type that the catalogue does not have any more. Its values are text. */
export const unknownType = (oid: number): PgType => ({
  oid,
  name: 'unknown',
  schema: 'pg_catalog',
  kind: 'pseudo',
});

/** The type that a domain constrains. */
export const baseOf = ({ oid, base }: PgType): PgType => base ?? unknownType(oid);
