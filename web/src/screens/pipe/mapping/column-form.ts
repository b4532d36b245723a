import type { Pipe, PipeChange } from '../../../api/queries/pipes.ts';
import type { Draft, EditField, EditForm } from '../edit/edit-form.ts';

const text = (value: string | undefined): string => (value ?? '').trim();

/** Adds a column to the table and to what the pipe fills. */
export function columnForm({ destination, fieldMappings }: Pipe): EditForm {
  const at = destination.columns?.length ?? 0;
  const mappedAt = fieldMappings.length === 0 ? at : fieldMappings.length;
  const fields: EditField[] = [
    {
      name: 'name',
      label: 'Column',
      look: 'text',
      path: `destination.columns.${at}.name`,
      read: () => '',
    },
    {
      name: 'type',
      label: 'Type',
      hint: 'A ClickHouse type, such as Nullable(String).',
      look: 'text',
      path: `destination.columns.${at}.type`,
      read: () => '',
    },
    {
      name: 'field',
      label: 'Field of the record',
      hint: 'Leave it empty to take the field with the name of the column.',
      look: 'text',
      path: `fieldMappings.${mappedAt}.sourceField`,
      read: () => '',
    },
  ];
  return {
    title: 'Add a column',
    about: 'Rows that are stored already get the default of the type.',
    action: 'Add column',
    fields,
    target: 'pipe',
    bodyOf: withColumn,
    isAddition: true,
    done: 'The column is added. The readers of the pipe start over with it.',
  };
}

export function withColumn(draft: Draft, { destination, fieldMappings }: Pipe): PipeChange {
  const before = destination.columns ?? [];
  const name = text(draft['name']);
  const field = text(draft['field']) || name;
  const columns = [...before, { name, type: text(draft['type']) }];
  if (fieldMappings.length === 0 && field === name) {
    return { destination: { columns } };
  }
  const mapped =
    fieldMappings.length > 0
      ? fieldMappings
      : before.map((column) => ({ sourceField: column.name, destinationField: column.name }));
  return {
    destination: { columns },
    fieldMappings: [...mapped, { sourceField: field, destinationField: name }],
  };
}
