import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  previewQuery,
  type AlertPreview,
  type AlertPreviewInput,
} from '../../../api/queries/alert-preview.ts';
import {
  createAlert,
  updateAlert,
  type Alert,
  type AlertInput,
} from '../../../api/queries/alerts.ts';
import { useForm, type FormIssue, type FormState } from '../../../kit/use-form.ts';
import { useDebounced } from '../../../view/use-debounced.ts';
import { useLazy } from '../../../view/use-lazy.ts';
import { bodyOf, formPath, previewOf, type AlertDraft } from './draft.ts';
import { useDraft } from './use-draft.ts';
import type { Lists } from './use-lists.ts';
import { watchedOf, type Watched } from './watched.ts';

const loadRules = () => import('../alert.form.ts');

/** The preview follows after a pause of this length. */
const pauseMs = 350;

export interface EditorModel {
  lists: Lists;
  draft: AlertDraft;
  base: AlertDraft;
  isChanged: boolean;
  /** The draft is of an earlier visit. */
  isRestored: boolean;
  change(part: Partial<AlertDraft>): void;
  discard(): void;
  watched: Watched;
  host: RefObject<HTMLFormElement | null>;
  form: FormState;
  preview: Preview;
  isSaving: boolean;
  error: Error | undefined;
  /** Creates or changes the alert. Undefined: it was refused, and the form says why. */
  save(): Promise<Alert | undefined>;
  /** Saves over the version of another person. */
  saveOver(version: string): Promise<Alert | undefined>;
}

export interface Preview {
  query: UseQueryResult<AlertPreview>;
  /** The request; undefined: nothing can be evaluated yet. */
  body: AlertPreviewInput | undefined;
  windows: number;
  setWindows(count: number): void;
  /** The answer is to an earlier state of the form. */
  isOld: boolean;
  /** A field of the form says why there is no answer. */
  hasFieldError: boolean;
}

export interface EditorOptions {
  lists: Lists;
  /** Name of the draft in the browser. */
  draftKey: string;
  original: AlertDraft;
  /** The alert that is changed; absent: a new one. */
  stored?: { id: string; version: string } | undefined;
  onConflict?: () => void;
}

/** The form of a new or a stored alert. */
export function useEditor(options: EditorOptions): EditorModel {
  const { lists, draftKey, original, stored } = options;
  const state = useDraft(draftKey, original, stored?.version ?? '');
  const { draft } = state;
  const rules = useLazy(loadRules);
  const host = useRef<HTMLFormElement>(null);
  const { preview, issues } = usePreview(draft);
  const form = useForm(draft, rules?.alertIssues, host, issues);
  const { source, savedSearchId, dashboardId, tileId } = draft;
  const watched = useMemo(
    () => watchedOf({ source, savedSearchId, dashboardId, tileId }, lists),
    [source, savedSearchId, dashboardId, tileId, lists],
  );
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Error>();

  const save = async (version: string): Promise<Alert | undefined> => {
    setError(undefined);
    if (!form.check()) {
      return undefined;
    }
    setSaving(true);
    try {
      const body = bodyOf(draft);
      const named = { ...body, name: body.name ?? (watched.name || null) };
      return await (stored
        ? updateAlert(stored.id, version, named)
        : createAlert(named as AlertInput));
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 412) {
        options.onConflict?.();
      } else if (failure instanceof ApiError && failure.issues.length > 0) {
        form.refuse(failure.issues.map(atField));
      } else {
        setError(failure instanceof Error ? failure : new ApiError(0, undefined));
      }
      return undefined;
    } finally {
      setSaving(false);
    }
  };
  return {
    ...state,
    lists,
    watched,
    host,
    form,
    preview,
    isSaving,
    error,
    save: () => save(state.version),
    saveOver: save,
  };
}

const atField = ({ path, message }: FormIssue): FormIssue => ({ path: formPath(path), message });

function usePreview(draft: AlertDraft): { preview: Preview; issues: readonly FormIssue[] } {
  const [windows, setWindows] = useState(50);
  const wanted = useMemo(() => JSON.stringify(previewOf(draft, windows)), [draft, windows]);
  const settled = useDebounced(wanted, pauseMs);
  const body = useMemo(
    () => (settled === undefined ? undefined : (JSON.parse(settled) as AlertPreviewInput)),
    [settled],
  );
  const query = useQuery(previewQuery(body));
  const { error } = query;
  const issues = useMemo(
    () =>
      error instanceof ApiError
        ? error.issues.map(atField).filter(({ path }) => (path.split('.', 1)[0] ?? path) in draft)
        : [],
    [error, draft],
  );
  return {
    issues: body === undefined ? [] : issues,
    preview: {
      query,
      body,
      windows,
      setWindows,
      isOld: wanted !== settled || query.isPlaceholderData,
      hasFieldError: issues.length > 0,
    },
  };
}
