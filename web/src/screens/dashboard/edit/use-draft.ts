import { useCallback, useMemo } from 'react';
import type {
  Dashboard,
  DashboardInput,
  Tile,
  VersionedDashboard,
} from '../../../api/queries/dashboards.ts';
import { settled } from '../../../tiles/model/layout.ts';
import { usePref } from '../../../view/use-pref.ts';

/** A dashboard as the person has changed it. New tiles have ids of this page. */
export type DraftDashboard = Pick<
  Dashboard,
  'name' | 'tags' | 'tiles' | 'filters' | 'savedQuery' | 'savedQueryLanguage'
>;

interface StoredDraft {
  /** Version that the draft was made from. */
  version: string;
  base: DraftDashboard;
  dashboard: DraftDashboard;
}

export interface Draft {
  dashboard: DraftDashboard;
  /** What it was made from. */
  base: DraftDashboard;
  /** Version that the draft was made from. */
  version: string;
  isChanged: boolean;
  change(to: (before: DraftDashboard) => DraftDashboard): void;
  changeTiles(to: (before: Tile[]) => Tile[]): void;
  discard(): void;
}

const newId = /^new-/;

/** The draft of a dashboard, kept by the browser at each change. */
export function useDraft(id: string, { item, version }: VersionedDashboard): Draft {
  const [drafts, setDrafts] = usePref('dashboardDrafts');
  const stored = storedDraft(drafts[id]);
  const original = useMemo(() => draftOf(item), [item]);
  const dashboard = stored?.dashboard ?? original;
  const base = stored?.base ?? original;
  const madeFrom = stored?.version ?? version;
  const change = useCallback(
    (to: (before: DraftDashboard) => DraftDashboard) => {
      const entry: StoredDraft = { version: madeFrom, base, dashboard: to(dashboard) };
      setDrafts({ ...drafts, [id]: entry });
    },
    [base, madeFrom, dashboard, drafts, id, setDrafts],
  );
  const discard = useCallback(() => {
    const { [id]: _, ...others } = drafts;
    setDrafts(others);
  }, [drafts, id, setDrafts]);
  return {
    dashboard,
    base,
    version: madeFrom,
    isChanged: stored !== undefined && JSON.stringify(stored.dashboard) !== JSON.stringify(base),
    change,
    changeTiles: (to) => change((before) => ({ ...before, tiles: to(before.tiles) })),
    discard,
  };
}

/** What the browser kept may be of an older build: only what has the shape counts. */
function storedDraft(value: unknown): StoredDraft | undefined {
  const draft = value as Partial<StoredDraft> | undefined;
  const isWhole =
    typeof draft?.version === 'string' &&
    typeof draft.dashboard?.name === 'string' &&
    Array.isArray(draft.base?.tiles) &&
    Array.isArray(draft.dashboard.tiles) &&
    Array.isArray(draft.dashboard.filters);
  return isWhole ? (draft as StoredDraft) : undefined;
}

/** What of a dashboard a person can change; tiles where they are shown. */
export const draftOf = (item: Dashboard): DraftDashboard => ({
  name: item.name,
  tags: item.tags,
  tiles: settled(item.tiles),
  filters: item.filters,
  savedQuery: item.savedQuery,
  savedQueryLanguage: item.savedQueryLanguage,
});

/** The draft as the API takes it: new tiles get their ids from the server. */
export function bodyOf(draft: DraftDashboard): DashboardInput {
  return {
    ...draft,
    tiles: draft.tiles
      .toSorted((a, b) => a.y - b.y || a.x - b.x)
      .map(({ id, ...tile }) => (newId.test(id) ? tile : { id, ...tile })),
  };
}

let made = 0;
export const freshId = (): string => `new-${Date.now().toString(36)}-${made++}`;
