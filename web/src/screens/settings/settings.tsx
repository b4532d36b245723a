import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { settingsPages } from '../../shell/screens.ts';
import styles from './settings.module.css';

/** What stands around every page of settings. */
export function Settings() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // On a phone the pages stand in one line, which is longer than the screen.
    const active = nav.current?.querySelector('[data-status="active"]');
    active?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <div className={styles.settings}>
      <nav ref={nav} className={styles.nav} aria-label="Settings">
        {settingsPages.map(({ title, pages }) => (
          <div key={title} className={styles.group}>
            <h2 className={styles.groupTitle}>{title}</h2>
            <ul className={styles.links}>
              {pages.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link}
                    activeOptions={{ exact: to === '/settings', includeSearch: false }}
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
