import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './webhooks.module.css';

interface PageHeadProps {
  title: string;
  about?: string;
  action?: ReactNode;
}

/** Title of one webhook, with the way back to all. */
export function PageHead({ title, about, action }: PageHeadProps) {
  return (
    // A form of two columns: the page may be wider than a list.
    <header className={styles.head} data-wide-page>
      <div className={styles.headText}>
        <Link to="/settings/webhooks" className={styles.back}>
          <ChevronLeft size={14} aria-hidden />
          Webhooks
        </Link>
        <h1 title={title}>{title}</h1>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      {action}
    </header>
  );
}
