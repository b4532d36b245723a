import type { SearchColumn } from '../../../api/queries/search.ts';
import type { ReadyModel } from '../model.ts';
import { ValueList } from './value-list.tsx';
import panel from '../../../kit/panel.module.css';

interface RowTabProps {
  model: ReadyModel;
  row: Record<string, unknown>;
  columns: readonly SearchColumn[];
}

/** Columns with a value, then the attributes of the event. */
export function RowOverview({ model, row, columns }: RowTabProps) {
  const { source } = model;
  const shownInHead = new Set([
    source.kind === 'log' ? source.bodyExpression : source.spanNameExpression,
    source.timestampValueExpression,
    'TimestampTime',
  ]);
  const plain = columns
    .map(({ name }) => ({ name, value: row[name] }))
    .filter(({ name, value }) => !shownInHead.has(name) && isPlain(value));
  const events = source.eventAttributesExpression;
  return (
    <>
      {events !== undefined && (
        <ValueList
          title="Attributes of the event"
          model={model}
          values={attributesOf(row[events], events)}
        />
      )}
      <ValueList title="Columns" model={model} values={plain} />
      {source.resourceAttributesExpression !== undefined && (
        <ValueList
          title="Resource"
          model={model}
          values={attributesOf(
            row[source.resourceAttributesExpression],
            source.resourceAttributesExpression,
          )}
        />
      )}
      <p className={panel.end} />
    </>
  );
}

const isPlain = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && typeof value !== 'object';

/** Keys of a map column with the field that names each in conditions. */
export function attributesOf(
  value: unknown,
  column: string,
): { name: string; label: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [];
  }
  return Object.entries(value)
    .map(([key, one]) => ({ name: `${column}.${key}`, label: key, value: one as unknown }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
