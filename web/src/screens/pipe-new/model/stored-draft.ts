import type { ColumnRow } from './columns.ts';
import type { PipeDraft } from './draft.ts';
import { tableEngines, type TableRow } from './tables.ts';

/** What the browser kept may be of an older build: only what has the shape counts. */
export function storedDraft(value: unknown): PipeDraft | undefined {
  const given = recordOf(value);
  const isWhole =
    Object.values(recordOf(given?.['texts']) ?? { none: 0 }).every(isText) &&
    isText(given?.['item']) &&
    isText(given['columnsOf']) &&
    isText(given['proposedTable']) &&
    typeof given['isEdited'] === 'boolean' &&
    isListOf(given['columns'], isColumn) &&
    isListOf(given['tables'], isTable) &&
    isListOf(given['entered'], isText);
  return isWhole ? (value as PipeDraft) : undefined;
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

const isText = (value: unknown): value is string => typeof value === 'string';

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

function isColumn(value: unknown): boolean {
  const row = recordOf(value) as Partial<ColumnRow> | undefined;
  return (
    [row?.id, row?.name, row?.type, row?.field].every(isText) &&
    typeof row?.isIncluded === 'boolean' &&
    Number.isInteger(row.key)
  );
}

function isTable(value: unknown): boolean {
  const row = recordOf(value) as Partial<TableRow> | undefined;
  return (
    [row?.id, row?.targetTable, row?.sortingKeys].every(isText) &&
    tableEngines.some((engine) => engine === row?.engine) &&
    isListOf(row?.excluded, isText) &&
    isListOf(row?.primaryKey, isText) &&
    isListOf(row?.columns, (column) => {
      const { name, type } = recordOf(column) ?? {};
      return isText(name) && isText(type);
    })
  );
}
