import type { ConnectorContext } from '../../../../ports/connector.ts';
import type { RelationMessage } from '../wire/pgoutput-reader.ts';
import type { Query } from '../wire/query-of.ts';
import { tableShape, type TableShape } from './table-shape.ts';
import { readTables, type SourceTable } from './tables.ts';
import type { TypeChanged } from '../types/column-of.ts';
import { unknownType, type PgColumn, type PgType } from '../types/pg-column.ts';
import { readTypes } from '../types/read-columns.ts';

/** How to write rows of a relation, whose columns are in the order of its messages. */
export interface RelationShape {
  shape: TableShape;
  /** Of each column: its index in `shape.columns`, or -1 if the column is excluded. */
  places: readonly number[];
  /** Indexes of the relation's columns that the target is sorted by. */
  keyColumns: readonly number[];
  /** The snapshot already contains changes of transactions before this LSN. */
  notBefore?: bigint | undefined;
}

/**
 * The shapes of a pipe's tables, for the snapshot and for the stream. Equal shapes are the same
 * object, so that the pipe creates each target once.
 */
export class Shapes {
  readonly #query: Query;
  readonly #tables: readonly SourceTable[];
  readonly #options: { allowNullable: boolean; changes: boolean };
  /** Generation of each target table. */
  readonly #generations = new Map<string, string>();
  readonly #known = new Map<string, TableShape>();
  /** Field counts of older values, by the oid of their composite type. */
  readonly #tolerated = new Map<number, Set<number>>();

  constructor(
    query: Query,
    tables: readonly SourceTable[],
    settings: ConnectorContext<'postgres'>['source']['settings'],
  ) {
    this.#query = query;
    this.#tables = tables;
    this.#options = {
      allowNullable: settings?.allowNullableColumns === true,
      changes: settings?.replicationMode !== 'snapshot',
    };
  }

  /** Sets the generation of the target that the table's rows go to. */
  setGeneration(targetTable: string, generation: string): void {
    this.#generations.set(targetTable, generation);
  }

  /** @throws SourceFailed if the table's changes cannot be replicated */
  ofTable(table: SourceTable, columns: readonly PgColumn[] = table.columns): TableShape {
    const generation = this.#generations.get(table.mapping.targetTable) ?? '';
    const key = JSON.stringify([
      table.mapping.targetTable,
      generation,
      columns.map(({ name, number, type, typmod, dimensions, notNull }) => [
        name,
        number,
        signatureOf(type),
        typmod,
        dimensions,
        notNull,
      ]),
    ]);
    let shape = this.#known.get(key);
    if (!shape) {
      this.#known.set(key, (shape = tableShape(table, columns, { ...this.#options, generation })));
    }
    return shape;
  }

  /**
   * Reports a value with another number of fields than its type. `ofRelation` reads the type again;
   * afterwards values with that number of fields are accepted.
   */
  outdated({ oid, fields }: TypeChanged): void {
    this.#tolerated.set(oid, new Set([...(this.#tolerated.get(oid) ?? []), fields]));
  }

  /**
   * The shape of a relation of the stream. The relation has its columns of that time; everything
   * else about them comes from the current catalogue.
   */
  async ofRelation(relation: RelationMessage): Promise<RelationShape | undefined> {
    const known = await this.#tableOf(relation);
    if (!known) {
      return undefined;
    }
    const [table = known] = await readTables(this.#query, [
      { ...known.mapping, excludedColumns: [] },
    ]).catch(() => [known]);
    const types = await readTypes(this.#query, [
      ...new Set(relation.columns.map(({ typeOid }) => typeOid)),
    ]);
    for (const [oid, tolerated] of this.#tolerated) {
      const type = types.get(oid);
      if (type) {
        type.tolerated = tolerated;
      }
    }
    const excluded = new Set(known.mapping.excludedColumns);
    const current = new Map(table.columns.map((column) => [column.name, column]));
    const kept = relation.columns.filter(({ name }) => !excluded.has(name));
    const columns = kept.map(({ name, typeOid, typmod }): PgColumn => ({
      number: -1,
      notNull: false,
      dimensions: 0,
      generated: false,
      ...current.get(name),
      name,
      typmod,
      type: types.get(typeOid) ?? unknownType(typeOid),
    }));
    const shape = this.ofTable({ ...table, mapping: known.mapping }, columns);
    const places = relation.columns.map((column) => kept.indexOf(column));
    return { shape, places, keyColumns: shape.keyPlaces.map((place) => places.indexOf(place)) };
  }

  /** Finds the table by name or oid, or as the root of a partition. */
  async #tableOf({ oid, schema, table }: RelationMessage): Promise<SourceTable | undefined> {
    const named =
      this.#tables.find(
        ({ mapping }) => mapping.sourceSchemaName === schema && mapping.sourceTable === table,
      ) ?? this.#tables.find((candidate) => candidate.oid === oid);
    if (named || !this.#tables.some(({ partitioned }) => partitioned)) {
      return named;
    }
    const [root] = await this.#query(
      'SELECT pg_catalog.pg_partition_root($1::oid)::oid::int8 AS root',
      [oid],
    );
    return this.#tables.find((candidate) => candidate.oid === Number(root?.['root'] ?? -1));
  }
}

/** The parts of a type that may change while its oid stays the same. */
function signatureOf({ oid, element, base, fields, tolerated }: PgType): unknown {
  if (fields) {
    return [
      oid,
      fields.map(({ name, type, typmod }) => [name, signatureOf(type), typmod]),
      ...(tolerated ?? []),
    ];
  }
  const inner = element ?? base;
  return inner ? [oid, signatureOf(inner)] : oid;
}
