import { schemaIssues } from '../../../../../src/contract/schema-issues.ts';
import { KeyCreateBody } from '../../../../../src/contract/key.ts';
import type { FormIssue } from '../../../kit/use-form.ts';
import { atFields, bodyOf, type KeyDraft } from './key-draft.ts';

/** Mistakes that the API would find, and a missing name. Loaded after the first paint. */
export function keyIssues(draft: KeyDraft): FormIssue[] {
  const { error } = KeyCreateBody.safeParse(bodyOf(draft));
  const issues = atFields(draft, schemaIssues(error?.issues ?? []));
  if (draft.name.trim() === '') {
    issues.push({ path: 'name', message: 'is required' });
  }
  if (draft.expireAt === undefined) {
    issues.push({ path: 'expireAt', message: 'is not a time' });
  }
  return issues;
}
