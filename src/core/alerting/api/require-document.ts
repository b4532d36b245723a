import { notFound } from '../../../contract/errors.ts';
import type { DocumentKind, StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';

/** @throws Fault not_found */
export async function requireDocument<K extends DocumentKind>(
  store: Pick<StoreReader, 'documents'>,
  workspaceId: string,
  kind: K,
  id: string,
): Promise<StoredDocument<K>> {
  const stored = await store.documents.get(workspaceId, kind, id);
  if (!stored) {
    throw notFound(kind);
  }
  return stored;
}
