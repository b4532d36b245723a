import type { Pipe } from '../../../contract/pipe/pipe.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import type { Outcome } from '../../verb/outcome.ts';
import { pipeRecord } from '../definition.ts';

/** A pipe with its state, as callers see it. */
export async function pipeOutcome(
  { pipes }: { pipes: Pick<StoreReader['pipes'], 'status'> },
  { workspace }: Principal,
  document: StoredDocument<'pipe'>,
): Promise<Outcome<Pipe>> {
  const status = await pipes.status(workspace.id, document.id);
  return {
    value: pipeRecord(document, status, workspace.serviceId),
    version: document.version,
  };
}
