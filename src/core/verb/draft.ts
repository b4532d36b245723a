import { invalid, type Issue } from '../../contract/errors.ts';
import type { Principal } from '../../ports/principal.ts';
import type { DocumentBodies, DocumentKind, Reference } from '../../ports/store/document-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';

/** A document before it is stored. */
export interface Draft<K extends DocumentKind = DocumentKind> {
  body: DocumentBodies[K];
  /** Vault text. If absent, an update keeps it. */
  sealed?: string | null;
  uniqueKey?: string | null;
  /**
   * The documents it refers to, with their paths in the input. All must exist. If absent, an update
   * keeps them.
   */
  references?: readonly PlacedReference[];
  /** Any issue refuses the draft, as does a reference that does not exist. */
  issues?: readonly Issue[];
}

export interface PlacedReference extends Reference {
  path: string;
}

/** What a resource may use for a draft. It runs inside the transaction, so it only reads `parts`. */
export interface DraftContext {
  parts: Pick<StoreReader, 'documents'>;
  principal: Principal;
  /** ID of the document. */
  id: string;
}

/**
 * The distinct references of a draft.
 * @throws Fault with the issues of the draft, each with its path
 */
export async function validReferences(
  parts: Pick<StoreReader, 'documents'>,
  principal: Principal,
  draft: Draft,
): Promise<Reference[] | undefined> {
  const issues = await draftIssues(parts, principal, draft);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (!draft.references) {
    return undefined;
  }
  return [
    ...new Map(
      draft.references.map(({ kind, id, part }): [string, Reference] => [
        `${keyOf({ kind, id })}/${part ?? ''}`,
        { kind, id, ...(part !== undefined && { part }) },
      ]),
    ).values(),
  ];
}

/** The issues of a draft. Everything that it refers to must exist in the workspace. */
export async function draftIssues(
  { documents }: Pick<StoreReader, 'documents'>,
  principal: Principal,
  { references = [], issues = [] }: Draft,
): Promise<Issue[]> {
  if (references.length === 0) {
    return [...issues];
  }
  const wanted = new Map(references.map(({ kind, id }) => [keyOf({ kind, id }), { kind, id }]));
  const existing = new Set(
    (await documents.existing(principal.workspace.id, [...wanted.values()])).map(keyOf),
  );
  const missing = references
    .filter((reference) => !existing.has(keyOf(reference)))
    .map(({ kind, id, path }) => ({ path, message: `there is no ${nouns[kind]} ${id}` }));
  return [...issues, ...missing];
}

const keyOf = ({ kind, id }: Reference): string => `${kind}/${id}`;

const nouns: Record<DocumentKind, string> = {
  alert: 'alert',
  dashboard: 'dashboard',
  source: 'source',
  webhook: 'webhook',
  savedSearch: 'saved search',
  pipe: 'pipe',
  maintenanceWindow: 'maintenance window',
};
