import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './pipe-new.module.css';

/** The way back, the title and what is done with the draft. */
export const Head = ({ children }: { children?: ReactNode }) => (
  <header className={styles.head}>
    <div>
      <Link to="/pipes" className={styles.back}>
        <ChevronLeft size={14} aria-hidden />
        Pipes
      </Link>
      <h1>New pipe</h1>
    </div>
    {children}
  </header>
);
