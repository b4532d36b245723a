import type { ConnectorContext } from '../../../ports/connector.ts';
import type { RelationShape } from './change-batch.ts';
import type { RelationMessage } from './pgoutput-reader.ts';
import { tableShape, type TableShape } from './table-shape.ts';
import { readTables, type SourceTable } from './tables.ts';
import type { TypeChanged } from './types/column-of.ts';
import type { PgColumn, PgType } from './types/pg-column.ts';
import { readTypes, type Query } from './types/read-columns.ts';

/** The shapes of a pipe's tables, as they are read and as the stream describes them: equal ones are the same, so that a target is made once. */
export class Shapes {
  readonly #query: Query;
  readonly #tables: readonly SourceTable[];
  readonly #options: { allowNullable: boolean; changes: boolean };
  /** By target table. */
  readonly #generations = new Map<string, string>();
  readonly #known = new Map<string, TableShape>();
  /** Of composite types, by oid: numbers of fields that older values have. */
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

  /** Which generation of its target a table's rows go to, from now on. */
  setGeneration(targetTable: string, generation: string): void {
    this.#generations.set(targetTable, generation);
  }

  /** @throws SourceFailed where the table cannot be kept up to date as it is. */
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

  /** A value has other fields than its type is known to have: the type is looked up again with the next relation, and then taken as it is. */
  outdated({ oid, fields }: TypeChanged): void {
    this.#tolerated.set(oid, new Set([...(this.#tolerated.get(oid) ?? []), fields]));
  }

  /** How a relation of the stream is written. It has the columns it had at that moment: what else is known of them is asked now. */
  async ofRelation(relation: RelationMessage): Promise<RelationShape | undefined> {
    const known = await this.#tableOf(relation);
    if (!known) {
      return undefined;
    }
    const [table] = await readTables(this.#query, [
      { ...known.mapping, excludedColumns: [] },
    ]).catch(() => [known]);
    const types = await readTypes(this.#query, [
      ...new Set(relation.columns.map(({ typeOid }) => typeOid)),
    ]);
    for (const [oid, tolerated] of this.#tolerated) {
      if (types.has(oid)) {
        types.get(oid)!.tolerated = tolerated;
      }
    }
    const excluded = new Set(known.mapping.excludedColumns);
    const now = new Map(table!.columns.map((column) => [column.name, column]));
    const kept = relation.columns.filter(({ name }) => !excluded.has(name));
    const columns = kept.map(({ name, typeOid, typmod }): PgColumn => ({
      number: -1,
      notNull: false,
      dimensions: 0,
      generated: false,
      ...now.get(name),
      name,
      typmod,
      type: types.get(typeOid) ?? unknownType(typeOid),
    }));
    const shape = this.ofTable({ ...table!, mapping: known.mapping }, columns);
    const places = relation.columns.map((column) => kept.indexOf(column));
    return { shape, places, keyColumns: shape.keyPlaces.map((place) => places.indexOf(place)) };
  }

  /** By its name, or as a partition of a table of the pipe. */
  async #tableOf({ oid, schema, table }: RelationMessage): Promise<SourceTable | undefined> {
    const named =
      this.#tables.find(
        ({ mapping }) => mapping.sourceSchemaName === schema && mapping.sourceTable === table,
      ) ?? this.#tables.find((one) => one.oid === oid);
    if (named || !this.#tables.some(({ partitioned }) => partitioned)) {
      return named;
    }
    const [root] = await this.#query(
      'SELECT pg_catalog.pg_partition_root($1::oid)::oid::int8 AS root',
      [oid],
    );
    return this.#tables.find((one) => one.oid === Number(root?.['root'] ?? -1));
  }
}

/** What a type is made of, where that may change without its oid. */
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

/** A type that was dropped since: its values are text. */
const unknownType = (oid: number): PgColumn['type'] => ({
  oid,
  name: 'unknown',
  schema: 'pg_catalog',
  kind: 'pseudo',
});
