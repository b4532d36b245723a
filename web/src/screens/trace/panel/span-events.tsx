import { formatDuration } from '../../../view/number-format.ts';
import type { Attribute, SpanEvent } from '../model/span-row.ts';
import panel from '../../../kit/panel.module.css';
import styles from './panel.module.css';

/** Events of a span, with their time after the start of the trace. */
export function SpanEvents({ events }: { events: readonly SpanEvent[] }) {
  if (events.length === 0) {
    return <p className={panel.nothing}>The span has no events.</p>;
  }
  return (
    <ol className={styles.events} aria-label="Events">
      {events.map(({ name, atNanos, attributes }, index) => (
        <li key={index} className={styles.event}>
          <p className={styles.eventHead}>
            <b>{name === '' ? '(no name)' : name}</b>
            {atNanos !== undefined && <span>+{formatDuration(atNanos)}</span>}
          </p>
          <PlainAttributes attributes={attributes} />
        </li>
      ))}
    </ol>
  );
}

export function PlainAttributes({ attributes }: { attributes: readonly Attribute[] }) {
  return (
    attributes.length > 0 && (
      <dl>
        {attributes.map(({ name, value }) => (
          <div key={name} className={panel.value}>
            <dt>{name}</dt>
            <dd>{value === '' ? <span className={panel.empty}>(empty)</span> : value}</dd>
          </div>
        ))}
      </dl>
    )
  );
}
