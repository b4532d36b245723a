import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { checkSource, type PipeCheck, type SourceDraft } from '../../../api/queries/new-pipe.ts';
import type { FormIssue } from '../../../kit/use-form.ts';
import { formPath } from './draft.ts';
import type { Wizard } from './use-wizard.ts';

export interface ConnectionCheck {
  isChecking: boolean;
  /** The answer to the connection as it is entered. */
  answer: PipeCheck | undefined;
  /** What the answer says of fields. */
  issues: readonly FormIssue[];
  /** Why there is no answer, if no field says it. */
  error: Error | undefined;
  run(): void;
}

interface Outcome {
  source: SourceDraft;
  answer?: PipeCheck;
  refused?: readonly FormIssue[];
  error?: Error;
}

/** The check of a connection. */
export function useCheck(wizard: Wizard): ConnectionCheck {
  const { kind, draft, texts, source, connect } = wizard;
  const [isChecking, setChecking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async (): Promise<void> => {
    if (isChecking) {
      return;
    }
    setChecking(true);
    setOutcome(undefined);
    try {
      const answer = await checkSource(source);
      setOutcome({ source, answer });
      if (answer.ok) {
        connect(source);
      }
    } catch (failure) {
      const refused = failure instanceof ApiError ? failure.issues : [];
      const error = failure instanceof Error ? failure : new ApiError(0, undefined);
      setOutcome({ source, ...(refused.length > 0 ? { refused } : { error }) });
    } finally {
      setChecking(false);
    }
  };
  // An answer to an earlier connection says nothing of this one.
  const current = outcome?.source === source ? outcome : undefined;
  const issues = current?.refused ?? current?.answer?.issues ?? [];
  return {
    isChecking,
    answer: current?.answer,
    issues: issues.map(({ path, message }) => ({
      path: formPath(kind, draft, texts, path),
      message,
    })),
    error: current?.error,
    run: () => void run(),
  };
}
