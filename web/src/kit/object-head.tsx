import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './object-head.module.css';

interface ObjectHeadProps {
  /** The list that the object is in; absent: no way there. */
  back?: { to: string; label: string } | undefined;
  name: string;
  /** State of the object, beside its name. */
  marks?: ReactNode;
  className?: string | undefined;
  /** What can be done. */
  children: ReactNode;
}

/** The head of the page of one object: its name and state, the way back and the tools. */
export function ObjectHead({ back, name, marks, className, children }: ObjectHeadProps) {
  return (
    <header className={classNames(styles.head, className)}>
      <div className={styles.title} data-alone={marks === undefined ? '' : undefined}>
        {back && (
          <Link to={back.to} className={styles.back} aria-label={back.label}>
            <ChevronLeft size={16} aria-hidden />
          </Link>
        )}
        <h1 title={name}>{name}</h1>
        {marks}
      </div>
      <div className={styles.tools}>{children}</div>
    </header>
  );
}
