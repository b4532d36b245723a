import type { PipeColumn, PipeFieldMapping } from '../../../../contract/pipe/destination.ts';
import { objectFault } from './json-scan.ts';
import { FieldFinder } from './json-fields.ts';
import type { JsonRowWriter } from './json-row-writer.ts';
import type { RecordCursor } from './record-cursor.ts';
import type { VirtualField, VirtualFieldWriters } from '../../kinds/virtual-fields.ts';

/**
 * Writes the present record of a cursor as one row. Returns what is wrong with the record;
 * `skipped`: it makes no row; undefined: the row is written.
 */
export type RowMapper = (from: RecordCursor, rows: JsonRowWriter) => string | undefined;

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
export const passThrough: RowMapper = ({ data, start, end, view, refused }, rows) => {
  if (refused !== undefined) {
    return refused;
  }
  if (data === null) {
    return skipped;
  }
  const fault = objectFault(data, start, end, view);
  if (fault !== undefined) {
    return fault;
  }
  rows.bytes(data, start, end);
  rows.endRow();
  return undefined;
};

function rewrite(fields: readonly MappedField[]): RowMapper {
  const finder = new FieldFinder(
    fields.map(({ sourceField, virtual }) => (virtual ? undefined : sourceField)),
  );
  const writers = fields.map(({ column, virtual }, index) => ({
    first: Buffer.from(`{${JSON.stringify(column.name)}:`),
    further: Buffer.from(`,${JSON.stringify(column.name)}:`),
    virtual,
    slot: index * 2,
  }));
  const hasVirtual = fields.some(({ virtual }) => virtual !== undefined);
  const { slots } = finder;
  return (from, rows) => {
    const fault = locate(from, hasVirtual, finder);
    if (fault !== undefined) {
      return fault;
    }
    const { data, view } = from;
    const record = hasVirtual ? from.record : undefined;
    let isFirst = true;
    for (const { first, further, virtual, slot } of writers) {
      const start = slots[slot] ?? -1;
      if (virtual && record) {
        rows.bytes(isFirst ? first : further);
        virtual(record, from.constants, rows);
      } else if (start >= 0 && data) {
        rows.bytes(isFirst ? first : further);
        rows.bytes(data, start, slots[slot + 1], view);
      } else {
        continue;
      }
      isFirst = false;
    }
    rows.bytes(isFirst ? emptyObject : objectEnd);
    rows.endRow();
    return undefined;
  };
}

const emptyObject = Buffer.from('{}');
const objectEnd = Buffer.from('}');

function locate(
  { data, start, end, view, refused }: RecordCursor,
  hasVirtual: boolean,
  finder: FieldFinder,
): string | undefined {
  if (refused !== undefined) {
    return refused;
  }
  if (data === null) {
    finder.clear();
    return hasVirtual ? undefined : skipped;
  }
  const fault = objectFault(data, start, end, view);
  if (fault === undefined) {
    finder.find(data, start, end, view);
  }
  return fault;
}
