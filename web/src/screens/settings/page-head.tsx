import type { ReactNode } from 'react';
import { useTitle } from '../../view/use-title.ts';
import styles from './settings.module.css';

interface PageHeadProps {
  title: string;
  /** What the page is for, in a sentence. */
  about: ReactNode;
  /** The main button of the page. */
  action?: ReactNode;
}

export function PageHead({ title, about, action }: PageHeadProps) {
  useTitle(title);
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <h1>{title}</h1>
        <p className={styles.about}>{about}</p>
      </div>
      {action}
    </header>
  );
}
