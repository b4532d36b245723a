import { Fault, notFound } from '../../../contract/errors.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';

/** The document of a pipe. @throws Fault not_found */
export async function pipeDocument(
  { documents }: Pick<StoreReader, 'documents'>,
  principal: Principal,
  pipeId: string,
): Promise<StoredDocument<'pipe'>> {
  const document = await documents.get(principal.workspace.id, 'pipe', pipeId);
  if (!document) {
    throw notFound('pipe');
  }
  return document;
}

/** @throws Fault precondition_failed if the caller wants another version (If-Match). */
export function checkVersion(
  { version }: Pick<StoredDocument<'pipe'>, 'version'>,
  ifMatch: readonly number[] | undefined,
): void {
  if (ifMatch && !ifMatch.includes(version)) {
    throw new Fault(
      'precondition_failed',
      'the pipe has changed since it was read: get it again and repeat the change',
    );
  }
}

/** Another request changed the pipe between the read and the write of this one. */
export class PipeMoved extends Fault {
  constructor() {
    super('conflict', 'other requests keep changing the pipe: try again');
  }
}
