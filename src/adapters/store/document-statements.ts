import { sql } from 'kysely';
import { statement, type Queries } from './statements/statement.ts';

export const columns = [
  'workspace_id',
  'kind',
  'id',
  'version',
  'created_at_ms',
  'updated_at_ms',
  'body',
  'sealed',
] as const;

export interface DocumentRow {
  workspace_id: string;
  kind: string;
  id: string;
  version: number;
  created_at_ms: number;
  updated_at_ms: number;
  body: string;
  sealed: string | null;
}

/** A type, not an interface, because the values of a statement must be a record. */
export type DocumentKey = { workspaceId: string; kind: string; id: string };

export const selectOne = statement<DocumentKey>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select(columns)
    .where('kind', '=', kind)
    .where('id', '=', id),
);

export const selectPage = statement<{
  workspaceId: string;
  kind: string;
  limit: number;
  offset: number;
}>()((queries, { workspaceId, kind, limit, offset }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select(columns)
    .where('kind', '=', kind)
    .orderBy('created_at_ms')
    .orderBy('id')
    .limit(limit)
    .offset(offset),
);

export const count = statement<{ workspaceId: string; kind: string }>()(
  (queries, { workspaceId, kind }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('kind', '=', kind),
);

/** `tags`: JSON of distinct tags, `tagCount` of them. */
type Tagged = { workspaceId: string; kind: string; tags: string; tagCount: number };

export const selectTaggedPage = statement<Tagged & { limit: number; offset: number }>()(
  (queries, given) =>
    queries
      .ofWorkspace(given.workspaceId)
      .selectFrom('documents')
      .select(columns)
      .where('kind', '=', given.kind)
      .where(hasTags(queries, given))
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(given.limit)
      .offset(given.offset),
);

export const countTagged = statement<Tagged>()((queries, given) =>
  queries
    .ofWorkspace(given.workspaceId)
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('kind', '=', given.kind)
    .where(hasTags(queries, given)),
);

/** The tags of a document are a set, so that counting the common ones is enough. */
function hasTags(queries: Queries, { tags, tagCount }: Pick<Tagged, 'tags' | 'tagCount'>) {
  const [own, wanted] =
    queries.dialect === 'sqlite'
      ? [sql`json_each(documents.body, '$.tags') as own`, sql`json_each(${tags}) as wanted`]
      : [
          sql`jsonb_array_elements_text(
            coalesce(cast(documents.body as jsonb) -> 'tags', cast('[]' as jsonb))) as own(value)`,
          sql`jsonb_array_elements_text(cast(${tags} as jsonb)) as wanted(value)`,
        ];
  return sql<boolean>`(select count(*) from ${own} where own.value in
    (select wanted.value from ${wanted})) = cast(${tagCount} as bigint)`;
}

export const insertOne = statement<
  DocumentKey & { body: string; sealed: string | null; uniqueKey: string | null }
>()((queries, { workspaceId, kind, id, body, sealed, uniqueKey }) =>
  queries
    .ofWorkspace(workspaceId)
    .insertInto('documents', {
      kind,
      id,
      version: 1,
      created_at_ms: queries.now,
      updated_at_ms: queries.now,
      body,
      sealed,
      unique_key: uniqueKey,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['created_at_ms', 'updated_at_ms']),
);

export const insertAt = statement<
  DocumentKey & { body: string; sealed: string | null; uniqueKey: string | null; atMs: number }
>()((queries, { workspaceId, kind, id, body, sealed, uniqueKey, atMs }) =>
  queries
    .ofWorkspace(workspaceId)
    .insertInto('documents', {
      kind,
      id,
      version: 1,
      created_at_ms: atMs,
      updated_at_ms: atMs,
      body,
      sealed,
      unique_key: uniqueKey,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** If `keepSealed` or `keepUniqueKey` is 1, the stored value does not change. */
export const updateOne = statement<
  DocumentKey & {
    version: number;
    body: string;
    sealed: string | null;
    keepSealed: number;
    uniqueKey: string | null;
    keepUniqueKey: number;
  }
>()((queries, change) =>
  queries
    .ofWorkspace(change.workspaceId)
    .updateTable('documents')
    .set((eb) => ({
      body: change.body,
      sealed: sql<
        string | null
      >`case when ${change.keepSealed} = 1 then sealed else ${change.sealed} end`,
      unique_key: sql<
        string | null
      >`case when ${change.keepUniqueKey} = 1 then unique_key else ${change.uniqueKey} end`,
      version: eb('version', '+', 1),
      updated_at_ms: queries.now,
    }))
    .where('kind', '=', change.kind)
    .where('id', '=', change.id)
    .where('version', '=', change.version)
    .returning(columns),
);

export const removeAny = statement<DocumentKey>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .deleteFrom('documents')
    .where('kind', '=', kind)
    .where('id', '=', id),
);

export const removeVersion = statement<DocumentKey & { version: number }>()(
  (queries, { workspaceId, kind, id, version }) =>
    queries
      .ofWorkspace(workspaceId)
      .deleteFrom('documents')
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where('version', '=', version),
);

export const insertReference = statement<
  DocumentKey & { targetKind: string; targetId: string; part: string }
>()((queries, { workspaceId, kind, id, targetKind, targetId, part }) =>
  queries
    .ofWorkspace(workspaceId)
    .insertInto('document_references', {
      owner_kind: kind,
      owner_id: id,
      target_kind: targetKind,
      target_id: targetId,
      part,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export const removeReferences = statement<DocumentKey>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .deleteFrom('document_references')
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id),
);

export const selectReferrers = statement<DocumentKey>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('document_references')
    .innerJoin('documents', (join) =>
      join
        .on('documents.workspace_id', '=', workspaceId)
        .onRef('documents.kind', '=', 'document_references.owner_kind')
        .onRef('documents.id', '=', 'document_references.owner_id'),
    )
    .select(['documents.kind as kind', 'documents.id as id', 'document_references.part as part'])
    .where('document_references.target_kind', '=', kind)
    .where('document_references.target_id', '=', id)
    .orderBy('documents.created_at_ms')
    .orderBy('documents.id')
    .orderBy('document_references.part'),
);

export const findOne = statement<DocumentKey>()((queries, key) => idOf(queries, key));

/** Finds a document and locks it against changes until the end of the transaction. */
export const keepOne = statement<DocumentKey>()((queries, key) =>
  queries.dialect === 'postgres' ? idOf(queries, key).forShare() : idOf(queries, key),
);

export const lockOne = statement<DocumentKey>()((queries, key) =>
  queries.dialect === 'postgres' ? idOf(queries, key).forUpdate() : idOf(queries, key),
);

function idOf(queries: Queries, { workspaceId, kind, id }: DocumentKey) {
  return queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id);
}
