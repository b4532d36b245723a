import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleUser, Globe, Keyboard, LogOut } from 'lucide-react';
import { sessionQuery, signOut } from '../api/queries/session.ts';
import { IconButton } from '../kit/button.tsx';
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from '../kit/menu.tsx';
import { toast } from '../kit/toast.tsx';
import type { Prefs } from '../view/prefs.ts';
import { usePref } from '../view/use-pref.ts';
import { zoneLabel, zoneName } from '../view/zone.ts';

const themes: readonly { value: Prefs['theme']; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const densities: readonly { value: Prefs['density']; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'roomy', label: 'Roomy' },
];

/** The person, and how the interface looks for them on this browser. */
export function PersonMenu({ onZones }: { onZones(): void }) {
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const [theme, setTheme] = usePref('theme');
  const [density, setDensity] = usePref('density');
  const [zone] = usePref('zone');
  const [letterKeys, setLetterKeys] = usePref('letterKeys');

  const leave = async (): Promise<void> => {
    try {
      await signOut();
      await router.navigate({ to: '/sign-in' });
    } catch (error) {
      toast(error instanceof Error ? error.message : 'Sign-out failed.', 'error');
    }
  };
  return (
    <Menu
      side="right"
      align="end"
      trigger={
        <IconButton label="You and your settings">
          <CircleUser size={18} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{session?.user.email}</MenuLabel>
      <MenuSeparator />
      <MenuChoices label="Theme" value={theme} choices={themes} onChange={setTheme} />
      <MenuSeparator />
      <MenuChoices label="Row height" value={density} choices={densities} onChange={setDensity} />
      <MenuSeparator />
      <MenuItem icon={<Globe size={14} aria-hidden />} onSelect={onZones}>
        Time zone: {zone === 'local' ? zoneLabel(zoneName(zone)) : zone}
      </MenuItem>
      <MenuItem
        icon={<Keyboard size={14} aria-hidden />}
        onSelect={() => setLetterKeys(!letterKeys)}
      >
        Turn {letterKeys ? 'off' : 'on'} single-letter shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} aria-hidden />} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
