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
import { listMetrics } from '../../contract/query/metrics.ts';
import { checkSource, listSourceTables } from '../../contract/source-check.ts';
import { listSourceTimes } from '../../contract/source-times.ts';
import type { Principal, Workspace } from '../../ports/principal.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Query } from '../query/index.ts';
import { crudVerbs, type CrudDependencies, type Resource } from '../verb/crud.ts';
import type { Draft } from '../verb/draft.ts';
import { schemaIssues } from '../../contract/schema-issues.ts';
import { readVerb } from '../verb/verb.ts';
import { compact, given, times } from '../verb/document.ts';
import { measured } from './measured.ts';

/** Users of a source that an error names. */
const usersNamed = 5;

/** What sources need of the query engine. */
export interface SourceInspector {
  /** What is wrong with a source's expressions and tables. */
  checkSource(source: SourceInput): Promise<Issue[]>;
  fields(source: Source, context?: { signal?: AbortSignal | undefined }): Promise<SourceField[]>;
}

export interface SourceDependencies extends CrudDependencies {
  inspector: SourceInspector;
  query: Pick<Query, 'metrics' | 'tables' | 'checkDraft' | 'lastTimes'>;
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
  const metrics = readVerb(listMetrics, async ({ principal, params, query, signal }) => {
    const source = await findSource(deps.store, principal, params.id);
    if (!source) {
      throw notFound('source');
    }
    if (source.kind !== 'metric') {
      throw invalid([{ path: 'id', message: 'must be the id of a metric source' }]);
    }
    const { value, statistics } = await measured(signal, (context) =>
      deps.query.metrics(source, query, context),
    );
    const { limit, offset } = query;
    return { value: value.metrics, statistics, page: { total: value.total, limit, offset } };
  });
  const tables = readVerb(listSourceTables, async ({ principal, signal }) => ({
    value: await deps.query.tables(principal.workspace.id, { signal }),
  }));
  const newest = readVerb(listSourceTimes, async ({ principal, signal }) =>
    measured(signal, async (context) =>
      deps.query.lastTimes(await allSources(deps.store, principal), context),
    ),
  );
  const check = readVerb(checkSource, async ({ principal, body, signal }) => {
    const { workspace } = principal;
    // The columns of another workspace's table are not for the caller to know.
    const foreign = foreignDatabase(body, workspace);
    if (foreign.length > 0) {
      throw invalid(foreign);
    }
    return { value: await deps.query.checkDraft(body, workspace.id, { signal }) };
  });
  return {
    listMetrics: metrics,
    listSourceTables: tables,
    listSourceTimes: newest,
    checkSource: check,
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
      const ids = [...new Set(users.map(({ id }) => id))];
      const named = await namesOf(parts, stored.workspaceId, ids.slice(0, usersNamed));
      const more = ids.length > usersNamed ? ` and ${ids.length - usersNamed} more` : '';
      throw new Fault(
        'conflict',
        `the source is in use by ${named.join(', ')}${more}. Change or delete them first.`,
      );
    },
  };
}

/** What users of a source are called, such as `dashboard "Shop" (65f…)`. */
async function namesOf(
  { documents }: Pick<StoreReader, 'documents'>,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const [dashboards, searches] = await Promise.all([
    documents.getMany(workspaceId, 'dashboard', ids),
    documents.getMany(workspaceId, 'savedSearch', ids),
  ]);
  const name = (noun: string, { id, body }: { id: string; body: { name: string } }): string =>
    `${noun} "${shortened(body.name)}" (${id})`;
  return [
    ...dashboards.map((dashboard) => name('dashboard', dashboard)),
    ...searches.map((search) => name('saved search', search)),
  ];
}

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

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
