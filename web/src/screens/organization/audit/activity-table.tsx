import type { Activity } from '../../../api/queries/organization.ts';
import { Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { Time } from '../../../kit/time.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import type { AuditParams } from '../params.ts';
import { actorText, objectText, outcomeText } from './model.ts';
import styles from '../organization.module.css';

interface ActivityTableProps {
  activities: readonly Activity[];
  onAsk(changes: Partial<AuditParams>): void;
}

/** Entries of the audit trail. A value narrows the list to itself. */
export function ActivityTable({ activities, onAsk }: ActivityTableProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  return (
    <ListTable
      label="Audit trail"
      columns={[
        { label: 'Operation' },
        { label: `Time (${zoneLabel(zone)})`, isExtra: true },
        { label: 'Actor', isExtra: true },
        { label: 'Object', isExtra: true },
        { label: 'Outcome', isExtra: true },
        { label: 'Address', isExtra: true },
      ]}
    >
      {activities.map((activity) => (
        <ActivityRow key={activity.id} activity={activity} zone={zone} onAsk={onAsk} />
      ))}
    </ListTable>
  );
}

interface ActivityRowProps {
  activity: Activity;
  zone: string;
  onAsk: ActivityTableProps['onAsk'];
}

function ActivityRow({ activity, zone, onAsk }: ActivityRowProps) {
  const { createdAt, actor, operation, object, outcome, requestId, address } = activity;
  const ms = Date.parse(createdAt);
  const time = formatTime(ms, zone, 'second');
  const { id: actorId } = actor;
  return (
    <tr className={styles.row}>
      <TitleCell
        title={operation}
        note={requestId !== undefined && <code title="Request id">{requestId}</code>}
        smallNote={`${time}, ${actorText(activity)}, ${outcomeText(activity)}`}
      />
      <Cell isExtra>
        <Time ms={ms}>{time}</Time>
      </Cell>
      <Cell isExtra>
        <Value
          text={actorText(activity)}
          onOnly={actorId === undefined ? undefined : () => onAsk({ actorId })}
        />
      </Cell>
      <Cell isExtra>
        <Value
          text={objectText(activity)}
          onOnly={() => onAsk({ object: object.kind, objectId: object.id })}
        />
      </Cell>
      <Cell isExtra>
        <span className={outcome === 'success' ? undefined : styles.bad}>
          {outcomeText(activity)}
        </span>
      </Cell>
      <Cell isExtra>
        <span className={styles.cut}>{address}</span>
      </Cell>
    </tr>
  );
}

interface ValueProps {
  text: string;
  /** Absent: there is no id to ask for. */
  onOnly: (() => void) | undefined;
}

function Value({ text, onOnly }: ValueProps) {
  return onOnly ? (
    <button
      type="button"
      className={styles.value}
      title={text}
      aria-label={`Only ${text}`}
      onClick={onOnly}
    >
      {text}
    </button>
  ) : (
    <span className={styles.cut}>{text}</span>
  );
}
