import type { PipeProposal } from '../../../api/queries/new-pipe.ts';

/** A column as the person edits it. */
export interface ColumnRow {
  /** Lasts while names change. */
  id: string;
  name: string;
  type: string;
  /** Field of the record; empty: the field with the name of the column. */
  field: string;
  isIncluded: boolean;
  /** Place in the sorting key, from 1; 0: not in it. */
  key: number;
}

export interface ColumnParts {
  columns: { name: string; type: string }[];
  fieldMappings: { sourceField: string; destinationField: string }[];
  sortingKey: string[];
}

export function proposedRows({ destination, fieldMappings }: PipeProposal): ColumnRow[] {
  const fields = new Map(
    fieldMappings.map(({ sourceField, destinationField }) => [destinationField, sourceField]),
  );
  return (destination?.columns ?? []).map(({ name, type }, index) => ({
    id: String(index + 1),
    name,
    type,
    field: fields.get(name) ?? name,
    isIncluded: true,
    key: 0,
  }));
}

export function withEmptyRow(rows: readonly ColumnRow[]): ColumnRow[] {
  const id = String(Math.max(0, ...rows.map((row) => Number(row.id))) + 1);
  return [...rows, { id, name: '', type: 'String', field: '', isIncluded: true, key: 0 }];
}

/** Puts a row at the end of the key, or takes it out and closes the gap. */
export function withKey(rows: readonly ColumnRow[], id: string, isKey: boolean): ColumnRow[] {
  const old = rows.find((row) => row.id === id)?.key ?? 0;
  const last = Math.max(0, ...rows.map(({ key }) => key));
  return rows.map((row) => {
    if (row.id === id) {
      return { ...row, key: isKey ? old || last + 1 : 0 };
    }
    return !isKey && old > 0 && row.key > old ? { ...row, key: row.key - 1 } : row;
  });
}

export function withRow(
  rows: readonly ColumnRow[],
  id: string,
  part: Partial<ColumnRow>,
): ColumnRow[] {
  const changed = rows.map((row) => (row.id === id ? { ...row, ...part } : row));
  return part.isIncluded === false ? withKey(changed, id, false) : changed;
}

export const includedRows = (rows: readonly ColumnRow[]): ColumnRow[] =>
  rows.filter(({ isIncluded }) => isIncluded);

const fieldOf = ({ field, name }: ColumnRow): string => field.trim() || name.trim();

export const keyNames = (rows: readonly ColumnRow[]): string[] =>
  includedRows(rows)
    .filter(({ key }) => key > 0)
    .toSorted((one, other) => one.key - other.key)
    .map(({ name }) => name.trim());

/** The rows as the API takes them. Mappings only if a column takes a field of another name. */
export function columnParts(rows: readonly ColumnRow[]): ColumnParts {
  const included = includedRows(rows);
  const isMapped = included.some((row) => fieldOf(row) !== row.name.trim());
  return {
    columns: included.map(({ name, type }) => ({ name: name.trim(), type: type.trim() })),
    fieldMappings: isMapped
      ? included.map((row) => ({ sourceField: fieldOf(row), destinationField: row.name.trim() }))
      : [],
    // A column with a special name in an expression stands in backquotes.
    sortingKey: keyNames(rows).map(quoted),
  };
}

const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll(/[\\`]/g, (char) => `\\${char}`)}\``;

const partsOf: Record<string, keyof ColumnRow> = {
  name: 'name',
  type: 'type',
  sourceField: 'field',
  destinationField: 'name',
};

/** Where the form shows a mistake of the API in `destination.columns` or `fieldMappings`. */
export function columnPath(
  rows: readonly ColumnRow[],
  index: string | undefined,
  part = 'name',
): string {
  const row = includedRows(rows)[Number(index)];
  const at = index === undefined || row === undefined ? -1 : rows.indexOf(row);
  return at < 0 ? 'columns' : `columns.${at}.${partsOf[part] ?? part}`;
}
