import { useCallback, useMemo, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { createPipe, type SourceDraft } from '../../../api/queries/new-pipe.ts';
import type { Pipe } from '../../../api/queries/pipes.ts';
import type { FormIssue } from '../../../kit/use-form.ts';
import type { PipeKind } from '../../../pipes/kinds.ts';
import { useLazy } from '../../../view/use-lazy.ts';
import type { Step } from '../params.ts';
import {
  bodyOf,
  connectionOf,
  fieldNames,
  firstStep,
  formPath,
  stepOf,
  type PipeDraft,
} from './draft.ts';
import type { Texts } from './fields.ts';
import { kinds } from './kinds/kinds.ts';
import { useDraft, type DraftState } from './use-draft.ts';

export type Rules = typeof import('../pipe-new.form.ts');
const loadRules = (): Promise<Rules> => import('../pipe-new.form.ts');

/** A connection that worked. */
export interface Connected {
  /** Text of the connection that was checked. */
  key: string;
  source: SourceDraft;
  /** Another one for each check. */
  number: number;
}

/** What lasts while the page is open, and nowhere else. */
export interface Memory {
  secrets: Texts;
  connected: Connected | undefined;
}

export const noMemory: Memory = { secrets: {}, connected: undefined };

/** The value of the forms of all steps. Its keys begin the paths of mistakes. */
export type FormValue = Record<string, unknown>;

/** Mistakes that the server found in a value. */
interface Refusal {
  value: FormValue;
  issues: readonly FormIssue[];
}

/** The pipe, or the first step that says why there is none. */
export interface Created {
  made: Pipe | undefined;
  wrongAt: Step | undefined;
}

export interface Wizard extends DraftState {
  kind: PipeKind;
  /** Credentials included. */
  texts: Texts;
  setText(name: string, text: string): void;
  value: FormValue;
  rules: Rules | undefined;
  source: SourceDraft;
  /** Undefined: the connection must be checked. */
  connected: Connected | undefined;
  connect(source: SourceDraft): void;
  /** Names of credentials that were entered before the page was loaded again. */
  lostCredentials: readonly string[];
  /** Mistakes of the form, by step. */
  issuesOf(step: Step): readonly FormIssue[];
  /** Mistakes that the server found in what is still entered. */
  refused: readonly FormIssue[];
  isCreating: boolean;
  /** Why it was not created, if no field says it. */
  error: Error | undefined;
  create(): Promise<Created>;
}

let checks = 0;

/** A new pipe of one kind. Its credentials are in `memory` and nowhere else. */
export function useWizard(
  kind: PipeKind,
  memory: Memory,
  onMemory: (change: (before: Memory) => Memory) => void,
): Wizard {
  const state = useDraft(kind);
  const { draft, change } = state;
  const { secrets } = memory;
  const rules = useLazy(loadRules);
  const texts = useMemo(() => ({ ...draft.texts, ...secrets }), [draft.texts, secrets]);
  const value = useMemo(() => formValue(kind, draft, texts), [kind, draft, texts]);
  const source = useMemo(() => connectionOf(kind, texts), [kind, texts]);
  const key = JSON.stringify(source);
  const isConnected = memory.connected?.key === key;
  const setText = useCallback(
    (name: string, text: string): void => {
      if (!isCredential(kind, name)) {
        change((now) => ({ texts: { ...now.texts, [name]: text } }));
        return;
      }
      onMemory((before) => ({ ...before, secrets: { ...before.secrets, [name]: text } }));
      change(({ entered }) => ({
        entered: [...entered.filter((one) => one !== name), ...(text === '' ? [] : [name])],
      }));
    },
    [kind, change, onMemory],
  );
  const issuesOf = (step: Step): readonly FormIssue[] => {
    if (!rules) {
      return [];
    }
    return step === 'connection'
      ? rules.connectionIssues(kind, draft, secrets)
      : rules
          .createIssues(kind, draft, secrets)
          .filter(({ path }) => step === 'create' || stepOf(kind, path) === step);
  };
  const { refused, ...creation } = useCreate(kind, draft, secrets, value);
  return {
    ...state,
    ...creation,
    kind,
    texts,
    setText,
    value,
    rules,
    source,
    connected: isConnected ? memory.connected : undefined,
    connect: (checked) => {
      const connected = { key: JSON.stringify(checked), source: checked, number: ++checks };
      onMemory((before) => ({ ...before, connected }));
    },
    lostCredentials: draft.entered.filter((name) => (secrets[name] ?? '') === ''),
    issuesOf,
    refused,
  };
}

const isCredential = (kind: PipeKind, name: string): boolean =>
  kinds[kind].fields.find((field) => field.name === name)?.isCredential === true;

const formValue = (kind: PipeKind, draft: PipeDraft, texts: Texts): FormValue => ({
  ...Object.fromEntries(fieldNames(kind).map((name) => [name, ''])),
  ...texts,
  item: draft.item,
  columns: draft.columns,
  tables: draft.tables,
});

function useCreate(
  kind: PipeKind,
  draft: PipeDraft,
  secrets: Texts,
  value: FormValue,
): Pick<Wizard, 'isCreating' | 'error' | 'create' | 'refused'> {
  const [isCreating, setCreating] = useState(false);
  const [error, setError] = useState<Error>();
  const [refusal, setRefusal] = useState<Refusal>();
  const create = async (): Promise<Created> => {
    setCreating(true);
    setError(undefined);
    setRefusal(undefined);
    try {
      return { made: await createPipe(bodyOf(kind, draft, secrets)), wrongAt: undefined };
    } catch (failure) {
      const found = failure instanceof ApiError ? failure.issues : [];
      const texts = { ...draft.texts, ...secrets };
      const issues = found.map(({ path, message }) => ({
        path: formPath(kind, draft, texts, path),
        message,
      }));
      setRefusal({ value, issues });
      if (issues.length === 0) {
        setError(failure instanceof Error ? failure : new ApiError(0, undefined));
      }
      return { made: undefined, wrongAt: firstStep(kind, issues) };
    } finally {
      setCreating(false);
    }
  };
  const refused = useMemo(
    () => (refusal?.issues ?? []).filter(({ path }) => isSame(refusal?.value ?? {}, value, path)),
    [refusal, value],
  );
  return { isCreating, error, create, refused };
}

/** Whether the field of a mistake has still the value that the server refused. */
function isSame(before: FormValue, now: FormValue, path: string): boolean {
  const [name = ''] = path.split('.', 1);
  return before[name] === now[name];
}
