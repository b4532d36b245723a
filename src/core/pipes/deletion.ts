import type { StoredDocument } from '../../ports/store/document-store.ts';
import { sourceIn } from './kinds/configured-source.ts';
import type { SourceKinds } from './kinds/source-kind.ts';

/** The objects that a pipe creates at its source, for messages. */
export function createdAtSource(
  kinds: SourceKinds,
  { id, body }: Pick<StoredDocument<'pipe'>, 'id' | 'body'>,
): string[] {
  const { rules, settings } = sourceIn(kinds, body.source);
  return rules.createsAtSource(settings, id);
}

/** State message of a pipe whose source could not be cleaned up yet. */
export function deletionMessage(objects: readonly string[], reason: string): string {
  return (
    `cannot remove ${objects.join(' and ')}: ${reason}. The server keeps trying. ` +
    'To give up, delete the pipe again with ?force=true, and remove them yourself.'
  );
}
