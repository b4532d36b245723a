import { thresholdIssues } from '../../../../src/contract/alert/alert-rules.ts';
import { AlertInput } from '../../../../src/contract/alert/alert.ts';
import { schemaIssues } from '../../../../src/contract/schema-issues.ts';
import type { FormIssue } from '../../kit/use-form.ts';
import { bodyOf, formPath, takesMax, type AlertDraft } from './model/draft.ts';

/** The rules and messages of the API, in the browser. Loaded after the first paint. */

const numbers = ['threshold', 'thresholdMax', 'numConsecutiveWindows'] as const;

/** Mistakes that the API would find in an alert, at the fields of the form. */
export function alertIssues(draft: AlertDraft): FormIssue[] {
  const body = bodyOf(draft);
  const { error } = AlertInput.safeParse(body);
  const typed = numberIssues(draft);
  const isOfNumber = ({ path }: FormIssue): boolean => typed.some((issue) => issue.path === path);
  const others = schemaIssues(error?.issues ?? []).filter((issue) => !isOfNumber(issue));
  const bounds = typed.length === 0 ? thresholdIssues(body) : [];
  return [...typed, ...bounds, ...others.map(atField), ...choiceIssues(draft)];
}

/** Numbers that are missing or not numbers. */
function numberIssues(draft: AlertDraft): FormIssue[] {
  return numbers
    .filter((path) => path !== 'thresholdMax' || takesMax(draft.thresholdType))
    .flatMap((path) => {
      const text = draft[path].trim();
      if (text === '') {
        return [{ path, message: 'is required' }];
      }
      return Number.isFinite(Number(text)) ? [] : [{ path, message: 'must be a number' }];
    });
}

/** The object that the person still has to choose. */
function choiceIssues({ source, savedSearchId, dashboardId, tileId }: AlertDraft): FormIssue[] {
  if (source === 'search') {
    return savedSearchId === undefined
      ? [{ path: 'savedSearchId', message: 'Choose a saved search, or save a new one.' }]
      : [];
  }
  if (dashboardId === undefined) {
    return [{ path: 'dashboardId', message: 'Choose a dashboard.' }];
  }
  return tileId === undefined ? [{ path: 'tileId', message: 'Choose a tile.' }] : [];
}

const atField = ({ path, message }: FormIssue): FormIssue =>
  path === 'channel'
    ? { path: 'webhookIds', message: 'Choose a webhook, or create one.' }
    : { path: formPath(path), message };
