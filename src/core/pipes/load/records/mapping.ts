import type { PipeColumn, PipeFieldMapping } from '../../../../contract/pipe/destination.ts';
import type { SourceRecord } from '../../../../ports/batch.ts';
import { fieldTree, findFields, objectFault, type FieldTree } from './json-scan.ts';
import type { JsonRowWriter } from './json-row-writer.ts';
import type { VirtualField, VirtualFieldWriters } from '../../kinds/virtual-fields.ts';

/**
 * Writes one record as one row. Returns what is wrong with the record; `skipped`: it makes no row;
 * undefined: the row is written.
 */
export type RowMapper = (
  record: SourceRecord,
  constants: Readonly<Record<string, string | number>>,
  rows: JsonRowWriter,
) => string | undefined;

/** A tombstone without a virtual field in the mapping: there is nothing to store. */
export const skipped = '';

/**
 * How records become rows. If every column takes the field of its own name, the bytes pass
 * unchanged. Otherwise the raw bytes of each value are put under the column's name; a missing value
 * is left out, and the engine uses the default or NULL.
 */
export function rowMapper(
  virtualFields: VirtualFieldWriters,
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): RowMapper {
  const fields = fieldsOf(virtualFields, mappings, columns);
  return fields.every(
    ({ sourceField, column, virtual }) =>
      virtual === undefined && sourceField === column.name && !sourceField.includes('.'),
  )
    ? passThrough
    : rewrite(fields);
}

interface MappedField {
  sourceField: string;
  column: PipeColumn;
  virtual: VirtualField | undefined;
}

function fieldsOf(
  virtualFields: VirtualFieldWriters,
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): MappedField[] {
  const byColumn = new Map(
    mappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  return columns.map((column) => {
    const sourceField = byColumn.get(column.name) ?? column.name;
    return {
      sourceField,
      column,
      virtual:
        mappings.length > 0 && Object.hasOwn(virtualFields, sourceField)
          ? virtualFields[sourceField]?.(column.type)
          : undefined,
    };
  });
}

/** The mapper that leaves the bytes as they are. */
export const passThrough: RowMapper = ({ data, refused }, _constants, rows) => {
  if (refused !== undefined) {
    return refused;
  }
  if (data === null) {
    return skipped;
  }
  const fault = objectFault(data);
  if (fault !== undefined) {
    return fault;
  }
  rows.bytes(data);
  rows.endRow();
  return undefined;
};

function rewrite(fields: readonly MappedField[]): RowMapper {
  const tree = fieldTree(
    fields.map(({ sourceField, virtual }) => (virtual ? undefined : sourceField)),
  );
  const writers = fields.map(({ column, virtual }, index) => ({
    name: `${JSON.stringify(column.name)}:`,
    virtual,
    slot: index * 2,
  }));
  const hasVirtual = fields.some(({ virtual }) => virtual !== undefined);
  const slots = new Int32Array(fields.length * 2);
  return (record, constants, rows) => {
    const fault = locate(record, hasVirtual, tree, slots);
    if (fault !== undefined) {
      return fault;
    }
    let separator = '{';
    for (const { name, virtual, slot } of writers) {
      const start = slots[slot] ?? -1;
      if (virtual) {
        rows.text(separator + name);
        virtual(record, constants, rows);
      } else if (start >= 0 && record.data) {
        rows.text(separator + name);
        rows.bytes(record.data, start, slots[slot + 1]);
      } else {
        continue;
      }
      separator = ',';
    }
    rows.text(separator === '{' ? '{}' : '}');
    rows.endRow();
    return undefined;
  };
}

function locate(
  { data, refused }: SourceRecord,
  hasVirtual: boolean,
  tree: FieldTree,
  slots: Int32Array,
): string | undefined {
  if (refused !== undefined) {
    return refused;
  }
  if (data === null) {
    slots.fill(-1);
    return hasVirtual ? undefined : skipped;
  }
  const fault = objectFault(data);
  if (fault === undefined) {
    findFields(data, tree, slots);
  }
  return fault;
}
