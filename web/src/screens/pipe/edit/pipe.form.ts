import { schemaIssues } from '../../../../../src/contract/schema-issues.ts';
import { changePipeScaling, updatePipe } from '../../../../../src/contract/pipe/pipe.ts';
import type { FormIssue } from '../../../kit/use-form.ts';
import type { EditForm } from './edit-form.ts';

const schemas = { pipe: updatePipe.body, scaling: changePipeScaling.body };

/** Mistakes that the API would find in a change. Loaded after the first paint. */
export function changeIssues(target: EditForm['target'], body: object): FormIssue[] {
  const { error } = schemas[target].safeParse(body);
  return schemaIssues(error?.issues ?? []).map(({ path, message }) => ({
    path,
    message: message.endsWith('received NaN') ? 'must be a number' : message,
  }));
}
