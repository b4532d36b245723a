import type { PipeChange } from '../../../api/queries/pipes.ts';
import { splitList } from '../../../view/split-list.ts';
import type { Draft, EditField, EditForm } from '../edit/edit-form.ts';

const path = 'source.postgres.tableMappingsToAdd.0';
const text = (value: string | undefined): string => (value ?? '').trim();

const field = (name: string, label: string, part: Partial<EditField> = {}): EditField => ({
  name,
  label,
  look: 'text',
  path: `${path}.${name}`,
  read: () => '',
  ...part,
});

const fields: readonly EditField[] = [
  field('sourceSchemaName', 'Schema at the source', { read: () => 'public' }),
  field('sourceTable', 'Table at the source'),
  field('targetTable', 'Target table', {
    hint: 'Leave it empty for the name of the table at the source.',
  }),
  field('tableEngine', 'Engine of the target', {
    look: 'choice',
    choices: [
      { value: 'ReplacingMergeTree', label: 'ReplacingMergeTree' },
      { value: 'MergeTree', label: 'MergeTree' },
      { value: 'Null', label: 'Null' },
    ],
    read: () => 'ReplacingMergeTree',
  }),
  field('excludedColumns', 'Excluded columns', {
    hint: 'Separate columns with commas. They are not replicated.',
  }),
  field('sortingKeys', 'Sorting keys', {
    hint: 'Separate columns with commas. Leave it empty for the key of the table.',
  }),
];

/** Adds a table of the database to the pipe. */
export const tableForm: EditForm = {
  title: 'Add a table',
  about:
    'The pipe loads the rows of the table, then its changes. Its other tables go on meanwhile.',
  action: 'Add table',
  fields,
  target: 'pipe',
  bodyOf: withTable,
  isAddition: true,
  done: 'The table is added. The pipe loads its rows now.',
};

export function withTable(draft: Draft): PipeChange {
  const sourceTable = text(draft['sourceTable']);
  const excludedColumns = splitList(draft['excludedColumns'] ?? '');
  const sortingKeys = splitList(draft['sortingKeys'] ?? '');
  const mapping = {
    sourceSchemaName: text(draft['sourceSchemaName']),
    sourceTable,
    targetTable: text(draft['targetTable']) || sourceTable,
    tableEngine: engineOf(draft['tableEngine']),
    ...(excludedColumns.length > 0 && { excludedColumns }),
    ...(sortingKeys.length > 0 && { useCustomSortingKey: true, sortingKeys }),
  };
  return { source: { postgres: { tableMappingsToAdd: [mapping] } } };
}

const engines = ['ReplacingMergeTree', 'MergeTree', 'Null'] as const;
const engineOf = (name: string | undefined): (typeof engines)[number] =>
  engines.find((engine) => engine === name) ?? 'ReplacingMergeTree';
