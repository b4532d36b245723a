import { onPrefs, readPref, type Prefs } from './prefs.ts';

export const themes: readonly { value: Prefs['theme']; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** Keeps the document's theme and density in step with the preferences and the system. */
export function followTheme(): void {
  dark().addEventListener('change', apply);
  onPrefs(apply);
  apply();
}

function apply(): void {
  const theme = readPref('theme');
  const isDark = theme === 'dark' || (theme === 'system' && dark().matches);
  const { dataset } = document.documentElement;
  dataset['theme'] = isDark ? 'dark' : 'light';
  dataset['density'] = readPref('density');
}
