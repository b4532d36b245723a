import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sourceCheckQuery } from '../../../api/queries/new-pipe.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorText } from '../../../kit/state.tsx';
import { kindWords } from '../../../pipes/kinds.ts';
import { plural } from '../../../view/number-format.ts';
import { includedRows, keyNames } from '../model/columns.ts';
import { reasonWords } from '../model/check-words.ts';
import { sourceOf, stepOf } from '../model/draft.ts';
import { shownFields, textOf, type SourceField } from '../model/fields.ts';
import { kinds } from '../model/kinds/kinds.ts';
import { stepTitle } from '../model/steps.ts';
import type { Connected, Wizard } from '../model/use-wizard.ts';
import type { Step } from '../params.ts';
import type { StepProps } from '../model/step-props.ts';
import styles from '../pipe-new.module.css';

interface CreateStepProps extends StepProps {
  connected: Connected;
  onGo(step: Step): void;
}

/** All that was chosen, and what is wrong with it. */
export function CreateStep({ wizard, connected, onGo }: CreateStepProps) {
  const { kind, draft, texts, error, refused } = wizard;
  const issues = [...wizard.issuesOf('create'), ...refused];
  return (
    <div className={styles.sections}>
      {issues.length > 0 && (
        <div className={styles.problem} role="alert">
          <p>These must be right before the pipe can be created:</p>
          <ul>
            {issues.map(({ path, message }) => (
              <Mistake key={`${path} ${message}`} {...{ kind, path, message, onGo }} />
            ))}
          </ul>
        </div>
      )}
      <ErrorText error={error} />
      <SourceCheck wizard={wizard} connected={connected} />
      <Summary title="Connection" step="connection" onGo={onGo}>
        <Line name="Kind">{kindWords[kind]}</Line>
        {shownFields(kinds[kind].fields, texts)
          .filter((field) => textOf(texts, field.name) !== '')
          .map((field) => (
            <Line key={field.name} name={field.label}>
              {shownValue(field, textOf(texts, field.name))}
            </Line>
          ))}
      </Summary>
      {kind === 'postgres' ? (
        <Summary title={stepTitle('columns', kind)} step="columns" onGo={onGo}>
          {draft.tables.map(({ id, targetTable, engine }) => (
            <Line key={id} name={id}>
              {targetTable} ({engine})
            </Line>
          ))}
        </Summary>
      ) : (
        <Columns wizard={wizard} onGo={onGo} />
      )}
      <Summary title="Settings" step="settings" onGo={onGo}>
        <Line name="Name">{textOf(texts, 'name') || 'Follows from the source'}</Line>
        <Line name="Destination">
          {[textOf(texts, 'database') || 'default', textOf(texts, 'table')]
            .filter(Boolean)
            .join('.')}
        </Line>
      </Summary>
    </div>
  );
}

const shownValue = ({ look, choices = [], isCredential }: SourceField, text: string): string => {
  if (isCredential) {
    return 'Entered';
  }
  if (look === 'switch') {
    return 'Yes';
  }
  return choices.find(({ value }) => value === text)?.label ?? text;
};

interface MistakeProps {
  kind: Wizard['kind'];
  path: string;
  message: string;
  onGo(step: Step): void;
}

function Mistake({ kind, path, message, onGo }: MistakeProps) {
  const step = stepOf(kind, path);
  return (
    <li>
      {step === undefined ? (
        path
      ) : (
        <Button size="small" onClick={() => onGo(step)}>
          {stepTitle(step, kind)}
        </Button>
      )}{' '}
      {message}
    </li>
  );
}

interface SourceCheckProps {
  wizard: Wizard;
  connected: Connected;
}

/** The connection was checked before the choice of topics or tables. */
function SourceCheck({ wizard: { kind, draft, texts }, connected: { number } }: SourceCheckProps) {
  const source = sourceOf(kind, draft, texts);
  const choice = JSON.stringify([draft.item, draft.tables, draft.texts]);
  const { data, isFetching } = useQuery(sourceCheckQuery({ source, number }, choice));
  const [issue] = data?.issues ?? [];
  if (!issue) {
    return (
      <p className={styles.quiet} role="status">
        {isFetching ? 'The source is checked with your choices.' : ''}
        {data?.ok === true && 'The source was checked with your choices: it can be read.'}
      </p>
    );
  }
  return (
    <div className={styles.warning} role="status">
      <b>{reasonWords[issue.reason]}</b>
      <p>{issue.message}</p>
    </div>
  );
}

function Columns({ wizard: { draft }, onGo }: { wizard: Wizard; onGo(step: Step): void }) {
  const included = includedRows(draft.columns);
  const keys = keyNames(draft.columns);
  return (
    <Summary title="Columns" step="columns" onGo={onGo}>
      <Line name={plural(included.length, 'column')}>
        {included.map(({ name, type }) => `${name} ${type}`).join(', ')}
      </Line>
      <Line name="Sorted by">{keys.length === 0 ? 'Not sorted' : keys.join(', ')}</Line>
    </Summary>
  );
}

interface SummaryProps {
  title: string;
  step: Step;
  onGo(step: Step): void;
  children: ReactNode;
}

function Summary({ title, step, onGo, children }: SummaryProps) {
  return (
    <section className={styles.summary} aria-label={title}>
      <header className={styles.summaryHead}>
        <h3>{title}</h3>
        <Button
          size="small"
          look="plain"
          aria-label={`Change: ${title}`}
          onClick={() => onGo(step)}
        >
          Change
        </Button>
      </header>
      <dl>{children}</dl>
    </section>
  );
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.line}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
