import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { Level, Problem } from './problem.ts';
import styles from './health.module.css';

const marks = {
  error: { icon: CircleAlert, word: 'Error' },
  warning: { icon: TriangleAlert, word: 'Warning' },
  note: { icon: Info, word: 'Note' },
} as const satisfies Record<Level, object>;

/** What is wrong, the worst first. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  return (
    <ol className={styles.problems} aria-label="Problems, the worst first">
      {problems.map(({ key, level, title, text, links = [] }) => {
        const { icon: Icon, word } = marks[level];
        return (
          <li key={key} className={styles.problem} data-level={level}>
            <span className={styles.level}>
              <Icon size={16} aria-hidden />
              {word}
            </span>
            <div className={styles.problemText}>
              <p className={styles.problemTitle}>{title}</p>
              <p className={styles.advice}>{text}</p>
              {links.length > 0 && (
                <p className={styles.links}>
                  {links.map((link) => (
                    <Link key={link.path} to={link.path} search={link.search ?? {}}>
                      {link.label}
                    </Link>
                  ))}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

export function AllWell() {
  return (
    <p className={styles.allWell}>
      <CircleCheck size={20} aria-hidden />
      Nothing is wrong.
    </p>
  );
}
