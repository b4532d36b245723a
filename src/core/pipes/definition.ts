import type { Pipe } from '../../contract/pipe/pipe.ts';
import type { Vault } from '../../ports/ambient.ts';
import type { PipeStatus } from '../../ports/store/pipe-store.ts';
import type { DocumentBodies, StoredDocument } from '../../ports/store/document-store.ts';
import { sourceIn, type ConfiguredSource } from './kinds/configured-source.ts';
import { joinSource, type SealedParts } from './kinds/sealed-parts.ts';
import type { SourceKinds } from './kinds/source-kind.ts';
import type { TableUser } from './tables/table-owner.ts';

/** The stored definition of a pipe: what answers show, and the roles, which they do not show. */
export type StoredPipe = DocumentBodies['pipe'];

/** What the secrets of a pipe are sealed for. */
export const sealContext = (pipeId: string): string => `pipe/${pipeId}`;

export function sealParts(vault: Vault, pipeId: string, parts: SealedParts): string | null {
  return Object.keys(parts).length === 0
    ? null
    : vault.seal(JSON.stringify(parts), sealContext(pipeId));
}

function openParts(vault: Vault, document: { id: string; sealed: string | null }): SealedParts {
  return document.sealed === null
    ? {}
    : (JSON.parse(vault.open(document.sealed, sealContext(document.id))) as SealedParts);
}

/** The source of a stored pipe as it was sent, with its secrets: what a connector is made from. */
export function openSource(
  { kinds, vault }: { kinds: SourceKinds; vault: Vault },
  document: Pick<StoredDocument<'pipe'>, 'id' | 'body' | 'sealed'>,
): ConfiguredSource {
  const stored = sourceIn(kinds, document.body.source);
  const settings = joinSource(stored.rules, stored.settings, openParts(vault, document));
  return { ...stored, settings };
}

/** The tables that a pipe writes to. */
export function targetsOf(
  kinds: SourceKinds,
  { source, destination: { table } }: StoredPipe,
): string[] {
  if (table !== undefined) {
    return [table];
  }
  const { rules, settings } = sourceIn(kinds, source);
  return rules.targets(settings);
}

export const tableUser = ({
  workspaceId,
  body,
}: Pick<StoredDocument<'pipe'>, 'workspaceId' | 'body'>): TableUser => ({
  workspaceId,
  keepsTables: body.ownsTables !== true,
});

/** The pipe as it is answered. */
export function pipeRecord(
  document: StoredDocument<'pipe'>,
  status: PipeStatus | undefined,
  serviceId: string,
): Pipe {
  const { roles: _, ownsTables: __, shownDatabase, ...definition } = document.body;
  const { destination } = definition;
  return {
    id: document.id,
    serviceId,
    ...definition,
    destination: { ...destination, database: shownDatabase ?? destination.database },
    state: status?.state ?? 'Provisioning',
    ...(status?.message == null ? {} : { stateMessage: status.message }),
    createdAt: new Date(document.createdAtMs).toISOString(),
    updatedAt: new Date(document.updatedAtMs).toISOString(),
  };
}
