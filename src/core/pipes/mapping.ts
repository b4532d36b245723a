import {
  virtualFields,
  type PipeColumn,
  type PipeFieldMapping,
} from '../../contract/pipe/destination.ts';
import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { SourceRecord } from '../../ports/connector.ts';
import { fieldTree, findFields, objectFault, type FieldTree } from './json-scan.ts';
import type { RowWriter } from './row-writer.ts';
import { virtualField, type VirtualField } from './virtual-fields.ts';

/** Writes one record as one row. Answers what is wrong with the record, where something is; `skipped`: it makes no row. */
export type RowMapper = (
  record: SourceRecord,
  constants: Readonly<Record<string, string | number>>,
  rows: RowWriter,
) => string | undefined;

/** A tombstone without a virtual field in the mapping: there is nothing to store. */
export const skipped = '';

/**
 * How records become rows. Where every column takes the field of its own name, the bytes go through as they came. Else the values are cut
 * out as raw bytes and put under the column's name; a missing one is left out, and the engine gives its default or NULL.
 */
export function rowMapper(
  kind: SourceKindName,
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): RowMapper {
  const fields = fieldsOf(kind, mappings, columns);
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
  kind: SourceKindName,
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): MappedField[] {
  const virtual: readonly string[] = virtualFields[kind];
  const byColumn = new Map(
    mappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  return columns.map((column) => {
    const sourceField = byColumn.get(column.name) ?? column.name;
    return {
      sourceField,
      column,
      virtual:
        mappings.length > 0 && virtual.includes(sourceField)
          ? virtualField(sourceField, column.type)
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
  const names = fields.map(({ column }) => `${JSON.stringify(column.name)}:`);
  const hasVirtual = fields.some(({ virtual }) => virtual !== undefined);
  const slots = new Int32Array(fields.length * 2);
  return (record, constants, rows) => {
    const fault = locate(record, hasVirtual, tree, slots);
    if (fault !== undefined) {
      return fault;
    }
    let separator = '{';
    for (let index = 0; index < fields.length; index++) {
      const virtual = fields[index]!.virtual;
      const start = slots[index * 2]!;
      if (virtual === undefined && start < 0) {
        continue;
      }
      rows.text(separator + names[index]!);
      separator = ',';
      if (virtual) {
        virtual(record, constants, rows);
      } else {
        rows.bytes(record.data!, start, slots[index * 2 + 1]!);
      }
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
