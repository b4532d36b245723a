import type { SourceField, TelemetryTable } from '../../../api/queries/sources.ts';
import { Choices } from '../../../kit/choices.tsx';
import { Field } from '../../../kit/field.tsx';
import { SuggestField, type Suggestion } from '../../../kit/suggest-field.tsx';
import { plural } from '../../../view/number-format.ts';
import { isTime, tableNames } from './draft.ts';
import {
  metricTypes,
  partGroups,
  precisions,
  type MetricType,
  type Part,
  type Precision,
} from './source-parts.ts';
import type { SourceForm } from './use-source-form.ts';
import styles from './sources.module.css';

interface SourceFieldsProps {
  form: SourceForm;
  tables: readonly TelemetryTable[];
  /** Columns and attribute keys of a stored source, for completion. */
  fields: readonly SourceField[];
}

/** Every field of a source of one kind. */
export function SourceFields({ form, tables, fields }: SourceFieldsProps) {
  const { draft, errorAt } = form;
  const columns = columnsOf(form, tables, fields);
  const times = columns.filter(({ hint }) => isTime(hint ?? ''));
  return (
    <>
      <section className={styles.part} aria-label="Table">
        <h2>{draft.kind === 'metric' ? 'Tables' : 'Table'}</h2>
        <div className={styles.grid}>
          {draft.kind === 'metric' ? (
            metricTypes.map((type) => (
              <MetricTableField key={type} type={type} form={form} tables={tables} />
            ))
          ) : (
            <SuggestField
              label="Table"
              hint={`A table or view of the database ${draft.databaseName}.`}
              error={errorAt('from.tableName') ?? errorAt('from.databaseName')}
              value={draft.tableName}
              suggestions={tableChoices(tables, draft.kind)}
              onChange={(name) => form.setTable(name, tables)}
            />
          )}
          <SuggestField
            label="Time"
            hint="Time of a row."
            error={errorAt('timestampValueExpression')}
            value={draft.time}
            suggestions={times.length > 0 ? times : columns}
            isExpression
            onChange={form.setTime}
          />
        </div>
        {errorAt('metricTables') !== undefined && (
          <p className={styles.error} role="alert">
            Name at least one table of metrics.
          </p>
        )}
      </section>
      {partGroups[draft.kind].map(({ title, parts }) => (
        <section key={title} className={styles.part} aria-label={title}>
          <h2>{title}</h2>
          <div className={styles.grid}>
            {parts.map((part) => (
              <PartField key={part.name} part={part} form={form} columns={columns} />
            ))}
          </div>
          {title === 'Span' && (
            <Choices
              label="Unit of the duration"
              value={String(draft.durationPrecision) as (typeof precisions)[number]['value']}
              choices={precisions}
              onChange={(value) => form.setPrecision(Number(value) as Precision)}
            />
          )}
        </section>
      ))}
    </>
  );
}

/** The name, which stands first. */
export function NameField({ form }: { form: SourceForm }) {
  return (
    <Field
      label="Name"
      hint="People choose the source by it."
      autoComplete="off"
      maxLength={255}
      value={form.draft.name}
      error={form.errorAt('name')}
      onChange={(event) => form.setName(event.target.value)}
    />
  );
}

interface MetricTableFieldProps {
  type: MetricType;
  form: SourceForm;
  tables: readonly TelemetryTable[];
}

function MetricTableField({ type, form, tables }: MetricTableFieldProps) {
  const own = tables.filter(({ metricDataType }) => metricDataType === type);
  return (
    <SuggestField
      label={`${type.charAt(0).toUpperCase()}${type.slice(1)}`}
      error={form.errorAt(`metricTables.${type}`)}
      placeholder="No table"
      value={form.draft.metricTables[type] ?? ''}
      suggestions={(own.length > 0 ? own : tables).map(asChoice)}
      onChange={(name) => form.setMetricTable(type, name, tables)}
    />
  );
}

interface PartFieldProps {
  part: Part;
  form: SourceForm;
  columns: readonly Suggestion[];
}

function PartField({ part, form, columns }: PartFieldProps) {
  return (
    <SuggestField
      label={part.label}
      hint={part.hint}
      error={form.errorAt(part.name)}
      placeholder="Not set"
      value={form.draft.expressions[part.name] ?? ''}
      suggestions={columns}
      isExpression
      onChange={(text) => form.setExpression(part.name, text)}
    />
  );
}

/** Tables that fit the kind first. */
function tableChoices(tables: readonly TelemetryTable[], kind: 'log' | 'trace'): Suggestion[] {
  const fits = ({ sourceKinds }: TelemetryTable): boolean => sourceKinds[0] === kind;
  return tables.toSorted((one, other) => Number(fits(other)) - Number(fits(one))).map(asChoice);
}

const asChoice = ({ tableName, kind, columns }: TelemetryTable): Suggestion => ({
  value: tableName,
  hint: `${kind}, ${plural(columns.length, 'column')}`,
});

/** The columns of the tables that the draft names, and attribute keys that are known. */
function columnsOf(
  { draft, isChanged }: SourceForm,
  tables: readonly TelemetryTable[],
  fields: readonly SourceField[],
): Suggestion[] {
  const names = tableNames(draft);
  const found = new Map<string, Suggestion>();
  for (const { tableName, columns } of tables) {
    for (const { name, type } of names.includes(tableName) ? columns : []) {
      found.set(name, { value: name, hint: type.replace(/LowCardinality\((.*)\)/, '$1') });
    }
  }
  for (const { name, kind } of fields) {
    if (kind === 'attribute' && (!isChanged || found.has(name.split('.')[0] ?? ''))) {
      found.set(name, { value: name, hint: 'attribute' });
    }
  }
  return [...found.values()];
}
