import { Link } from '@tanstack/react-router';
import type { Alert } from '../../api/queries/alerts.ts';
import styles from './webhooks.module.css';

/** Alerts by name, as links. */
export function AlertLinks({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <ul className={styles.alerts}>
      {alerts.map(({ id, name }) => (
        <li key={id}>
          <AlertLink id={id}>{name ?? 'Alert without a name'}</AlertLink>
        </li>
      ))}
    </ul>
  );
}

interface AlertLinkProps {
  id: string;
  children: string;
}

export function AlertLink({ id, children }: AlertLinkProps) {
  return (
    <Link to="/alerts/$id" params={{ id }} className={styles.inText}>
      {children}
    </Link>
  );
}
