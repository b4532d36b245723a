import { useCallback, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../api/api-error.ts';
import {
  createWebhook,
  testWebhookDraft,
  updateWebhook,
  type VersionedWebhook,
  type Webhook,
  type WebhookTestResult,
} from '../api/queries/webhooks.ts';
import { useForm, type FormState } from '../kit/use-form.ts';
import { useLazy } from '../view/use-lazy.ts';
import { bodyOf, draftOf, isChanged, newDraft, type WebhookDraft } from './draft.ts';

type Rules = typeof import('./webhook.form.ts');
const loadRules = (): Promise<Rules> => import('./webhook.form.ts');

/** What came of a test, or why it was not sent. */
export type TestOutcome = { result: WebhookTestResult } | { error: Error };

export interface WebhookFormModel {
  draft: WebhookDraft;
  /** The webhook that is edited; absent: a new one. */
  stored: Webhook | undefined;
  isChanged: boolean;
  change(part: Partial<WebhookDraft>): void;
  host: RefObject<HTMLFormElement | null>;
  form: FormState;
  /** Rules and samples, once they are loaded. */
  rules: Rules | undefined;
  isTesting: boolean;
  outcome: TestOutcome | undefined;
  test(): void;
  isSaving: boolean;
  /** Why it was not saved, if no field says it. */
  error: Error | undefined;
  /** Creates or changes the webhook. Undefined: it was refused, and the form says why. */
  save(): Promise<VersionedWebhook | undefined>;
  /** Another person changed it meanwhile: changes that version. */
  saveOver(version: string): Promise<VersionedWebhook | undefined>;
}

interface Options {
  stored?: VersionedWebhook | undefined;
  /** Called if another person changed the webhook after it was opened. */
  onConflict?: () => void;
}

/** A webhook that is made or changed. Its secrets are nowhere but in this state. */
export function useWebhookForm({ stored, onConflict }: Options = {}): WebhookFormModel {
  const [from] = useState(() => (stored ? draftOf(stored.item) : newDraft()));
  const [draft, setDraft] = useState(from);
  const [isSaved, setSaved] = useState(false);
  const rules = useLazy(loadRules);
  const host = useRef<HTMLFormElement>(null);
  const form = useForm(draft, rules?.webhookIssues, host);
  const { isTesting, outcome, test } = useTest(draft, stored?.item.id, rules, form);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Error>();

  const send = (version: string | undefined): Promise<VersionedWebhook> => {
    const body = bodyOf(draft);
    return stored && version !== undefined
      ? updateWebhook(stored.item.id, body, version)
      : createWebhook(body);
  };
  const save = async (version: string | undefined): Promise<VersionedWebhook | undefined> => {
    setError(undefined);
    if (!form.check()) {
      return undefined;
    }
    setSaving(true);
    try {
      const saved = await send(version);
      setSaved(true);
      return saved;
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 412 && onConflict) {
        onConflict();
      } else {
        setError(refusedAs(failure, form));
      }
      return undefined;
    } finally {
      setSaving(false);
    }
  };
  return {
    draft,
    stored: stored?.item,
    isChanged: !isSaved && isChanged(draft, from),
    change: useCallback((part) => setDraft((before) => ({ ...before, ...part })), []),
    host,
    form,
    rules,
    isTesting,
    outcome,
    test,
    isSaving,
    error,
    save: () => save(stored?.version),
    saveOver: save,
  };
}

function useTest(
  draft: WebhookDraft,
  id: string | undefined,
  rules: Rules | undefined,
  form: FormState,
): Pick<WebhookFormModel, 'isTesting' | 'outcome' | 'test'> {
  const [isTesting, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<TestOutcome>();
  const run = async (): Promise<void> => {
    const issues = rules?.testIssues(draft) ?? [];
    if (issues.length > 0) {
      form.refuse(issues);
      return;
    }
    setTesting(true);
    setOutcome(undefined);
    try {
      const { name: _, ...body } = bodyOf(draft);
      setOutcome({ result: await testWebhookDraft({ ...body, ...(id !== undefined && { id }) }) });
    } catch (failure) {
      const error = refusedAs(failure, form);
      setOutcome(error && { error });
    } finally {
      setTesting(false);
    }
  };
  return { isTesting, outcome, test: () => void run() };
}

/** Puts the messages of the API at their fields. Answers the error if no field can say it. */
function refusedAs(failure: unknown, form: FormState): Error | undefined {
  if (failure instanceof ApiError && failure.issues.length > 0) {
    form.refuse(failure.issues);
    return undefined;
  }
  if (failure instanceof ApiError && failure.status === 409) {
    // Another webhook has the name.
    form.refuse([{ path: 'name', message: failure.message }]);
    return undefined;
  }
  return failure instanceof Error ? failure : new ApiError(0, undefined);
}
