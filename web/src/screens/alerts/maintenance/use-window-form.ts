import { useMemo, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  createMaintenance,
  readMaintenance,
  updateMaintenance,
  type VersionedMaintenance,
} from '../../../api/queries/maintenance.ts';
import { toast } from '../../../kit/toast.tsx';
import { useForm, type FormState } from '../../../kit/use-form.ts';
import { useLazy } from '../../../view/use-lazy.ts';
import { useTurn } from '../../../view/use-turn.ts';
import { draftOf, inputOf, newDraft, type WindowDraft } from './draft.ts';

type Rules = typeof import('./maintenance.form.ts');
const loadRules = (): Promise<Rules> => import('./maintenance.form.ts');

export interface WindowForm {
  draft: WindowDraft;
  input: ReturnType<typeof inputOf>;
  change(part: Partial<WindowDraft>): void;
  /** Rules and the next times; absent while they are loaded. */
  rules: Rules | undefined;
  /** The element around the fields. */
  host: RefObject<HTMLDivElement | null>;
  form: FormState;
  /** What no field says. */
  error: Error | undefined;
  isSaving: boolean;
  /** The window as another person left it meanwhile. */
  theirs: VersionedMaintenance | undefined;
  keepEditing(): void;
  /** @param version what to replace; absent: a new window, or the version that was opened. */
  save(version?: string): Promise<void>;
}

/** A maintenance window that is made or changed. */
export function useWindowForm(
  stored: VersionedMaintenance | undefined,
  zone: string,
  onSaved: () => void,
): WindowForm {
  const [draft, setDraft] = useState(() =>
    stored ? draftOf(stored.item, zone, Date.now()) : newDraft(zone, Date.now()),
  );
  const [error, setError] = useState<Error>();
  const { isBusy: isSaving, take } = useTurn();
  const [theirs, setTheirs] = useState<VersionedMaintenance>();
  const input = useMemo(() => inputOf(draft), [draft]);
  const rules = useLazy(loadRules);
  const host = useRef<HTMLDivElement>(null);
  const form = useForm(input, rules?.windowIssues, host);

  const send = async (version: string | undefined): Promise<void> => {
    if (!stored || version === undefined) {
      await createMaintenance(input);
    } else {
      await updateMaintenance(stored.item.id, version, input);
    }
    toast(`“${input.name}” is saved.`);
    onSaved();
  };
  const refuse = async (failure: unknown): Promise<void> => {
    const isApi = failure instanceof ApiError;
    if (stored && isApi && failure.status === 412) {
      setTheirs(await readMaintenance(stored.item.id));
      return;
    }
    setTheirs(undefined);
    const issues = isApi ? failure.issues : [];
    form.refuse(issues);
    setError(issues.length > 0 || !(failure instanceof Error) ? undefined : failure);
  };
  const save = async (version = stored?.version): Promise<void> => {
    if (!form.check()) {
      return;
    }
    setError(undefined);
    try {
      await send(version);
    } catch (failure) {
      await refuse(failure);
    }
  };
  return {
    draft,
    input,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    host,
    form,
    rules,
    error,
    isSaving,
    theirs,
    keepEditing: () => setTheirs(undefined),
    save: async (version) => {
      await take(() => save(version));
    },
  };
}
