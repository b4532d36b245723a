import { useCallback, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { useForm, type FormState } from '../../../kit/use-form.ts';
import { useLazy } from '../../../view/use-lazy.ts';
import { useTurn } from '../../../view/use-turn.ts';
import { atFields, isSame, type KeyDraft } from './key-draft.ts';

type Rules = typeof import('./key.form.ts');
const loadRules = (): Promise<Rules> => import('./key.form.ts');

export interface KeyForm {
  draft: KeyDraft;
  change(part: Partial<KeyDraft>): void;
  host: RefObject<HTMLDivElement | null>;
  form: FormState;
  /** Whether there is something to lose. */
  isChanged: boolean;
  isReady: boolean;
  isSaving: boolean;
  /** What no field says. */
  error: Error | undefined;
  /** Sends the draft if it has no mistake, and shows those that the server finds. */
  submit(send: () => Promise<void>): void;
}

export function useKeyForm(from: KeyDraft): KeyForm {
  const [first] = useState(from);
  const [draft, setDraft] = useState(first);
  const { isBusy: isSaving, take } = useTurn();
  const [error, setError] = useState<Error>();
  const host = useRef<HTMLDivElement>(null);
  const rules = useLazy(loadRules);
  const check = useCallback((value: KeyDraft) => rules?.keyIssues(value) ?? [], [rules]);
  const form = useForm(draft, rules && check, host);
  const submit = async (send: () => Promise<void>): Promise<void> => {
    if (!form.check()) {
      return;
    }
    setError(undefined);
    try {
      await send();
    } catch (failure) {
      const known = failure instanceof ApiError ? failure : new ApiError(0, undefined);
      form.refuse(atFields(draft, known.issues));
      setError(known.issues.length > 0 ? undefined : known);
    }
  };
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    host,
    form,
    isChanged: !isSame(first, draft),
    isReady: rules !== undefined,
    isSaving,
    error,
    submit: (send) => void take(() => submit(send)),
  };
}
