import { useQuery } from '@tanstack/react-query';
import {
  newestEvaluationsQuery,
  withdrawAcknowledgement,
  type Acknowledgement,
  type Alert,
  type AlertEvaluation,
} from '../../api/queries/alerts.ts';
import { useAction } from '../../api/use-action.ts';
import { actorOf, groupText } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { usePref } from '../../view/use-pref.ts';
import { formatAgo, formatTime, zoneName } from '../../view/zone.ts';
import { firingSince, groupsOfHistory, lineOf, type ShownGroup } from './history-data.ts';
import styles from './alert.module.css';

interface IncidentProps {
  alert: Alert;
  /** Without a group: all that fire. */
  onAcknowledge(group?: readonly string[]): void;
}

const groupsShown = 20;

/** What fires, since when, and who works on it. */
export function Incident({ alert, onAcknowledge }: IncidentProps) {
  const { data: newest = [] } = useQuery(newestEvaluationsQuery(alert.id, alert.lastEvaluatedAt));
  const firing = firingGroups(newest);
  const acknowledgements = alert.acknowledgements ?? [];
  const rest = firing.length - groupsShown;
  return (
    <section className={styles.incident} aria-label="Incident">
      {firing.slice(0, groupsShown).map((group) => (
        <Firing
          key={group?.key ?? ''}
          alert={alert}
          group={group}
          newest={newest}
          acknowledgement={acknowledgements.find(
            (one) => JSON.stringify(one.group) === (group?.key ?? '[]'),
          )}
          onAcknowledge={onAcknowledge}
        />
      ))}
      {rest > 0 && (
        <p className={styles.quiet}>
          and {rest} more {rest === 1 ? 'group' : 'groups'}
        </p>
      )}
    </section>
  );
}

/** Groups that fire in the last window; one without a name if the alert has no groups. */
function firingGroups(newest: readonly AlertEvaluation[]): (ShownGroup | undefined)[] {
  const last = newest.find(({ skipped }) => !skipped);
  if (!last?.groups) {
    return [undefined];
  }
  return groupsOfHistory([last]).filter((group) => lineOf(last, group)?.state === 'firing');
}

interface FiringProps extends IncidentProps {
  group: ShownGroup | undefined;
  newest: readonly AlertEvaluation[];
  acknowledgement: Acknowledgement | undefined;
}

function Firing({ alert, group, newest, acknowledgement, onAcknowledge }: FiringProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const since = firingSince(newest, group);
  return (
    <div className={styles.firing}>
      <p className={styles.firingText}>
        {group ? (
          <>
            <b>{groupText(group.group)}</b> fires
          </>
        ) : (
          'Fires'
        )}
        {since ? (
          <>
            {' '}
            since {since.isAtLeast && 'before '}
            <Time ms={since.sinceMs}>{formatTime(since.sinceMs, zone, 'minute')}</Time> (
            {formatAgo(since.sinceMs)}).
          </>
        ) : (
          '.'
        )}
      </p>
      {acknowledgement ? (
        <Acknowledged alert={alert} acknowledgement={acknowledgement} zone={zone} />
      ) : (
        <p className={styles.firingAck}>
          Nobody has acknowledged it.
          {group && (
            <Button size="small" onClick={() => onAcknowledge(group.group)}>
              Acknowledge {groupText(group.group)}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface AcknowledgedProps {
  alert: Alert;
  acknowledgement: Acknowledgement;
  zone: string;
}

/** Who works on it, since when, and the note. */
function Acknowledged({ alert, acknowledgement, zone }: AcknowledgedProps) {
  const { isBusy, error, run } = useAction();
  const { at, group, note } = acknowledgement;
  const ms = Date.parse(at);
  return (
    <div className={styles.acknowledged}>
      <p className={styles.firingAck}>
        <span>
          Acknowledged by <b>{actorOf(acknowledgement)}</b>,{' '}
          <Time ms={ms}>{formatTime(ms, zone, 'minute')}</Time>
        </span>
        <Button
          size="small"
          disabled={isBusy}
          onClick={() => void run(() => withdrawAcknowledgement(alert.id, group))}
        >
          Withdraw
        </Button>
      </p>
      {note !== undefined && <p className={styles.noteText}>{note}</p>}
      <ErrorText error={error} />
    </div>
  );
}
