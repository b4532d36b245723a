import { Link } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertEvaluation, AlertHistory } from '../../api/queries/alerts.ts';
import { StateMark } from '../../alerting/state-mark.tsx';
import { reasonWords } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { Toggle } from '../../kit/choices.tsx';
import { Cell, ListTable } from '../../kit/list-table.tsx';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { useKeys } from '../../view/keys.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { lineOf, type ShownGroup } from './history-data.ts';
import type { AlertModel } from './model.ts';
import type { Subject } from './subject.ts';
import styles from './alert.module.css';

interface EvaluationsProps {
  history: UseQueryResult<AlertHistory>;
  model: AlertModel;
  subject: Subject;
}

const pageSize = 100;

/** The windows of the range, newest first: what was counted, and what followed. */
export function Evaluations({ history, model, subject }: EvaluationsProps) {
  const { data, error, refetch } = history;
  const [count, setCount] = useState(pageSize);
  const [onlyChanges, setOnlyChanges] = useState(false);
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const all = data?.evaluations ?? [];
  const found = onlyChanges ? all.filter(({ reason }) => reason !== null) : all;
  useRowKeys(found, model);
  if (error && !data) {
    return (
      <Failure
        title="The evaluations cannot be listed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={6} height={32} />;
  }
  if (all.length === 0) {
    return (
      <Empty
        title="No window of this range was evaluated"
        actions={<Button onClick={model.zoomOut}>Widen the range</Button>}
      >
        Evaluations are kept for 30 days.
      </Empty>
    );
  }
  return (
    <>
      <Toggle
        label="Only changes"
        hint={`${formatCount(found.length)} of ${formatCount(all.length)} windows`}
        isOn={onlyChanges}
        onChange={setOnlyChanges}
      />
      {found.length === 0 ? (
        <p className={styles.quiet}>The state did not change in this range.</p>
      ) : (
        <EvaluationTable
          evaluations={found.slice(0, count)}
          model={model}
          subject={subject}
          zone={zone}
        />
      )}
      {count < found.length && (
        <Button onClick={() => setCount(count + pageSize)}>
          Show more: {formatCount(count)} of {formatCount(found.length)}
        </Button>
      )}
    </>
  );
}

/** j and k go through the rows, or through the windows that are explained beside them. */
function useRowKeys(evaluations: readonly AlertEvaluation[], model: AlertModel): void {
  const step = (by: 1 | -1): void => {
    if (model.params.window !== undefined) {
      model.stepWindow(evaluations, by);
      return;
    }
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
}

interface TableProps {
  evaluations: readonly AlertEvaluation[];
  model: AlertModel;
  subject: Subject;
  zone: string;
}

function EvaluationTable({ evaluations, model, subject, zone }: TableProps) {
  const { group } = model.params;
  const shown = group && { key: JSON.stringify(group), group };
  const isGrouped = evaluations.some(({ groups }) => groups !== undefined);
  return (
    <ListTable
      label="Evaluations"
      columns={[
        { label: `Window (${zoneLabel(zone)})` },
        { label: 'State' },
        { label: 'Value' },
        { label: 'Reason', isExtra: true },
        ...(isGrouped ? [{ label: 'Groups', isExtra: true }] : []),
        { label: 'Rows read', isExtra: true, width: 104 },
        { label: 'ms', isExtra: true, width: 72 },
        { label: 'Data', isExtra: true },
      ]}
    >
      {evaluations.map((evaluation) => (
        <Row
          key={evaluation.windowEnd}
          evaluation={evaluation}
          group={isGrouped ? shown : undefined}
          isGrouped={isGrouped}
          model={model}
          subject={subject}
          zone={zone}
        />
      ))}
    </ListTable>
  );
}

interface RowProps extends Omit<TableProps, 'evaluations'> {
  evaluation: AlertEvaluation;
  group: ShownGroup | undefined;
  isGrouped: boolean;
}

function Row({ evaluation, group, isGrouped, model, subject, zone }: RowProps) {
  const { windowStart, windowEnd, rowsRead, durationMs, skipped } = evaluation;
  const span = { startMs: Date.parse(windowStart), endMs: Date.parse(windowEnd) };
  const line = lineOf(evaluation, group);
  const reason = group
    ? evaluation.groups?.find((one) => JSON.stringify(one.group) === group.key)?.reason
    : evaluation.reason;
  const rows = subject.rowsOf(span, group?.group ?? []);
  const name = `${formatTime(span.startMs, zone, 'minute')} – ${formatClock(span.endMs, zone, 'minute')}`;
  return (
    <tr className={styles.row} data-current={model.params.window === span.endMs || undefined}>
      <Cell>
        <button
          type="button"
          className={styles.window}
          data-row-link
          aria-label={`Why: ${name}`}
          onClick={() => model.openWindow(span.endMs)}
        >
          {name}
        </button>
      </Cell>
      <Cell>{skipped || !line ? '–' : <StateMark state={line.state} />}</Cell>
      <Cell>{line?.value == null || skipped ? '–' : subject.format(line.value)}</Cell>
      <Cell isExtra>{skipped ? `${plural(skipped, 'window')} skipped` : reasonWords(reason)}</Cell>
      {isGrouped && <Cell isExtra>{groupsText(evaluation)}</Cell>}
      <Cell isExtra>{formatCount(rowsRead)}</Cell>
      <Cell isExtra>{formatCount(durationMs)}</Cell>
      <Cell isExtra>
        {rows && (
          <Link to="/search" search={rows} aria-label={`Rows of ${name}`}>
            Rows
          </Link>
        )}
      </Cell>
    </tr>
  );
}

/** `2 of 14 firing` */
function groupsText({ groups = [] }: AlertEvaluation): string {
  const firing = groups.filter(({ state }) => state === 'firing').length;
  return `${formatCount(firing)} of ${formatCount(groups.length)} firing`;
}
