import { Link, useRouter } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { Level, Problem, ProblemLink } from './problem.ts';
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
                    <PageLink key={link.path} {...link} />
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

/** A link to the page of an object, if the interface has such a page. */
function PageLink({ path, search, label }: ProblemLink) {
  const { routesByPath } = useRouter();
  const isKnown = path in routesByPath || path.replace(/[^/]+$/, '$id') in routesByPath;
  return isKnown ? (
    <Link to={path} search={search ?? {}}>
      {label}
    </Link>
  ) : null;
}
