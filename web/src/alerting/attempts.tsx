import type { Delivery } from '../api/queries/alerts.ts';
import { formatCount } from '../view/number-format.ts';
import { formatTime } from '../view/zone.ts';
import styles from './deliveries.module.css';

/** Every request of a delivery, with the answer of the receiver. */
export function Attempts({ delivery, zone }: { delivery: Delivery; zone: string }) {
  const { attempts, nextAttemptAt, eventId } = delivery;
  return (
    <div className={styles.attempts}>
      {attempts.length === 0 && <p className={styles.quiet}>{noAttemptText(delivery)}</p>}
      <ol className={styles.list}>
        {attempts.map(({ at, status, elapsedMs, body, error }, index) => (
          <li key={`${at}-${index}`}>
            <p>
              {formatTime(Date.parse(at), zone, 'ms')}:{' '}
              <b>{status === undefined ? 'no response' : `status ${status}`}</b> in{' '}
              {formatCount(Math.round(elapsedMs))} ms{error === undefined ? '' : `. ${error}`}
            </p>
            {body !== undefined && <pre className={styles.body}>{body}</pre>}
          </li>
        ))}
      </ol>
      {nextAttemptAt !== undefined && (
        <p className={styles.quiet}>
          Next attempt: {formatTime(Date.parse(nextAttemptAt), zone, 'second')}
        </p>
      )}
      <p className={styles.quiet}>
        Event <code>{eventId}</code>
      </p>
    </div>
  );
}

function noAttemptText({ attemptCount, error }: Delivery): string {
  return attemptCount === 0
    ? (error ?? 'No attempt yet.')
    : 'An earlier version of the server made the attempts and did not record the answers.';
}
