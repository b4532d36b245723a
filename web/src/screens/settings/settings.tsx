import { Link, Outlet } from '@tanstack/react-router';
import styles from './settings.module.css';

const groups = [
  {
    title: 'You',
    pages: [
      { to: '/settings', label: 'Preferences' },
      { to: '/settings/keys', label: 'Access keys' },
      { to: '/settings/sessions', label: 'Sessions' },
    ],
  },
  {
    title: 'Team',
    pages: [
      { to: '/settings/team', label: 'Team' },
      { to: '/settings/members', label: 'Members' },
    ],
  },
] as const;

/** What stands around every page of settings. */
export function Settings() {
  return (
    <div className={styles.settings}>
      <nav className={styles.nav} aria-label="Settings">
        {groups.map(({ title, pages }) => (
          <div key={title} className={styles.group}>
            <h2 className={styles.groupTitle}>{title}</h2>
            <ul className={styles.links}>
              {pages.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link}
                    activeOptions={{ exact: true, includeSearch: false }}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={styles.scroll}>
        <div className={styles.page}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}
