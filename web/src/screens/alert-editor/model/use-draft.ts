import { useCallback, useState } from 'react';
import { readPref, writePref } from '../../../view/prefs.ts';
import { usePref } from '../../../view/use-pref.ts';
import { newDraft, type AlertDraft } from './draft.ts';

interface StoredDraft {
  /** Version that the draft was made from; empty: a new alert. */
  version: string;
  base: AlertDraft;
  draft: AlertDraft;
}

export interface DraftState {
  draft: AlertDraft;
  /** What it was made from. */
  base: AlertDraft;
  version: string;
  isChanged: boolean;
  /** It is of an earlier visit. */
  isRestored: boolean;
  change(part: Partial<AlertDraft>): void;
  discard(): void;
}

const draftsMax = 20;

/**
 * The draft of an alert, kept by the browser at each change. It holds no secret: webhooks are named
 * by id.
 */
export function useDraft(key: string, original: AlertDraft, version: string): DraftState {
  const [drafts] = usePref('alertDrafts');
  const stored = storedDraft(drafts[key]);
  const [isRestored, setRestored] = useState(stored !== undefined);
  const base = stored?.base ?? original;
  const draft = stored?.draft ?? original;
  const madeFrom = stored?.version ?? version;
  const change = useCallback(
    (part: Partial<AlertDraft>) => {
      const { [key]: before, ...others } = readPref('alertDrafts');
      const now = storedDraft(before)?.draft ?? base;
      const entry: StoredDraft = { version: madeFrom, base, draft: { ...now, ...part } };
      const kept = Object.entries(others).slice(1 - draftsMax);
      writePref('alertDrafts', { ...Object.fromEntries(kept), [key]: entry });
    },
    [base, key, madeFrom],
  );
  const discard = useCallback(() => {
    const { [key]: _, ...others } = readPref('alertDrafts');
    setRestored(false);
    writePref('alertDrafts', others);
  }, [key]);
  return {
    draft,
    base,
    version: madeFrom,
    isChanged: JSON.stringify(draft) !== JSON.stringify(base),
    isRestored,
    change,
    discard,
  };
}

/** What the browser kept may be of an older build: only what has the shape counts. */
function storedDraft(value: unknown): StoredDraft | undefined {
  const stored = value as Partial<StoredDraft> | undefined;
  const isWhole =
    typeof stored?.version === 'string' && isDraft(stored.base) && isDraft(stored.draft);
  return isWhole ? (stored as StoredDraft) : undefined;
}

const optional = new Set(['savedSearchId', 'dashboardId', 'tileId']);
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function isDraft(value: unknown): value is AlertDraft {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const given = value as Record<string, unknown>;
  return Object.entries(newDraft).every(
    ([name, sample]) => optional.has(name) || kindOf(given[name]) === kindOf(sample),
  );
}
