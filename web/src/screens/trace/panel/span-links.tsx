import { Link } from '@tanstack/react-router';
import type { SpanLink } from '../model/span-row.ts';
import { PlainAttributes } from './span-events.tsx';
import panel from '../../../kit/panel.module.css';
import styles from './panel.module.css';

/** Spans of other traces that the span is linked with. */
export function SpanLinks({ links }: { links: readonly SpanLink[] }) {
  if (links.length === 0) {
    return <p className={panel.nothing}>The span has no links.</p>;
  }
  return (
    <ol className={styles.events} aria-label="Links">
      {links.map(({ traceId, spanId, attributes }, index) => (
        <li key={index} className={styles.event}>
          <p className={styles.link}>
            <Link to="/traces/$traceId" params={{ traceId }} search={{ span: spanId }}>
              Trace {traceId}
            </Link>
            <span>span {spanId}</span>
          </p>
          <PlainAttributes attributes={attributes} />
        </li>
      ))}
    </ol>
  );
}
