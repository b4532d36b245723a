import { Plus, RotateCcw } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { CheckBox } from '../../../kit/check-box.tsx';
import { BareInput } from '../../../kit/field.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { keyNames, withEmptyRow, withKey, withRow, type ColumnRow } from '../model/columns.ts';
import { withProposal } from '../model/proposal.ts';
import { firstItem, useDiscovery } from '../model/use-discovery.ts';
import type { Connected } from '../model/use-wizard.ts';
import type { StepProps } from '../model/step-props.ts';
import { Records } from './records.tsx';
import styles from '../pipe-new.module.css';

const types = [
  'String',
  'Int64',
  'UInt64',
  'Float64',
  'Bool',
  'UUID',
  'Date32',
  "DateTime64(3, 'UTC')",
  'Decimal(38, 2)',
  'LowCardinality(String)',
  'Nullable(String)',
  'Array(String)',
  'Map(String, String)',
];

/** The columns of the table, and the field that fills each. */
export function ColumnsStep({ wizard, form, connected }: StepProps & { connected: Connected }) {
  const { kind, draft, change } = wizard;
  const { columns } = draft;
  const shown = firstItem(draft.item, kind === 'kafka');
  const sample = useDiscovery(connected, shown);
  const proposal = sample.data?.proposal;
  const list = useId();
  const set = (rows: ColumnRow[]): void => change(() => ({ columns: rows, isEdited: true }));
  const keys = keyNames(columns);
  const isOther = draft.isEdited && draft.columnsOf !== shown && proposal !== undefined;
  return (
    <>
      <p>
        {columns.length === 0
          ? 'There is no sample to propose columns from. Add the columns of the table.'
          : 'Proposed from the sample. Change what does not fit, or leave it as it is.'}
      </p>
      {isOther && <Notice>You changed these columns for another sample.</Notice>}
      <datalist id={list}>
        {types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <div className={styles.wideColumns}>
        <div className={styles.fields}>
          {columns.length > 0 && (
            <div className={styles.grid} role="group" aria-label="Columns">
              <div className={styles.gridHead} aria-hidden>
                <span>Load</span>
                <span>Column</span>
                <span>Type</span>
                <span>Field of the record</span>
                <span>Key</span>
              </div>
              {columns.map((row, index) => (
                <Row
                  key={row.id}
                  row={row}
                  number={index + 1}
                  types={list}
                  issueAt={(part) => form.issueAt(`columns.${index}.${part}`)}
                  onChange={(part) => set(withRow(columns, row.id, part))}
                  onKey={(isKey) => set(withKey(columns, row.id, isKey))}
                />
              ))}
            </div>
          )}
          <Whole issue={wholeIssue(form.issueAt('columns'), columns, form)} />
          <p className={styles.quiet}>
            {keys.length === 0
              ? 'The table is not sorted. Mark the columns that queries filter by most, in order.'
              : `The table is sorted by ${keys.join(', ')}.`}
          </p>
          <div className={styles.buttons}>
            <Button
              size="small"
              icon={<Plus size={14} aria-hidden />}
              onClick={() => set(withEmptyRow(columns))}
            >
              Add column
            </Button>
            {proposal && draft.isEdited && (
              <Button
                size="small"
                icon={<RotateCcw size={14} aria-hidden />}
                onClick={() => change((now) => withProposal(now, shown, proposal))}
              >
                Propose again
              </Button>
            )}
          </div>
        </div>
        <aside className={styles.side} aria-label="Records">
          <Records item={shown} sample={sample} what="an item" />
        </aside>
      </div>
    </>
  );
}

/** A mistake of all columns together: one that no row shows. */
function wholeIssue(
  issue: string | undefined,
  columns: readonly ColumnRow[],
  form: StepProps['form'],
): string | undefined {
  const isAtRow = columns.some((_, index) => form.issueAt(`columns.${index}`) !== undefined);
  return isAtRow ? undefined : issue;
}

const Whole = ({ issue }: { issue: string | undefined }) =>
  issue === undefined ? null : (
    <p role="alert" className={styles.problem}>
      {issue}
    </p>
  );

interface RowProps {
  row: ColumnRow;
  number: number;
  /** Id of the list of types. */
  types: string;
  issueAt(part: string): string | undefined;
  onChange(part: Partial<ColumnRow>): void;
  onKey(isKey: boolean): void;
}

function Row({ row, number, issueAt, onChange, onKey, ...props }: RowProps) {
  const { name, type, field, isIncluded, key } = row;
  const id = useId();
  const shown = name || `column ${number}`;
  const issues = { name: issueAt('name'), type: issueAt('type'), field: issueAt('field') };
  const [message] = Object.values(issues).filter((issue) => issue !== undefined);
  const input = (part: 'name' | 'type' | 'field', label: string): ReactNode => (
    <span className={styles.gridCell} data-label={label}>
      <BareInput
        label={`${label} of ${part === 'name' ? `column ${number}` : shown}`}
        name={`columns`}
        autoComplete="off"
        spellCheck={false}
        disabled={!isIncluded}
        list={part === 'type' ? props.types : undefined}
        placeholder={part === 'field' ? name : undefined}
        aria-invalid={issues[part] !== undefined}
        aria-describedby={issues[part] === undefined ? undefined : id}
        value={{ name, type, field }[part]}
        onChange={({ target }) => onChange({ [part]: target.value })}
      />
    </span>
  );
  return (
    <div
      className={styles.gridRow}
      role="group"
      aria-label={shown}
      data-off={!isIncluded || undefined}
    >
      <CheckBox
        label={`Load ${shown}`}
        checked={isIncluded}
        onChange={({ target }) => onChange({ isIncluded: target.checked })}
      />
      {input('name', 'Column')}
      {input('type', 'Type')}
      {input('field', 'Field of the record')}
      <span className={styles.key}>
        <CheckBox
          label={`${shown} is in the key`}
          checked={key > 0}
          disabled={!isIncluded}
          onChange={({ target }) => onKey(target.checked)}
        />
        <span aria-hidden>{key > 0 ? key : ''}</span>
      </span>
      {message !== undefined && (
        <p id={id} role="alert" className={styles.rowProblem}>
          {message}
        </p>
      )}
    </div>
  );
}
