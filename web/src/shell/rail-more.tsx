import { useRouter } from '@tanstack/react-router';
import { CircleHelp, Command, Ellipsis } from 'lucide-react';
import { Menu, MenuItem, MenuSeparator } from '../kit/menu.tsx';
import { screens, type Screen } from './screens.ts';
import styles from './shell.module.css';

interface RailMoreProps {
  /** The screens that have a place in the bar. */
  shown: readonly Screen[];
  onPalette(): void;
  onHelp(): void;
}

/** What has no place in the bar of a small screen. */
export function RailMore({ shown, onPalette, onHelp }: RailMoreProps) {
  const router = useRouter();
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className={styles.screen}>
          <Ellipsis size={18} aria-hidden />
          <span className={styles.screenLabel}>More</span>
        </button>
      }
    >
      {screens
        .filter((screen) => !shown.includes(screen))
        .map(({ to, label, icon: Icon }) => (
          <MenuItem
            key={to}
            icon={<Icon size={16} aria-hidden />}
            onSelect={() => void router.navigate({ to })}
          >
            {label}
          </MenuItem>
        ))}
      <MenuSeparator />
      <MenuItem icon={<Command size={16} aria-hidden />} onSelect={onPalette}>
        Commands
      </MenuItem>
      <MenuItem icon={<CircleHelp size={16} aria-hidden />} onSelect={onHelp}>
        Keyboard shortcuts
      </MenuItem>
    </Menu>
  );
}
