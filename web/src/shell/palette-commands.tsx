import {
  Clock,
  FilePlus,
  Globe,
  Keyboard,
  ListChecks,
  Moon,
  Rows3,
  Settings,
  Sun,
} from 'lucide-react';
import type { Command } from '../kit/command-list.tsx';
import { readPref, writePref } from '../view/prefs.ts';
import { otherRecentPages } from '../view/recent.ts';
import { localZone, zoneLabel, zones } from '../view/zone.ts';
import { creations, screens, settingsPages, type Target } from './screens.ts';

export interface Actions {
  /** Opens a page, with a search if the page has one. */
  go(to: Target, search?: object): void;
  /** Opens a path of the interface. */
  open(href: string): void;
  zones(): void;
  help(): void;
}

/** Pages of objects that the palette offers before anything is typed. */
const recentMax = 5;

/** The commands of the palette. Each closes it first. */
export function rootCommands(actions: Actions, scopes: readonly string[]): Command[] {
  return [
    ...recentCommands(actions),
    ...goCommands(actions),
    ...createCommands(actions, scopes),
    ...settingCommands(actions),
    {
      id: 'help',
      group: 'Help',
      label: 'Keyboard shortcuts',
      icon: <Keyboard size={14} aria-hidden />,
      shortcut: '?',
      run: actions.help,
    },
  ];
}

function recentCommands({ open }: Actions): Command[] {
  return otherRecentPages()
    .slice(0, recentMax)
    .map(({ href, title }) => ({
      id: `recent-${href}`,
      group: 'Recent',
      label: title,
      icon: <Clock size={14} aria-hidden />,
      run: () => open(href),
    }));
}

function goCommands({ go }: Actions): Command[] {
  const toScreens = screens.map(({ to, label, words = '', icon: Icon, letter }) => ({
    id: `go-${to}`,
    group: 'Go to',
    label,
    words,
    icon: <Icon size={14} aria-hidden />,
    shortcut: `g ${letter}`,
    run: () => go(to),
  }));
  const toSettings = settingsPages
    .flatMap(({ pages }) => pages)
    .filter(({ to }) => screens.every((screen) => screen.to !== to))
    .map(({ to, label }) => ({
      id: `settings-${to}`,
      group: 'Go to',
      label,
      hint: 'Settings',
      words: 'settings',
      icon: <Settings size={14} aria-hidden />,
      run: () => go(to),
    }));
  const firstSteps = {
    id: 'go-/welcome',
    group: 'Go to',
    label: 'First steps',
    words: 'welcome snippets demo shop',
    icon: <ListChecks size={14} aria-hidden />,
    run: () => go('/welcome'),
  };
  return [...toScreens, ...toSettings, firstSteps];
}

function createCommands({ go }: Actions, scopes: readonly string[]): Command[] {
  return creations
    .filter(({ scope }) => scope === undefined || scopes.includes(scope))
    .map(({ to, search, label }) => ({
      id: `create-${label}`,
      group: 'Create',
      label,
      words: 'new add',
      icon: <FilePlus size={14} aria-hidden />,
      run: () => go(to, search),
    }));
}

function settingCommands({ zones }: Actions): Command[] {
  const theme = (name: 'system' | 'light' | 'dark', label: string) => ({
    id: `theme-${name}`,
    group: 'Settings',
    label: `Theme: ${label}`,
    words: 'appearance colour',
    icon: name === 'light' ? <Sun size={14} aria-hidden /> : <Moon size={14} aria-hidden />,
    isCurrent: readPref('theme') === name,
    run: () => writePref('theme', name),
  });
  const density = (name: 'compact' | 'normal' | 'roomy') => ({
    id: `density-${name}`,
    group: 'Settings',
    label: `Row height: ${name}`,
    words: 'density',
    icon: <Rows3 size={14} aria-hidden />,
    isCurrent: readPref('density') === name,
    run: () => writePref('density', name),
  });
  return [
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
  ];
}

/** The time zones, as commands that choose one. */
export function zoneCommands(): Command[] {
  const current = readPref('zone');
  const command = (zone: string, label: string, hint: string): Command => ({
    id: zone,
    label,
    words: `${zone} ${label}`.replaceAll(/[_/]/g, ' '),
    hint,
    isCurrent: zone === current,
    run: () => writePref('zone', zone),
  });
  return [
    command('local', `This browser: ${localZone()}`, zoneLabel(localZone())),
    command('UTC', 'UTC', ''),
    ...zones().map(({ zone, title }) => command(zone, title, zoneLabel(zone))),
  ];
}
