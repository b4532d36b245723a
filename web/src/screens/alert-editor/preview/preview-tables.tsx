import type { ReactNode } from 'react';
import type { AlertPreview } from '../../../api/queries/alert-preview.ts';
import { StateMark } from '../../../alerting/state-mark.tsx';
import { groupText, notificationWords } from '../../../alerting/words.ts';
import { plural } from '../../../view/number-format.ts';
import { formatTime, zoneLabel } from '../../../view/zone.ts';
import styles from './preview.module.css';

type Notification = AlertPreview['notifications'][number];

interface PreviewTablesProps {
  answer: AlertPreview;
  zone: string;
  format(value: number): string;
}

const notificationsMax = 100;

/** The notifications that the alert would have sent, and the windows, both newest first. */
export function PreviewTables({ answer, zone, format }: PreviewTablesProps) {
  const { windows, notifications } = answer;
  const time = (iso: string): string => formatTime(Date.parse(iso), zone, 'minute');
  const valueText = (value: number | null): string => (value === null ? 'No data' : format(value));
  const until = `Window until (${zoneLabel(zone)})`;
  return (
    <>
      {notifications.length > 0 && (
        <FoldedTable
          summary={plural(notifications.length, 'notification')}
          columns={[until, 'Notification', 'Value']}
          rows={notifications
            .toReversed()
            .slice(0, notificationsMax)
            .map((one) => [
              time(one.windowEnd),
              <NotificationText key="text" notification={one} />,
              valueText(one.value),
            ])}
        />
      )}
      <FoldedTable
        summary="Windows as table"
        columns={[until, 'State', 'Value']}
        rows={windows
          .toReversed()
          .map(({ windowEnd, state, value }) => [
            time(windowEnd),
            <StateMark key="state" state={state} />,
            valueText(value),
          ])}
      />
    </>
  );
}

function NotificationText({ notification }: { notification: Notification }) {
  const { state, reason, group } = notification;
  const words = (notificationWords as Record<string, string>)[reason] ?? reason;
  return (
    <>
      {state === 'firing' ? '●' : '○'} {words}
      {group.length > 0 && <span className={styles.group}>{groupText(group)}</span>}
    </>
  );
}

interface FoldedTableProps {
  summary: string;
  columns: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

/** A table that the person unfolds. */
function FoldedTable({ summary, columns, rows }: FoldedTableProps) {
  return (
    <details className={styles.folded}>
      <summary>{summary}</summary>
      <div className={styles.scroll} role="group" aria-label={summary} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={columns[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
