import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  look?: 'note' | 'warning';
  children: ReactNode;
}

/** A sentence that stands out from the page. */
export function Notice({ look = 'note', children }: NoticeProps) {
  const Icon = look === 'warning' ? TriangleAlert : Info;
  return (
    <div className={styles.notice} data-look={look}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
