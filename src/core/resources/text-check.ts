import type { Issue } from '../../contract/errors.ts';
import type { Source } from '../../contract/source.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { CrudDependencies } from '../verb/crud.ts';
import type { Query, WrittenText } from '../query/index.ts';
import { sourceRecord } from './source.ts';

/** What resources whose texts are run later need, to check them when they are saved. */
export interface TextDependencies extends CrudDependencies {
  query: Pick<Query, 'checkTexts'>;
}

/** A text with the source it is about; absent: none, or one that is not known here. */
export type SourcedText = WrittenText & { sourceId?: string | undefined };

/**
 * What is wrong with them. A source that does not exist is reported with the references; texts
 * about it are not checked.
 */
export async function textIssues(
  { store, query }: { store: Pick<StoreReader, 'documents'>; query: Pick<Query, 'checkTexts'> },
  { workspace }: Principal,
  texts: readonly SourcedText[],
): Promise<Issue[]> {
  if (texts.length === 0) {
    return [];
  }
  const ids = [...new Set(texts.flatMap(({ sourceId }) => sourceId ?? []))];
  const sources = new Map(
    (await store.documents.getMany(workspace.id, 'source', ids)).map((stored): [string, Source] => [
      stored.id,
      sourceRecord(stored),
    ]),
  );
  const issues = await query.checkTexts(
    undefined,
    texts.filter(({ sourceId }) => sourceId === undefined),
  );
  for (const [id, source] of sources) {
    issues.push(
      ...(await query.checkTexts(
        source,
        texts.filter(({ sourceId }) => sourceId === id),
      )),
    );
  }
  return issues;
}
