import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, CircleX, Info } from 'lucide-react';
import {
  alertHistoryQuery,
  explanationQuery,
  type Alert,
  type AlertEvaluation,
  type AlertExplanation,
} from '../../api/queries/alerts.ts';
import { Attempts } from '../../alerting/attempts.tsx';
import { DeliveryMark } from '../../alerting/delivery-mark.tsx';
import { groupText, verdictWords } from '../../alerting/words.ts';
import { Listbox } from '../../kit/listbox.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { useKeys } from '../../view/keys.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import type { AlertModel } from './model.ts';
import { StepText, useNames } from './step-text.tsx';
import type { RowsSearch, Subject } from './subject.ts';
import styles from './alert.module.css';

interface WhyPanelProps {
  alert: Alert;
  model: AlertModel;
  subject: Subject;
  windowEndMs: number;
}

/** Why the alert did or did not notify in one window, from the rows to the receivers. */
export function WhyPanel({ alert, model, subject, windowEndMs }: WhyPanelProps) {
  const { params, span, show } = model;
  const history = useQuery(alertHistoryQuery({ id: alert.id, ...span }));
  const evaluations = history.data?.evaluations ?? [];
  const at = evaluations.findIndex(({ windowEnd }) => Date.parse(windowEnd) === windowEndMs);
  const query = useQuery(explanationQuery({ id: alert.id, windowEndMs, group: params.group }));
  const { data, error, isFetching, refetch } = query;
  const rows = data && rowsOfWindow(subject, data);
  const navigate = useNavigate();
  useKeys({
    // Also while the focus stands behind the panel.
    Escape: model.closeWindow,
    o: () => rows && void navigate({ to: '/search', search: rows }),
  });
  return (
    <Panel
      label="Why"
      what="window"
      position={at < 0 ? '' : `${at + 1} of ${evaluations.length}`}
      onStep={(by) => model.stepWindow(evaluations, by)}
      onClose={model.closeWindow}
    >
      <div className={styles.why}>
        <LoadBar isOn={isFetching && data !== undefined} />
        {error && !data && (
          <Failure title="It cannot be explained" error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} height={32} />}
        {data && (
          <>
            <WindowHead explanation={data} windowEndMs={windowEndMs} />
            <GroupChoice
              evaluation={evaluations[at]}
              explained={data.group}
              onChoose={(group) => show({ group })}
            />
            <Steps explanation={data} />
            <Told explanation={data} />
            <DataLinks alert={alert} rows={rows} explanation={data} />
          </>
        )}
      </div>
    </Panel>
  );
}

interface WindowHeadProps {
  explanation: AlertExplanation;
  windowEndMs: number;
}

function WindowHead({ explanation, windowEndMs }: WindowHeadProps) {
  const { windowStart, windowEnd, verdict, group } = explanation;
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const endMs = windowEnd === undefined ? windowEndMs : Date.parse(windowEnd);
  const end = formatClock(endMs, zone, 'minute');
  const times =
    windowStart === undefined
      ? formatTime(endMs, zone, 'minute')
      : `${formatTime(Date.parse(windowStart), zone, 'minute')} – ${end}`;
  return (
    <header className={styles.whyHead}>
      <h2>{verdictWords[verdict]}</h2>
      <p className={styles.quiet}>
        {times} {zoneLabel(zone, endMs)}
        {group.length > 0 && `, ${groupText(group)}`}
      </p>
    </header>
  );
}

interface GroupChoiceProps {
  evaluation: AlertEvaluation | undefined;
  explained: readonly string[];
  onChoose(group: string[]): void;
}

/** Which group of the window is explained. */
function GroupChoice({ evaluation, explained, onChoose }: GroupChoiceProps) {
  const groups = evaluation?.groups ?? [];
  if (groups.length < 2) {
    return null;
  }
  return (
    <Listbox
      label="Group"
      value={JSON.stringify(explained)}
      choices={groups.map(({ group, state }) => ({
        value: JSON.stringify(group),
        label: groupText(group),
        hint: state,
      }))}
      onChange={(key) => onChoose(JSON.parse(key) as string[])}
    />
  );
}

const outcomes = {
  passed: { icon: Check, word: 'Passed' },
  stopped: { icon: CircleX, word: 'Stopped here' },
  info: { icon: Info, word: 'Note' },
};

function Steps({ explanation: { steps } }: { explanation: AlertExplanation }) {
  const names = useNames();
  const [zonePref] = usePref('zone');
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map(({ step, outcome, text }, index) => {
        const { icon: Icon, word } = outcomes[outcome];
        return (
          <li key={`${step} ${index}`} data-outcome={outcome}>
            <Icon size={14} aria-label={word} />
            <span>
              <StepText text={text} names={names} zone={zoneName(zonePref)} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The deliveries of the window and what the receivers answered. */
function Told({ explanation: { deliveries } }: { explanation: AlertExplanation }) {
  const names = useNames();
  const [zonePref] = usePref('zone');
  if (deliveries.length === 0) {
    return null;
  }
  return (
    <section aria-label="Deliveries" className={styles.told}>
      <h3>Deliveries</h3>
      {deliveries.map((delivery) => (
        <div key={`${delivery.eventId} ${delivery.webhookId}`}>
          <p className={styles.toldHead}>
            <b>{names.get(delivery.webhookId)?.name ?? delivery.webhookId}</b>
            <DeliveryMark status={delivery.status} />
          </p>
          <Attempts delivery={delivery} zone={zoneName(zonePref)} />
        </div>
      ))}
    </section>
  );
}

function rowsOfWindow(
  subject: Subject,
  { windowStart, windowEnd, group }: AlertExplanation,
): RowsSearch {
  return windowStart === undefined || windowEnd === undefined
    ? undefined
    : subject.rowsOf({ startMs: Date.parse(windowStart), endMs: Date.parse(windowEnd) }, group);
}

interface DataLinksProps {
  alert: Alert;
  /** Undefined: metrics have no rows. */
  rows: RowsSearch;
  explanation: AlertExplanation;
}

/** The data that the window was about: its rows, and the dashboard at that time. */
function DataLinks({ alert, rows, explanation }: DataLinksProps) {
  const { windowStart, windowEnd } = explanation;
  if (windowStart === undefined || windowEnd === undefined) {
    return null;
  }
  return (
    <p className={styles.links}>
      {rows && (
        <Link to="/search" search={rows} aria-keyshortcuts="o">
          Open the rows of this window
        </Link>
      )}
      {alert.dashboard !== undefined && (
        <Link
          to="/dashboards/$id"
          params={{ id: alert.dashboard }}
          search={{ from: Date.parse(windowStart), to: Date.parse(windowEnd) }}
        >
          Open the dashboard at this time
        </Link>
      )}
    </p>
  );
}
