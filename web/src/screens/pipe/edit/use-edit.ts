import { useCallback, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  readPipe,
  scalePipe,
  updatePipe,
  type PipeChange,
  type PipeScaling,
  type VersionedPipe,
} from '../../../api/queries/pipes.ts';
import type { Difference } from '../../../kit/conflict.tsx';
import { toast } from '../../../kit/toast.tsx';
import { useForm, type FormIssue, type FormState } from '../../../kit/use-form.ts';
import { useLazy } from '../../../view/use-lazy.ts';
import { useTurn } from '../../../view/use-turn.ts';
import { draftOf, fieldAt, type Draft, type EditForm } from './edit-form.ts';

type Rules = typeof import('./pipe.form.ts');
const loadRules = (): Promise<Rules> => import('./pipe.form.ts');

export interface Edit {
  draft: Draft;
  change(part: Draft): void;
  host: RefObject<HTMLDivElement | null>;
  form: FormState;
  /** Whether there is something to lose. */
  isChanged: boolean;
  /** Whether there is something to save. */
  canSave: boolean;
  isSaving: boolean;
  /** What no field says. */
  error: Error | undefined;
  /** The pipe as another person left it meanwhile. */
  theirs: VersionedPipe | undefined;
  differences: Difference[];
  keepEditing(): void;
  /** @param basis the version to change: the one that was opened, or theirs. */
  save(basis: VersionedPipe): Promise<void>;
}

/** A change of a pipe, from the version that was on the page when the dialog opened. */
export function useEdit(edit: EditForm, opened: VersionedPipe, onSaved: () => void): Edit {
  const { fields, target, bodyOf } = edit;
  const [from] = useState(() => draftOf(fields, opened.item));
  const [draft, setDraft] = useState(from);
  const { isBusy: isSaving, take } = useTurn();
  const [error, setError] = useState<Error>();
  const [theirs, setTheirs] = useState<VersionedPipe>();
  const rules = useLazy(loadRules);
  const host = useRef<HTMLDivElement>(null);
  const check = useCallback(
    (value: Draft) => atFields(edit, rules?.changeIssues(target, bodyOf(value, opened.item)) ?? []),
    [edit, rules, target, bodyOf, opened],
  );
  const form = useForm(draft, rules && check, host);

  const refuse = async (failure: unknown): Promise<void> => {
    if (failure instanceof ApiError && failure.status === 412) {
      setTheirs(await readPipe(opened.item.id));
      return;
    }
    setTheirs(undefined);
    const issues = failure instanceof ApiError ? failure.issues : [];
    form.refuse(atFields(edit, issues));
    setError(issues.length > 0 ? undefined : asError(failure));
  };
  const save = async (basis: VersionedPipe): Promise<void> => {
    if (!form.check()) {
      return;
    }
    setError(undefined);
    try {
      await send(target, basis, bodyOf(draft, basis.item));
      toast(edit.done);
      onSaved();
    } catch (failure) {
      await refuse(failure).catch((second: unknown) => setError(asError(second)));
    }
  };
  const isChanged = fields.some(({ name }) => draft[name] !== from[name]);
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    host,
    form,
    isChanged,
    canSave: rules !== undefined && !isSaving && (isChanged || edit.isAddition === true),
    isSaving,
    error,
    theirs,
    differences: theirs ? differencesOf(edit, from, draft, theirs) : [],
    keepEditing: () => setTheirs(undefined),
    save: async (basis) => {
      await take(() => save(basis));
    },
  };
}

const asError = (failure: unknown): Error =>
  failure instanceof Error ? failure : new ApiError(0, undefined);

const send = (
  target: EditForm['target'],
  { item, version }: VersionedPipe,
  body: PipeChange | PipeScaling,
): Promise<VersionedPipe> =>
  target === 'pipe'
    ? updatePipe(item.id, version, body as PipeChange)
    : scalePipe(item.id, version, body as PipeScaling);

/** Mistakes at the fields that they are about; others keep their path. */
const atFields = ({ fields }: EditForm, issues: readonly FormIssue[]): FormIssue[] =>
  issues.map(({ path, message }) => ({ path: fieldAt(fields, path) ?? path, message }));

/** What I changed beside what is stored now. A secret is never shown. */
function differencesOf(
  { fields, isAddition }: EditForm,
  from: Draft,
  draft: Draft,
  theirs: VersionedPipe,
): Difference[] {
  return fields
    .filter(({ name }) => draft[name] !== from[name])
    .map((field) => {
      const isSecret = field.look.startsWith('secret');
      const stored = isSecret ? 'Stored' : field.read(theirs.item);
      return {
        name: field.label,
        theirs: isAddition === true ? '' : stored,
        mine: isSecret ? 'A new value' : (draft[field.name] ?? ''),
      };
    });
}
