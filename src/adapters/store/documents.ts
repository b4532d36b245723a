import { sql } from 'kysely';
import { Fault } from '../../contract/errors.ts';
import type {
  DocumentChange,
  DocumentKind,
  DocumentStore,
  JsonObject,
  NewDocument,
  Reference,
  Referrer,
  StoredDocument,
} from '../../ports/store.ts';
import type { Session } from './session.ts';
import { statement, type Queries } from './statement.ts';

/** Documents and the references between them. */
export function createDocuments(session: Session): DocumentStore {
  return {
    insert: (workspaceId, document) => insert(session, workspaceId, document),
    get: (workspaceId, kind, id) => session.recent(selectOne, { workspaceId, kind, id }, document),
    getMany: (workspaceId, kind, ids) => getMany(session, workspaceId, kind, ids),
    list: async (workspaceId, kind, page) => ({
      items: (await session.all(selectPage, { workspaceId, kind, ...page })).map(document),
      total: Number((await session.first(count, { workspaceId, kind }))?.total ?? 0),
    }),
    update: (workspaceId, kind, id, expectedVersion, change) =>
      update(session, { workspaceId, kind, id, version: expectedVersion }, change),
    remove: async (workspaceId, kind, id, expectedVersion) =>
      (expectedVersion === undefined
        ? await session.run(removeAny, { workspaceId, kind, id })
        : await session.run(removeVersion, { workspaceId, kind, id, version: expectedVersion })) >
      0,
    referrers: (workspaceId, kind, id) => referrers(session, { workspaceId, kind, id }),
    existing: (workspaceId, references) => existing(session, workspaceId, references),
  };
}

const columns = [
  'workspace_id',
  'kind',
  'id',
  'version',
  'created_at_ms',
  'updated_at_ms',
  'body',
  'sealed',
] as const;

interface Row {
  workspace_id: string;
  kind: string;
  id: string;
  version: number;
  created_at_ms: number;
  updated_at_ms: number;
  body: string;
  sealed: string | null;
}

/** A type and not an interface: the values of a statement are a record. */
type Key = { workspaceId: string; kind: string; id: string };

const selectOne = statement<Key>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select(columns)
    .where('kind', '=', kind)
    .where('id', '=', id),
);

const selectPage = statement<{
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

const count = statement<{ workspaceId: string; kind: string }>()((queries, { workspaceId, kind }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('kind', '=', kind),
);

const insertOne = statement<
  Key & { body: string; sealed: string | null; uniqueKey: string | null }
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
    .returning('created_at_ms'),
);

const insertAt = statement<
  Key & { body: string; sealed: string | null; uniqueKey: string | null; atMs: number }
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

/** `keep…` is 1 where the stored value stays as it is. */
const updateOne = statement<
  Key & {
    version: number;
    body: string;
    sealed: string | null;
    keepSealed: number;
    uniqueKey: string | null;
    keepUniqueKey: number;
  }
>()((queries, given) =>
  queries
    .ofWorkspace(given.workspaceId)
    .updateTable('documents')
    .set((eb) => ({
      body: given.body,
      sealed: sql<
        string | null
      >`case when ${given.keepSealed} = 1 then sealed else ${given.sealed} end`,
      unique_key: sql<
        string | null
      >`case when ${given.keepUniqueKey} = 1 then unique_key else ${given.uniqueKey} end`,
      version: eb('version', '+', 1),
      updated_at_ms: queries.now,
    }))
    .where('kind', '=', given.kind)
    .where('id', '=', given.id)
    .where('version', '=', given.version)
    .returning(columns),
);

const removeAny = statement<Key>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .deleteFrom('documents')
    .where('kind', '=', kind)
    .where('id', '=', id),
);

const removeVersion = statement<Key & { version: number }>()(
  (queries, { workspaceId, kind, id, version }) =>
    queries
      .ofWorkspace(workspaceId)
      .deleteFrom('documents')
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where('version', '=', version),
);

const insertReference = statement<Key & { targetKind: string; targetId: string; part: string }>()(
  (queries, { workspaceId, kind, id, targetKind, targetId, part }) =>
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

const removeReferences = statement<Key>()((queries, { workspaceId, kind, id }) =>
  queries
    .ofWorkspace(workspaceId)
    .deleteFrom('document_references')
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id),
);

const selectReferrers = statement<Key>()((queries, { workspaceId, kind, id }) =>
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

const findOne = statement<Key>()((queries, key) => idOf(queries, key));

/** Found, and kept as it is until the end of the transaction. */
const keepOne = statement<Key>()((queries, key) =>
  queries.dialect === 'postgres' ? idOf(queries, key).forShare() : idOf(queries, key),
);

const lockOne = statement<Key>()((queries, key) =>
  queries.dialect === 'postgres' ? idOf(queries, key).forUpdate() : idOf(queries, key),
);

function idOf(queries: Queries, { workspaceId, kind, id }: Key) {
  return queries
    .ofWorkspace(workspaceId)
    .selectFrom('documents')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id);
}

async function insert(
  session: Session,
  workspaceId: string,
  given: NewDocument,
): Promise<StoredDocument> {
  const { kind, id, body, sealed = null, uniqueKey = null, references = [] } = given;
  const write = async (inside: Session) => {
    const atMs = await insertedAt(inside, {
      workspaceId,
      kind,
      id,
      body: JSON.stringify(body),
      sealed,
      uniqueKey,
    });
    if (atMs === undefined) {
      throw new Fault('conflict', `${kind}: the id or name is already taken`);
    }
    await insertReferences(inside, { workspaceId, kind, id }, references);
    return {
      kind,
      id,
      workspaceId,
      version: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      body,
      sealed,
    };
  };
  return references.length === 0 ? write(session) : session.atomically(write);
}

/** Undefined where something is in the way. SQLite's time is the process's own: asking the statement for it would triple its price. */
async function insertedAt(
  session: Session,
  values: Key & { body: string; sealed: string | null; uniqueKey: string | null },
): Promise<number | undefined> {
  const atMs = session.queries.clock?.();
  if (atMs === undefined) {
    return (await session.first(insertOne, values))?.created_at_ms;
  }
  return (await session.run(insertAt, { ...values, atMs })) > 0 ? atMs : undefined;
}

async function insertReferences(
  session: Session,
  owner: Key,
  references: readonly Reference[],
): Promise<void> {
  for (const { kind, id, part } of references) {
    await session.run(insertReference, {
      ...owner,
      targetKind: kind,
      targetId: id,
      part: part ?? '',
    });
  }
}

/** In a transaction the target is locked first: whoever checks that it exists, to point at it, waits until the end of this one. */
async function referrers(session: Session, target: Key): Promise<Referrer[]> {
  if (session.inTransaction && session.queries.dialect === 'postgres') {
    await session.run(lockOne, target);
  }
  return (await session.all(selectReferrers, target)).map((row) => ({
    kind: row.kind as DocumentKind,
    id: row.id,
    part: row.part === '' ? null : row.part,
  }));
}

async function update(
  session: Session,
  key: { workspaceId: string; kind: DocumentKind; id: string; version: number },
  change: DocumentChange,
): Promise<StoredDocument | undefined> {
  const { workspaceId, kind, id } = key;
  const values = {
    ...key,
    body: JSON.stringify(change.body),
    sealed: change.sealed ?? null,
    keepSealed: change.sealed === undefined ? 1 : 0,
    uniqueKey: change.uniqueKey ?? null,
    keepUniqueKey: change.uniqueKey === undefined ? 1 : 0,
  };
  return session.atomically(async (inside) => {
    const row = await inside.first(updateOne, values);
    if (row && change.references) {
      await inside.run(removeReferences, { workspaceId, kind, id });
      await insertReferences(inside, { workspaceId, kind, id }, change.references);
    }
    return stored(row);
  });
}

/** Asked one by one up to here: a statement that is compiled already beats one that is put together for the list. */
const askedSinglyMax = 8;

/** SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const idsPerQuery = 1000;

async function getMany(
  session: Session,
  workspaceId: string,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length <= askedSinglyMax) {
    return (
      await Promise.all(
        wanted.map(async (id) => session.recent(selectOne, { workspaceId, kind, id }, document)),
      )
    ).filter((one) => one !== undefined);
  }
  const found = new Map<string, StoredDocument>();
  for (let at = 0; at < wanted.length; at += idsPerQuery) {
    const query = session.queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .select(columns)
      .where('kind', '=', kind)
      .where('id', 'in', wanted.slice(at, at + idsPerQuery));
    for (const row of (await session.execute(query)).rows) {
      found.set(row.id, document(row));
    }
  }
  return wanted.flatMap((id) => found.get(id) ?? []);
}

async function existing(
  session: Session,
  workspaceId: string,
  references: readonly Reference[],
): Promise<Reference[]> {
  const wanted = [
    ...new Map(references.map(({ kind, id }) => [`${kind}/${id}`, { kind, id }])).values(),
  ];
  const found = new Set<string>();
  if (wanted.length <= askedSinglyMax) {
    for (const { kind, id } of wanted) {
      if (
        await session.first(session.inTransaction ? keepOne : findOne, { workspaceId, kind, id })
      ) {
        found.add(`${kind}/${id}`);
      }
    }
  } else {
    for (const kind of new Set(wanted.map((one) => one.kind))) {
      for (const id of await findMany(
        session,
        workspaceId,
        kind,
        wanted.filter((one) => one.kind === kind).map(({ id }) => id),
      )) {
        found.add(`${kind}/${id}`);
      }
    }
  }
  return references.filter(({ kind, id }) => found.has(`${kind}/${id}`));
}

async function findMany(
  session: Session,
  workspaceId: string,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const query = session.queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .select('id')
      .where('kind', '=', kind)
      .where('id', 'in', ids.slice(at, at + idsPerQuery));
    const locked =
      session.inTransaction && session.queries.dialect === 'postgres' ? query.forShare() : query;
    found.push(...(await session.execute(locked)).rows.map(({ id }) => id));
  }
  return found;
}

function stored(row: Row | undefined): StoredDocument | undefined {
  return row && document(row);
}

function document(row: Row): StoredDocument {
  return {
    kind: row.kind as DocumentKind,
    id: row.id,
    workspaceId: row.workspace_id,
    version: row.version,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    body: JSON.parse(row.body) as JsonObject,
    sealed: row.sealed,
  };
}
