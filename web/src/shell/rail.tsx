import { Link } from '@tanstack/react-router';
import { CircleHelp, Command } from 'lucide-react';
import { IconButton } from '../kit/button.tsx';
import { Tooltip } from '../kit/tooltip.tsx';
import { Mark } from './mark.tsx';
import { PersonMenu } from './person-menu.tsx';
import { screens } from './screens.ts';
import styles from './shell.module.css';

interface RailProps {
  onPalette(): void;
  onHelp(): void;
}

/** The list of screens: on the left, or below on small screens. */
export function Rail({ onPalette, onHelp }: RailProps) {
  return (
    <nav className={styles.rail} aria-label="Screens">
      <Link to="/" className={styles.mark} aria-label="Sightline, home">
        <Mark />
      </Link>
      <ul className={styles.screens}>
        {screens.map(({ to, label, icon: Icon, letter }) => (
          <li key={to}>
            <Tooltip text={label} shortcut={`g ${letter}`} side="right">
              <Link to={to} className={styles.screen} activeOptions={{ includeSearch: false }}>
                <Icon size={18} aria-hidden />
                <span className={styles.screenLabel}>{label}</span>
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
      <div className={styles.railFoot}>
        <IconButton label="Commands" shortcut="mod+k" onClick={onPalette}>
          <Command size={18} aria-hidden />
        </IconButton>
        <IconButton label="Keyboard shortcuts" shortcut="?" onClick={onHelp}>
          <CircleHelp size={18} aria-hidden />
        </IconButton>
        <PersonMenu />
      </div>
    </nav>
  );
}
