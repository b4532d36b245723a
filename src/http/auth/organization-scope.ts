import { Uuid } from '../../contract/common.ts';
import { invalid } from '../../contract/errors.ts';
import { schemaIssues } from '../../contract/schema-issues.ts';
import type { Workspace } from '../../ports/principal.ts';

/** An id of a path in lower case. @throws Fault bad_request */
export function uuidOfPath(path: string, text: string): string {
  const parsed = Uuid.safeParse(text);
  if (!parsed.success) {
    throw invalid(schemaIssues(parsed.error.issues, [path]));
  }
  return parsed.data;
}

/**
 * What belongs to an organization itself has no workspace: no document and no table has these
 * names.
 */
export const noWorkspace = (organizationId: string): Workspace => ({
  id: '',
  name: '',
  serviceId: '',
  organizationId,
  database: '',
  listedDatabases: [],
});
