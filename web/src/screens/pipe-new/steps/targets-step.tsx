import { useId } from 'react';
import { CheckBox } from '../../../kit/check-box.tsx';
import { ControlField, Field } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { tableEngines, type TableRow } from '../model/tables.ts';
import type { StepProps } from '../model/step-props.ts';
import styles from '../pipe-new.module.css';

const engineHints = {
  ReplacingMergeTree: 'latest version of each row',
  MergeTree: 'every version',
  Null: 'only for views',
};
const engineChoices = tableEngines.map((engine) => ({
  value: engine,
  label: engine,
  hint: engineHints[engine],
}));

/** Where the rows of each table go. */
export function TargetsStep({ wizard: { draft, change }, form }: StepProps) {
  return (
    <>
      <p>Each table has a target of its own. The defaults fit most tables.</p>
      <div className={styles.targets}>
        {draft.tables.map((row, index) => (
          <Target
            key={row.id}
            row={row}
            issueAt={(part) => form.issueAt(`tables.${index}.${part}`)}
            onChange={(part) =>
              change((now) => ({
                tables: now.tables.map((one) => (one.id === row.id ? { ...one, ...part } : one)),
              }))
            }
          />
        ))}
      </div>
    </>
  );
}

interface TargetProps {
  row: TableRow;
  issueAt(part: keyof TableRow): string | undefined;
  onChange(part: Partial<TableRow>): void;
}

function Target({ row, issueAt, onChange }: TargetProps) {
  const { id, targetTable, engine, sortingKeys, excluded, columns, primaryKey } = row;
  const heading = useId();
  const problem = issueAt('excluded');
  return (
    <section className={styles.target} aria-labelledby={heading}>
      <h3 id={heading}>{id}</h3>
      <div className={styles.targetFields}>
        <Field
          label="Target table"
          name="tables"
          autoComplete="off"
          spellCheck={false}
          value={targetTable}
          error={issueAt('targetTable')}
          onChange={({ target }) => onChange({ targetTable: target.value })}
        />
        <ControlField label="Engine" error={issueAt('engine')}>
          <Listbox
            label={`Engine of ${id}`}
            value={engine}
            choices={engineChoices}
            onChange={(chosen) => onChange({ engine: chosen })}
          />
        </ControlField>
        <Field
          label="Sorting key"
          name="tables"
          autoComplete="off"
          spellCheck={false}
          placeholder={primaryKey.join(', ')}
          hint="Columns, separated by commas. Empty: the key of the table."
          value={sortingKeys}
          error={issueAt('sortingKeys')}
          onChange={({ target }) => onChange({ sortingKeys: target.value })}
        />
      </div>
      {columns.length > 0 && (
        <details className={styles.more} open={problem !== undefined || undefined}>
          <summary>
            {columns.length - excluded.length} of {columns.length} columns
          </summary>
          <ul className={styles.columnList}>
            {columns.map(({ name, type }) => (
              <li key={name} className={styles.item}>
                <CheckBox
                  label={`Replicate ${name} of ${id}`}
                  checked={!excluded.includes(name)}
                  disabled={primaryKey.includes(name)}
                  onChange={({ target }) =>
                    onChange({
                      excluded: target.checked
                        ? excluded.filter((one) => one !== name)
                        : [...excluded, name],
                    })
                  }
                />
                <span className={styles.itemName}>{name}</span>
                <code className={styles.quiet}>{type}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </section>
  );
}
