import { useCallback, useSyncExternalStore } from 'react';
import { onPrefs, readPref, writePref, type Prefs } from './prefs.ts';

/** A preference and its setter. Every component that uses it shows a change at once. */
export function usePref<N extends keyof Prefs>(
  name: N,
): [value: Prefs[N], set: (value: Prefs[N]) => void] {
  const value = useSyncExternalStore(onPrefs, () => readPref(name));
  const set = useCallback((next: Prefs[N]) => writePref(name, next), [name]);
  return [value, set];
}
