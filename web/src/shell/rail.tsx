import { Link, useLocation } from '@tanstack/react-router';
import { CircleHelp, Command } from 'lucide-react';
import { IconButton } from '../kit/button.tsx';
import { classNames } from '../kit/class-names.ts';
import { Tooltip } from '../kit/tooltip.tsx';
import { Mark } from './mark.tsx';
import { PersonMenu } from './person-menu.tsx';
import { RailMore } from './rail-more.tsx';
import { barScreens, screens } from './screens.ts';
import styles from './shell.module.css';

interface RailProps {
  onPalette(): void;
  onHelp(): void;
}

/** The list of screens: on the left, or below on small screens. */
export function Rail({ onPalette, onHelp }: RailProps) {
  const inBar = barScreens(useLocation({ select: ({ pathname }) => pathname }));
  return (
    <nav className={styles.rail} aria-label="Screens">
      <Link to="/" className={styles.mark} aria-label="Sightline, home">
        <Mark />
      </Link>
      <ul className={styles.screens}>
        {screens.map((screen) => {
          const { to, label, icon: Icon, letter } = screen;
          return (
            <li key={to} className={classNames(!inBar.includes(screen) && styles.onlyInRail)}>
              <Tooltip text={label} shortcut={`g ${letter}`} side="right">
                <Link to={to} className={styles.screen} activeOptions={{ includeSearch: false }}>
                  <Icon size={18} aria-hidden />
                  <span className={styles.screenLabel}>{label}</span>
                </Link>
              </Tooltip>
            </li>
          );
        })}
        <li className={styles.onlyInBar}>
          <RailMore shown={inBar} onPalette={onPalette} onHelp={onHelp} />
        </li>
      </ul>
      <div className={styles.railFoot}>
        <div className={styles.onlyInRail}>
          <IconButton label="Commands" shortcut="mod+k" tooltipSide="right" onClick={onPalette}>
            <Command size={18} aria-hidden />
          </IconButton>
          <IconButton label="Keyboard shortcuts" shortcut="?" tooltipSide="right" onClick={onHelp}>
            <CircleHelp size={18} aria-hidden />
          </IconButton>
        </div>
        <PersonMenu />
      </div>
    </nav>
  );
}
