/** A page that the person has opened. */
export interface RecentPage {
  /** Path with its parameters. */
  href: string;
  title: string;
}

/**
 * Everything that the browser keeps between visits. Never a credential: keys, sessions and secrets
 * stay in the cookie and on the server.
 */
export interface Prefs {
  theme: 'system' | 'light' | 'dark';
  density: 'compact' | 'normal' | 'roomy';
  /** `local`, `UTC` or an IANA name. */
  zone: string;
  /** Single-letter shortcuts (WCAG 2.1.4). */
  letterKeys: boolean;
  /** Columns of search tables, by source. */
  columns: Record<string, string[]>;
  /** Widths of columns in pixels, by column name. */
  columnWidths: Record<string, number>;
  /** Facets that stand first, by source. */
  pinnedFacets: Record<string, string[]>;
  /** Latest queries first, at most 100. */
  queryHistory: string[];
  /** Pages of objects that were opened, latest first. Emptied by a sign-out. */
  recentPages: RecentPage[];
  wrapRows: boolean;
  /** Attributes of a row as a tree of the parts of their names. */
  attributeTree: boolean;
  /** Where an open row is shown. */
  openRows: 'beside' | 'inline';
  showFacets: boolean;
  /** Dashboards that were changed and not saved, by id. */
  dashboardDrafts: Record<string, unknown>;
  /** Alerts that were changed and not saved, by id or by what a new one begins with. */
  alertDrafts: Record<string, unknown>;
  /** New pipes that were not created, by kind, without credentials. */
  pipeDrafts: Record<string, unknown>;
}

const defaults: Prefs = {
  theme: 'system',
  density: 'normal',
  zone: 'local',
  letterKeys: true,
  columns: {},
  columnWidths: {},
  pinnedFacets: {},
  queryHistory: [],
  recentPages: [],
  wrapRows: false,
  attributeTree: false,
  openRows: 'beside',
  showFacets: true,
  dashboardDrafts: {},
  alertDrafts: {},
  pipeDrafts: {},
};

type Name = keyof Prefs;

const cache = new Map<Name, unknown>();
const listeners = new Set<() => void>();

const storageName = (name: Name): string => `sightline.${name}`;

/** The stored value, or the default if none is stored or it has another type. */
export function readPref<N extends Name>(name: N): Prefs[N] {
  if (!cache.has(name)) {
    cache.set(name, stored(name));
  }
  return cache.get(name) as Prefs[N];
}

/** Stores the value. If the browser refuses, the value lasts until the page is closed. */
export function writePref<N extends Name>(name: N, value: Prefs[N]): void {
  cache.set(name, value);
  try {
    localStorage.setItem(storageName(name), JSON.stringify(value));
  } catch {
    // Storage is full or forbidden.
  }
  for (const listener of listeners) {
    listener();
  }
}

export function onPrefs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(name: Name): unknown {
  const fallback = defaults[name];
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageName(name)) ?? 'null');
    const isSame = value !== null && kindOf(value) === kindOf(fallback);
    return isSame ? value : fallback;
  } catch {
    return fallback;
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

// Another tab changed a preference.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', () => {
    cache.clear();
    for (const listener of listeners) {
      listener();
    }
  });
}
