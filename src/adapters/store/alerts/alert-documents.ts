import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DocumentStamp } from '../../../ports/store/alert-store.ts';
import type { DocumentKind, StoredDocument } from '../../../ports/store/document-store.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement, type Queries, type Statement } from '../statements/statement.ts';
import { pageRows } from './chunks.ts';

/** The kinds of documents that define alerts and their delivery. */
const kinds: DocumentKind[] = [
  'alert',
  'dashboard',
  'maintenanceWindow',
  'savedSearch',
  'source',
  'webhook',
];

export async function documentRevision(
  session: Session,
): Promise<{ count: number; latestMs: number; versions: number }> {
  const row = await session.first(selectRevision, {});
  return {
    count: Number(row?.count ?? 0),
    latestMs: Number(row?.latest ?? 0),
    versions: Number(row?.versions ?? 0),
  };
}

export async function documentsChangedSince(
  session: Session,
  sinceMs: number,
): Promise<StoredDocument[]> {
  return sinceMs > 0
    ? (await session.all(selectChanged, { sinceMs })).map(documentOf)
    : paged(session, selectDocuments, documentOf);
}

export function documentStamps(session: Session): Promise<DocumentStamp[]> {
  return paged(
    session,
    selectStamps,
    ({ kind, id, version }) => ({ kind, id, version: Number(version) }) as DocumentStamp,
  );
}

/** On SQLite, triggers keep the totals, so that no document is read. */
const selectRevision = statement<Record<string, never>>()((queries) =>
  queries.dialect === 'sqlite'
    ? queries.global
        .selectFrom('document_totals')
        .select(['count', 'versions', 'latest_ms as latest'])
    : queries
        .ofEveryWorkspace()
        .selectFrom('documents')
        .select([
          sql<number>`count(*)`.as('count'),
          sql<number>`sum(version)`.as('versions'),
          sql<number>`max(updated_at_ms)`.as('latest'),
        ])
        .where('kind', 'in', kinds),
);

const selectChanged = statement<{ sinceMs: number }>()((queries, { sinceMs }) =>
  queries
    .ofEveryWorkspace()
    .selectFrom('documents')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('updated_at_ms', '>=', sinceMs),
);

type PageStart = { workspaceId: string; kind: string; id: string };

const selectDocuments = statement<PageStart>()((queries, after) =>
  page(queries, after).selectAll(),
);
const selectStamps = statement<PageStart>()((queries, after) =>
  page(queries, after).select(['workspace_id', 'kind', 'id', 'version']),
);

/**
 * Reads in the order of the primary key. With any other index, every page would read and sort the
 * whole index. The `+` keeps SQLite from the index on `kind`.
 */
function page(queries: Queries, { workspaceId, kind, id }: PageStart) {
  const ofAlerting =
    queries.dialect === 'sqlite'
      ? sql<boolean>`+kind in (${sql.join(kinds)})`
      : sql<boolean>`kind in (${sql.join(kinds)})`;
  return queries
    .ofEveryWorkspace()
    .selectFrom('documents')
    .where(ofAlerting)
    .where(sql<boolean>`(workspace_id, kind, id) > (${workspaceId}, ${kind}, ${id})`)
    .orderBy('workspace_id')
    .orderBy('kind')
    .orderBy('id')
    .limit(sql.lit(pageRows));
}

/**
 * Reads all rows, one page at a time, because the embedded store reads on the thread that also
 * answers requests.
 */
async function paged<R extends { workspace_id: string; kind: string; id: string }, T>(
  session: Session,
  rowsAfter: Statement<PageStart, R>,
  shape: (row: R) => T,
): Promise<T[]> {
  const items: T[] = [];
  let after: PageStart = { workspaceId: '', kind: '', id: '' };
  for (;;) {
    const rows = await session.all(rowsAfter, after);
    for (const row of rows) {
      items.push(shape(row));
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) {
      return items;
    }
    after = { workspaceId: last.workspace_id, kind: last.kind, id: last.id };
    await turn();
  }
}

function documentOf(row: Schema['documents']): StoredDocument {
  return {
    kind: row.kind as DocumentKind,
    id: row.id,
    workspaceId: row.workspace_id,
    version: Number(row.version),
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
    body: JSON.parse(row.body) as StoredDocument['body'],
    sealed: row.sealed,
  };
}
