import { onPrefs, readPref } from './prefs.ts';

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
