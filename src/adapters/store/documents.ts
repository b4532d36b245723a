import { Fault } from '../../contract/errors.ts';
import type {
  DocumentBodies,
  DocumentChange,
  DocumentKind,
  DocumentPage,
  DocumentStore,
  NewDocument,
  Page,
  Reference,
  Referrer,
  StoredDocument,
} from '../../ports/store/document-store.ts';
import {
  columns,
  count,
  countTagged,
  findOne,
  insertAt,
  insertOne,
  insertReference,
  keepOne,
  lockOne,
  removeAny,
  removeReferences,
  removeVersion,
  selectOne,
  selectPage,
  selectReferrers,
  selectTaggedPage,
  updateOne,
  type DocumentKey,
  type DocumentRow,
} from './document-statements.ts';
import type { Session } from './statements/session.ts';

/** Documents and the references between them. */
export function createDocuments(session: Session): DocumentStore {
  return {
    insert: (workspaceId, document) => insert(session, workspaceId, document),
    get: (workspaceId, kind, id) =>
      session.recent(selectOne, { workspaceId, kind, id }, document<typeof kind>),
    getMany: (workspaceId, kind, ids) => getMany(session, workspaceId, kind, ids),
    list: (workspaceId, kind, page) => list(session, workspaceId, kind, page),
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

async function list<K extends DocumentKind>(
  session: Session,
  workspaceId: string,
  kind: K,
  { limit, offset, tags }: DocumentPage,
): Promise<Page<StoredDocument<K>>> {
  const key = { workspaceId, kind };
  if (!tags || tags.length === 0) {
    return {
      items: (await session.all(selectPage, { ...key, limit, offset })).map(document<K>),
      total: Number((await session.first(count, key))?.total ?? 0),
    };
  }
  const given = { ...key, tags: JSON.stringify(tags), tagCount: tags.length };
  return {
    items: (await session.all(selectTaggedPage, { ...given, limit, offset })).map(document<K>),
    total: Number((await session.first(countTagged, given))?.total ?? 0),
  };
}

async function insert<K extends DocumentKind>(
  session: Session,
  workspaceId: string,
  created: NewDocument<K>,
): Promise<StoredDocument<K>> {
  const { kind, id, body, sealed = null, uniqueKey = null, references = [] } = created;
  const write = async (inside: Session) => {
    const times = await insertedAt(inside, {
      workspaceId,
      kind,
      id,
      body: JSON.stringify(body),
      sealed,
      uniqueKey,
    });
    if (times === undefined) {
      throw new Fault('conflict', `Another ${kind} already has this ID or name.`);
    }
    await insertReferences(inside, { workspaceId, kind, id }, references);
    return {
      kind,
      id,
      workspaceId,
      version: 1,
      ...times,
      body,
      sealed,
    };
  };
  return references.length === 0 ? write(session) : session.atomically(write);
}

/**
 * The times of the insert; undefined if the id or the unique key is taken. On SQLite the process
 * gives the time, because RETURNING would triple the cost of the statement. PostgreSQL looks at its
 * clock for each column, so the two can differ by a millisecond.
 */
async function insertedAt(
  session: Session,
  values: DocumentKey & { body: string; sealed: string | null; uniqueKey: string | null },
): Promise<Pick<StoredDocument, 'createdAtMs' | 'updatedAtMs'> | undefined> {
  const atMs = session.queries.clock?.();
  if (atMs === undefined) {
    const row = await session.first(insertOne, values);
    return row && { createdAtMs: row.created_at_ms, updatedAtMs: row.updated_at_ms };
  }
  const isInserted = (await session.run(insertAt, { ...values, atMs })) > 0;
  return isInserted ? { createdAtMs: atMs, updatedAtMs: atMs } : undefined;
}

async function insertReferences(
  session: Session,
  owner: DocumentKey,
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

/**
 * A transaction locks the target first. Another transaction that wants to refer to it waits until
 * this one ends.
 */
async function referrers(session: Session, target: DocumentKey): Promise<Referrer[]> {
  if (session.inTransaction && session.queries.dialect === 'postgres') {
    await session.run(lockOne, target);
  }
  return (await session.all(selectReferrers, target)).map((row) => ({
    kind: row.kind as DocumentKind,
    id: row.id,
    part: row.part === '' ? null : row.part,
  }));
}

async function update<K extends DocumentKind>(
  session: Session,
  key: { workspaceId: string; kind: K; id: string; version: number },
  change: DocumentChange<K>,
): Promise<StoredDocument<K> | undefined> {
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
    return row && document<K>(row);
  });
}

/**
 * Up to this number of ids, a statement for each id is used: it is compiled once, and so faster than
 * a statement compiled for the list.
 */
const singleReadsMax = 8;

/** SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const idsPerQuery = 1000;

async function getMany<K extends DocumentKind>(
  session: Session,
  workspaceId: string,
  kind: K,
  ids: readonly string[],
): Promise<StoredDocument<K>[]> {
  const distinctIds = [...new Set(ids)];
  if (distinctIds.length <= singleReadsMax) {
    return (
      await Promise.all(
        distinctIds.map(async (id) =>
          session.recent(selectOne, { workspaceId, kind, id }, document<typeof kind>),
        ),
      )
    ).filter((one) => one !== undefined);
  }
  const documents = new Map<string, StoredDocument<K>>();
  for (let start = 0; start < distinctIds.length; start += idsPerQuery) {
    const query = session.queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .select(columns)
      .where('kind', '=', kind)
      .where('id', 'in', distinctIds.slice(start, start + idsPerQuery));
    for (const row of (await session.execute(query)).rows) {
      documents.set(row.id, document<K>(row));
    }
  }
  return distinctIds.flatMap((id) => documents.get(id) ?? []);
}

async function existing(
  session: Session,
  workspaceId: string,
  references: readonly Reference[],
): Promise<Reference[]> {
  const targets = [
    ...new Map(references.map(({ kind, id }) => [`${kind}/${id}`, { kind, id }])).values(),
  ];
  const existingKeys = new Set<string>();
  if (targets.length <= singleReadsMax) {
    for (const { kind, id } of targets) {
      if (
        await session.first(session.inTransaction ? keepOne : findOne, { workspaceId, kind, id })
      ) {
        existingKeys.add(`${kind}/${id}`);
      }
    }
  } else {
    for (const kind of new Set(targets.map((one) => one.kind))) {
      for (const id of await existingIds(
        session,
        workspaceId,
        kind,
        targets.filter((one) => one.kind === kind).map(({ id }) => id),
      )) {
        existingKeys.add(`${kind}/${id}`);
      }
    }
  }
  return references.filter(({ kind, id }) => existingKeys.has(`${kind}/${id}`));
}

async function existingIds(
  session: Session,
  workspaceId: string,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<string[]> {
  const existingOfKind: string[] = [];
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const query = session.queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .select('id')
      .where('kind', '=', kind)
      .where('id', 'in', ids.slice(start, start + idsPerQuery));
    const locked =
      session.inTransaction && session.queries.dialect === 'postgres' ? query.forShare() : query;
    existingOfKind.push(...(await session.execute(locked)).rows.map(({ id }) => id));
  }
  return existingOfKind;
}

/** `K` is the kind of the row, because every statement selects by kind. */
function document<K extends DocumentKind>(row: DocumentRow): StoredDocument<K> {
  return {
    kind: row.kind as K,
    id: row.id,
    workspaceId: row.workspace_id,
    version: row.version,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    body: JSON.parse(row.body) as DocumentBodies[K],
    sealed: row.sealed,
  };
}
