import { useCallback, useState } from 'react';
import type { PipeKind } from '../../../pipes/kinds.ts';
import { readPref, writePref } from '../../../view/prefs.ts';
import { usePref } from '../../../view/use-pref.ts';
import { newDraft, type PipeDraft } from './draft.ts';
import { storedDraft } from './stored-draft.ts';

export interface DraftState {
  draft: PipeDraft;
  isChanged: boolean;
  /** It is of an earlier visit. */
  isRestored: boolean;
  change(part: (draft: PipeDraft) => Partial<PipeDraft>): void;
  discard(): void;
}

/** The new pipe of a kind, kept by the browser at each change. It holds no credential. */
export function useDraft(kind: PipeKind): DraftState {
  const [drafts] = usePref('pipeDrafts');
  const stored = storedDraft(drafts[kind]);
  const [isRestored, setRestored] = useState(stored !== undefined);
  const change = useCallback(
    (part: (draft: PipeDraft) => Partial<PipeDraft>) => {
      const others = readPref('pipeDrafts');
      const now = storedDraft(others[kind]) ?? newDraft(kind);
      writePref('pipeDrafts', { ...others, [kind]: { ...now, ...part(now) } });
    },
    [kind],
  );
  const discard = useCallback(() => {
    const { [kind]: _, ...others } = readPref('pipeDrafts');
    setRestored(false);
    writePref('pipeDrafts', others);
  }, [kind]);
  return {
    draft: stored ?? newDraft(kind),
    isChanged: stored !== undefined,
    isRestored,
    change,
    discard,
  };
}
