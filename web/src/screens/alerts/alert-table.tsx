import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Alert } from '../../api/queries/alerts.ts';
import { maintenanceQuery } from '../../api/queries/maintenance.ts';
import { AcknowledgeDialog } from '../../alerting/acknowledge-dialog.tsx';
import { RecentStrip } from '../../alerting/recent-strip.tsx';
import { StateMark } from '../../alerting/state-mark.tsx';
import { nameOf, statesOf } from '../../alerting/states.ts';
import { thresholdSign } from '../../alerting/words.ts';
import { Button } from '../../kit/button.tsx';
import { Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { formatCount } from '../../view/number-format.ts';
import { formatValue } from '../../view/value-format.ts';
import { RowActions } from './row-actions.tsx';
import { useStateNotes } from './state-notes.ts';
import { useRowKeys } from './use-row-keys.ts';
import styles from './alerts.module.css';

interface AlertTableProps {
  alerts: readonly Alert[];
  subjectOf(alert: Alert): string;
  onTag(tag: string): void;
}

/** What is open at a row. */
interface Doing {
  id: string;
  what: 'silence' | 'acknowledge';
}

const pageSize = 200;
const columns = [
  { label: 'Alert' },
  { label: 'State', isExtra: true },
  { label: 'Last 20', isExtra: true },
  { label: 'Value', isExtra: true },
  { label: 'Tags', isExtra: true },
  { label: 'Actions', isActions: true },
];

export function AlertTable({ alerts, subjectOf, onTag }: AlertTableProps) {
  const [count, setCount] = useState(pageSize);
  const [doing, setDoing] = useState<Doing>();
  const { data: windows = [] } = useQuery(maintenanceQuery);
  const notesOf = useStateNotes(windows);
  const shown = alerts.slice(0, count);
  useRowKeys(shown, (what, { id }) => setDoing({ what, id }));
  const acknowledging =
    doing?.what === 'acknowledge' ? shown.find(({ id }) => id === doing.id) : undefined;
  return (
    <>
      <ListTable label="Alerts" columns={columns}>
        {shown.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            subject={subjectOf(alert)}
            notes={notesOf(alert)}
            isSilencing={doing?.what === 'silence' && doing.id === alert.id}
            onDo={(what) => setDoing(what && { what, id: alert.id })}
            onTag={onTag}
          />
        ))}
      </ListTable>
      {count < alerts.length && (
        <Button className={styles.more} onClick={() => setCount(count + pageSize)}>
          Show more: {formatCount(count)} of {formatCount(alerts.length)}
        </Button>
      )}
      {acknowledging && (
        <AcknowledgeDialog alert={acknowledging} onClose={() => setDoing(undefined)} />
      )}
    </>
  );
}

interface AlertRowProps {
  alert: Alert;
  subject: string;
  notes: readonly string[];
  isSilencing: boolean;
  onDo(what: Doing['what'] | undefined): void;
  onTag(tag: string): void;
}

function AlertRow({ alert, subject, notes, isSilencing, onDo, onTag }: AlertRowProps) {
  const value = alert.lastValue === undefined ? '–' : formatValue(alert.lastValue);
  const marks = statesOf(alert).map((state) => <StateMark key={state} state={state} />);
  return (
    <tr className={styles.row} data-alert={alert.id}>
      <TitleCell
        title={
          <Link to="/alerts/$id" params={{ id: alert.id }} data-row-link>
            {nameOf(alert)}
          </Link>
        }
        note={subject}
        smallNote={
          <span className={styles.small}>
            {marks} {value} ({thresholdSign(alert)})
          </span>
        }
      />
      <Cell isExtra>
        <span className={styles.marks}>{marks}</span>
        {notes.map((note) => (
          <span key={note} className={styles.stateNote} title={note}>
            {note}
          </span>
        ))}
      </Cell>
      <Cell isExtra>
        <RecentStrip recent={alert.recent} />
      </Cell>
      <Cell isExtra>
        <b>{value}</b>
        <span className={styles.stateNote}>{thresholdSign(alert)}</span>
      </Cell>
      <Cell isExtra>
        <span className={styles.rowTags}>
          {(alert.tags ?? []).map((name) => (
            <button
              key={name}
              type="button"
              className={styles.tag}
              aria-label={`Only the tag ${name}`}
              onClick={() => onTag(name)}
            >
              {name}
            </button>
          ))}
        </span>
      </Cell>
      <RowActions alert={alert} isSilencing={isSilencing} onDo={onDo} />
    </tr>
  );
}
