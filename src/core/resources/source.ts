import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import {
  createSource,
  deleteSource,
  getSource,
  listSourceFields,
  listSources,
  SourceInput,
  updateSource,
  type Source,
  type SourceChange,
  type SourceField,
} from '../../contract/source.ts';
import type { Principal, Workspace } from '../../ports/principal.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { crudVerbs, type CrudDependencies, type Resource } from '../verb/crud.ts';
import type { Draft } from '../verb/draft.ts';
import { schemaIssues } from '../verb/schema-issues.ts';
import { readVerb } from '../verb/verb.ts';
import { compact, given, times } from '../verb/document.ts';

/** What sources need of the query engine. */
export interface SourceInspector {
  /** What is wrong with a source's expressions and tables. */
  checkSource(source: SourceInput): Promise<Issue[]>;
  fields(source: Source, context?: { signal?: AbortSignal | undefined }): Promise<SourceField[]>;
}

export interface SourceDependencies extends CrudDependencies {
  inspector: SourceInspector;
}

export function sourceVerbs(deps: SourceDependencies) {
  const verbs = crudVerbs(
    {
      list: listSources,
      create: createSource,
      get: getSource,
      update: updateSource,
      remove: deleteSource,
    },
    sourceResource(deps),
    deps,
  );
  const fields = readVerb(listSourceFields, async ({ principal, params, signal }) => {
    const source = await findSource(deps.store, principal, params.id);
    if (!source) {
      throw notFound('source');
    }
    return { value: await deps.inspector.fields(source, { signal }) };
  });
  return {
    listSources: verbs.list,
    createSource: verbs.create,
    getSource: verbs.get,
    updateSource: verbs.update,
    deleteSource: verbs.remove,
    listSourceFields: fields,
  };
}

/** A source of the caller's workspace; undefined if the workspace has no source with this id. */
export async function findSource(
  store: Pick<StoreReader, 'documents'>,
  { workspace }: Pick<Principal, 'workspace'>,
  id: string,
): Promise<Source | undefined> {
  const stored = await store.documents.get(workspace.id, 'source', id);
  return stored && sourceRecord(stored);
}

/** Every source of the caller's workspace, the oldest first. */
export async function allSources(
  store: Pick<StoreReader, 'documents'>,
  { workspace }: Pick<Principal, 'workspace'>,
): Promise<Source[]> {
  const { items } = await store.documents.list(workspace.id, 'source', { limit: 1000, offset: 0 });
  return items.map(sourceRecord);
}

function sourceResource({
  inspector,
  store,
}: SourceDependencies): Resource<'source', SourceInput, SourceChange, Source> {
  const check = async (input: SourceInput, workspace: Workspace): Promise<Issue[]> => {
    // The columns of another workspace's table are not for the caller to know.
    const foreign = foreignDatabase(input, workspace);
    return foreign.length > 0 ? foreign : inspector.checkSource(input);
  };

  return {
    kind: 'source',
    noun: 'source',
    present: (stored) => stored.map(sourceRecord),

    /**
     * Checks against the engine before the transaction, because the transaction may only use the
     * store. A change by another request in between runs its own check.
     */
    async inputIssues(input, { workspace }, id) {
      const stored =
        id === undefined ? undefined : await store.documents.get(workspace.id, 'source', id);
      if (id !== undefined && !stored) {
        return [];
      }
      return check(stored ? merged(stored, input) : (input as SourceInput), workspace);
    },

    compose: (input) => draft(input),
    amend: (change, stored) => draft(merged(stored, change)),

    async release(stored, { parts }) {
      const users = await parts.documents.referrers(stored.workspaceId, 'source', stored.id);
      if (users.length === 0) {
        return;
      }
      const named = [
        ...new Set(
          users.map(({ kind, id }) => `${kind === 'savedSearch' ? 'saved search' : kind} ${id}`),
        ),
      ];
      const more = named.length > 5 ? ` and ${named.length - 5} more` : '';
      throw new Fault(
        'conflict',
        `the source is in use by ${named.slice(0, 5).join(', ')}${more}: change or delete them first`,
      );
    },
  };
}

/** A workspace may read only its own telemetry database, in every expression and table. */
function foreignDatabase({ from }: SourceInput, { database }: Workspace): Issue[] {
  return from.databaseName === database
    ? []
    : [
        {
          path: 'from.databaseName',
          message: `must be ${database}, the telemetry database of this team`,
        },
      ];
}

/**
 * The stored source with a change applied. Fields of other kinds of source are dropped, like unknown
 * properties.
 */
function merged(stored: StoredDocument<'source'>, change: SourceChange | SourceInput): SourceInput {
  const parsed = SourceInput.safeParse(compact({ ...stored.body, ...given(change) }));
  if (parsed.success) {
    return parsed.data;
  }
  throw invalid(schemaIssues(parsed.error.issues));
}

const draft = (source: SourceInput): Draft<'source'> => ({ body: source });

export function sourceRecord(stored: StoredDocument<'source'>): Source {
  return {
    id: stored.id,
    team: stored.workspaceId,
    ...stored.body,
    ...times(stored),
  };
}
