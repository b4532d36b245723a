import { Link } from '@tanstack/react-router';
import type { ServicesParams } from './params.ts';
import styles from './services.module.css';

const views = [
  { view: undefined, label: 'List' },
  { view: 'map', label: 'Map' },
] as const;

/** The two views of all services. */
export function ViewTabs() {
  return (
    <nav className={styles.views} aria-label="Views of services">
      {views.map(({ view, label }) => (
        <Link
          key={label}
          to="/services"
          // Everything else stays, so that only the link of the present view is the present one.
          search={(before: Omit<ServicesParams, 'view'>) => ({ ...before, view })}
          className={styles.view}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
