import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleUser, KeyRound, ListChecks, LogOut, Settings } from 'lucide-react';
import { sessionQuery, signOut } from '../api/queries/session.ts';
import { IconButton } from '../kit/button.tsx';
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from '../kit/menu.tsx';
import { toast } from '../kit/toast.tsx';
import { themes } from '../view/theme.ts';
import { usePref } from '../view/use-pref.ts';

/** The person, and the pages that are theirs. */
export function PersonMenu() {
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const [theme, setTheme] = usePref('theme');
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
        <IconButton label="You and your settings" tooltipSide="right">
          <CircleUser size={18} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{session?.user.email}</MenuLabel>
      <MenuItem
        icon={<Settings size={14} aria-hidden />}
        onSelect={() => void router.navigate({ to: '/settings' })}
      >
        Preferences
      </MenuItem>
      <MenuItem
        icon={<KeyRound size={14} aria-hidden />}
        onSelect={() => void router.navigate({ to: '/settings/sessions' })}
      >
        Password and sessions
      </MenuItem>
      <MenuItem
        icon={<ListChecks size={14} aria-hidden />}
        onSelect={() => void router.navigate({ to: '/welcome' })}
      >
        First steps
      </MenuItem>
      <MenuSeparator />
      <MenuChoices label="Theme" value={theme} choices={themes} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} aria-hidden />} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
