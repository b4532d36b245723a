import type { Issue } from '../../../../../src/contract/errors.ts';
import { schemaIssues } from '../../../../../src/contract/schema-issues.ts';
import { SourceInput } from '../../../../../src/contract/source.ts';

/** What the API would refuse without a look at the tables. */
export function sourceIssues(input: unknown): Issue[] {
  const { error } = SourceInput.safeParse(input);
  return error ? schemaIssues(error.issues) : [];
}
