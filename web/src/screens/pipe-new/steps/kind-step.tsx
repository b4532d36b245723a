import { Link } from '@tanstack/react-router';
import { Database, FolderOpen, Logs, Waves, type LucideIcon } from 'lucide-react';
import { kindWords, type PipeKind } from '../../../pipes/kinds.ts';
import { usePref } from '../../../view/use-pref.ts';
import { Head } from '../head.tsx';
import { kindOrder, kinds } from '../model/kinds/kinds.ts';
import { Progress } from '../progress.tsx';
import styles from '../pipe-new.module.css';

const icons: Record<PipeKind, LucideIcon> = {
  objectStorage: FolderOpen,
  kafka: Logs,
  cloudstream: Waves,
  postgres: Database,
};

/** Where the pipe reads. */
export function KindStep({ kind }: { kind: PipeKind | undefined }) {
  const [drafts] = usePref('pipeDrafts');
  return (
    <div className={styles.page}>
      <Head />
      <Progress kind={kind} step={undefined} last={undefined} />
      <div className={styles.scroll}>
        <h2>Where does the pipe read?</h2>
        <ul className={styles.kinds}>
          {kindOrder.map((one) => {
            const Icon = icons[one];
            return (
              <li key={one}>
                <Link
                  to="/pipes/new"
                  search={{ kind: one, step: 'connection' }}
                  className={styles.kind}
                >
                  <Icon size={20} aria-hidden />
                  <span className={styles.kindText}>
                    <b>{kindWords[one]}</b>
                    <span className={styles.quiet}>{kinds[one].about}</span>
                    {drafts[one] !== undefined && (
                      <span className={styles.badge}>Your draft is kept here</span>
                    )}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
