import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Alert } from '../../api/queries/alerts.ts';
import { maintenanceQuery } from '../../api/queries/maintenance.ts';
import { endOf, mutingWindow } from '../../alerting/maintenance.ts';
import { silenceEnded } from '../../alerting/silence-menu.tsx';
import { errorWords, thresholdPhrase } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Time } from '../../kit/time.tsx';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneName } from '../../view/zone.ts';
import { groupText } from '../../alerting/words.ts';
import type { Subject } from './subject.ts';
import styles from './alert.module.css';

interface StatusProps {
  alert: Alert;
  subject: Subject;
}

/** When the alert fires, in a sentence, and what keeps it from doing its work. */
export function Status({ alert, subject }: StatusProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const { data: windows = [] } = useQuery(maintenanceQuery);
  const muting = mutingWindow(windows, alert);
  const moment = (ms: number) => <Time ms={ms}>{formatTime(ms, zone, 'minute')}</Time>;
  return (
    <div className={styles.status}>
      <Condition alert={alert} subject={subject} />
      {(alert.executionErrors ?? []).map(({ type, message, timestamp }) => (
        <Notice key={`${type} ${message}`} look="warning">
          <b>{errorWords[type]}</b>, {moment(Date.parse(timestamp))}: {message}
        </Notice>
      ))}
      {alert.silenced && (
        <Notice>
          <div className={styles.noticeRow}>
            <span>
              Silenced{' '}
              {alert.silencedUntil === undefined ? (
                'until somebody ends it'
              ) : (
                <>until {moment(Date.parse(alert.silencedUntil))}</>
              )}
              . The alert is evaluated and sends nothing.
            </span>
            <Button size="small" onClick={() => void silenceEnded(alert)}>
              End the silence
            </Button>
          </div>
        </Notice>
      )}
      {muting && (
        <Notice>
          Maintenance <Link to="/alerts/maintenance">“{muting.name}”</Link> until{' '}
          {moment(endOf(muting))}. The alert is evaluated and sends nothing. What still fires then
          is told once.
        </Notice>
      )}
      {alert.lastEvaluatedAt === undefined && alert.executionErrors === undefined && (
        <Notice>
          Not evaluated yet. The first evaluation follows the end of the first window of{' '}
          {alert.interval}.
        </Notice>
      )}
    </div>
  );
}

/** `Fires if the rows of “Failed payments” in 5m are at or above 10, 3 windows in a row.` */
function Condition({ alert, subject }: StatusProps) {
  const { interval, numConsecutiveWindows = 1 } = alert;
  const { groupFields, format } = subject;
  const times = numConsecutiveWindows === 1 ? '' : `, ${numConsecutiveWindows} windows in a row`;
  const isRows = alert.source === 'search';
  return (
    <p className={styles.condition}>
      Fires if {isRows ? 'the number of rows of' : 'the value of'}{' '}
      <SubjectLink alert={alert} subject={subject} /> in {interval}
      {groupFields.length > 0 && ` of any ${groupText(groupFields)}`} is{' '}
      <b>{thresholdPhrase(alert, format)}</b>
      {times}.
    </p>
  );
}

/** The saved search or tile that is evaluated. */
export function SubjectLink({ alert, subject: { search, tile, isGone } }: StatusProps) {
  if (search) {
    return (
      <Link to="/search" search={{ savedSearchId: search.id }}>
        {search.name}
      </Link>
    );
  }
  if (tile) {
    const { dashboard } = tile;
    return (
      <>
        <Link to="/dashboards/$id" params={{ id: dashboard.id }} search={{ tile: tile.tile.id }}>
          {tile.tile.name === '' ? 'a tile' : tile.tile.name}
        </Link>{' '}
        ({dashboard.name})
      </>
    );
  }
  const what = alert.source === 'tile' ? 'tile' : 'saved search';
  return <>{isGone ? `a ${what} that does not exist any more` : `its ${what}`}</>;
}
