import { useRouter } from '@tanstack/react-router';
import { Globe, Keyboard, Moon, Rows3, Sun } from 'lucide-react';
import { CommandList, type Command } from '../kit/command-list.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { readPref, writePref } from '../view/prefs.ts';
import { localZone, zoneLabel } from '../view/zone.ts';
import { screens } from './screens.ts';

type Page = 'closed' | 'commands' | 'zones';

interface PaletteProps {
  page: Page;
  onPage(page: Page): void;
  onHelp(): void;
}

/** Everything by typing a few letters of it. */
export function Palette({ page, onPage, onHelp }: PaletteProps) {
  const router = useRouter();
  const close = (): void => onPage('closed');
  const isZones = page === 'zones';
  const commands = isZones
    ? zoneCommands(close)
    : rootCommands({
        go: (to) => void router.navigate({ to }),
        close,
        zones: () => onPage('zones'),
        help: onHelp,
      });
  const label = isZones ? 'Time zone' : 'Commands';
  return (
    <Dialog
      title={label}
      look="top"
      open={page !== 'closed'}
      onOpenChange={(open) => onPage(open ? 'commands' : 'closed')}
    >
      <CommandList
        key={page}
        label={label}
        commands={commands}
        startAtCurrent={isZones}
        placeholder={isZones ? 'Find a time zone' : 'Go to a screen or change a setting'}
      />
    </Dialog>
  );
}

interface Actions {
  go(to: (typeof screens)[number]['to']): void;
  close(): void;
  zones(): void;
  help(): void;
}

function rootCommands({ go, close, zones, help }: Actions): Command[] {
  const then = (action: () => void) => () => {
    close();
    action();
  };
  const goTo = screens.map(({ to, label, icon: Icon, letter }) => ({
    id: `go-${to}`,
    group: 'Go to',
    label,
    icon: <Icon size={14} aria-hidden />,
    shortcut: `g ${letter}`,
    run: then(() => go(to)),
  }));
  const theme = (name: 'system' | 'light' | 'dark', label: string) => ({
    id: `theme-${name}`,
    group: 'Settings',
    label: `Theme: ${label}`,
    words: 'appearance colour',
    icon: name === 'light' ? <Sun size={14} aria-hidden /> : <Moon size={14} aria-hidden />,
    isCurrent: readPref('theme') === name,
    run: then(() => writePref('theme', name)),
  });
  const density = (name: 'compact' | 'normal' | 'roomy') => ({
    id: `density-${name}`,
    group: 'Settings',
    label: `Row height: ${name}`,
    words: 'density',
    icon: <Rows3 size={14} aria-hidden />,
    isCurrent: readPref('density') === name,
    run: then(() => writePref('density', name)),
  });
  return [
    ...goTo,
    theme('system', 'as the system'),
    theme('light', 'light'),
    theme('dark', 'dark'),
    density('compact'),
    density('normal'),
    density('roomy'),
    {
      id: 'zone',
      group: 'Settings',
      label: 'Time zone…',
      icon: <Globe size={14} aria-hidden />,
      run: zones,
    },
    {
      id: 'help',
      group: 'Help',
      label: 'Keyboard shortcuts',
      icon: <Keyboard size={14} aria-hidden />,
      shortcut: '?',
      run: then(help),
    },
  ];
}

function zoneCommands(close: () => void): Command[] {
  const current = readPref('zone');
  const command = (zone: string, label: string, hint: string): Command => ({
    id: zone,
    label,
    words: zone.replaceAll(/[_/]/g, ' '),
    hint,
    isCurrent: zone === current,
    run: () => {
      writePref('zone', zone);
      close();
    },
  });
  const names = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC');
  return [
    command('local', `This browser: ${localZone()}`, zoneLabel(localZone())),
    command('UTC', 'UTC', ''),
    ...names.map((name) => command(name, name.replaceAll('_', ' '), zoneLabel(name))),
  ];
}
