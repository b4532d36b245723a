import type { PipeColumn, PipeFieldMapping } from '../../../../contract/pipe/destination.ts';

/** A field of the records and the type for its column. */
export interface ProposedField {
  path: string;
  type: string;
}

export interface ProposedColumns {
  columns: PipeColumn[];
  fieldMappings: PipeFieldMapping[];
}

const columnsMax = 1000;
const nameMax = 200;

/**
 * Columns for fields. The mappings are empty if each column has the name of its field. A field whose
 * name a mapping cannot contain is left out.
 */
export function proposedColumns(
  fields: readonly ProposedField[],
  virtualFields: readonly string[],
): ProposedColumns {
  const virtual = new Set(virtualFields);
  const names = new Set<string>();
  const mappings: PipeFieldMapping[] = [];
  const columns: PipeColumn[] = [];
  const mappable = fields.filter(({ path }) => isMappable(path) && !virtual.has(path));
  for (const { path, type } of mappable.slice(0, columnsMax)) {
    const name = freeName(columnName(path), names);
    names.add(name);
    columns.push({ name, type });
    mappings.push({ sourceField: path, destinationField: name });
  }
  const areEqual = mappings.every(
    ({ sourceField, destinationField }) => sourceField === destinationField,
  );
  return { columns, fieldMappings: areEqual ? [] : mappings };
}

const isMappable = (path: string): boolean =>
  path.length <= 1024 && path.split('.').every((part) => part !== '');

/** Dots have a meaning in the names of the engine's columns. */
const columnName = (path: string): string =>
  path
    .replaceAll('.', '_')
    .replace(/\p{Cc}/gu, '_')
    .slice(0, nameMax);

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    free = `${name}_${number}`;
  }
  return free;
}

/** A name for a table, from any text. */
export const tableName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100) || 'records';
