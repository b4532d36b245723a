import { SearchRequest, type SearchResult } from '../../src/contract/query/search.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, openQueryKit, t0, type LogRow, type QueryKit } from './query-kit.ts';

export type Row = SearchResult['rows'][number];

export interface PagingKit extends QueryKit {
  /** Replaces all rows; each list becomes a part of its own. */
  storeParts(parts: readonly (readonly LogRow[])[]): Promise<void>;
  /** Merges all parts. */
  merge(): Promise<void>;
  search(request: Record<string, unknown>): Promise<SearchResult>;
  /** Reads every page; `between` runs before each page but the first. */
  pages(request: Record<string, unknown>, between: (page: number) => Promise<void>): Promise<Row[]>;
}

export async function openPagingKit(): Promise<PagingKit> {
  const kit = await openQueryKit();
  const table = qualified(kit.database, 'otel_logs');
  const search = (request: Record<string, unknown>) =>
    kit.query.search(
      SearchRequest.parse({ sourceId: ids.logs, startTime: t0, endTime: t0 + 60_000, ...request }),
      kit.sources[ids.logs]!,
    );
  return {
    ...kit,
    async storeParts(parts) {
      await kit.command(sql`TRUNCATE TABLE ${table}`);
      for (const rows of parts.filter((part) => part.length > 0)) {
        await kit.insert('otel_logs', rows);
      }
    },
    merge: () => kit.command(sql`OPTIMIZE TABLE ${table} FINAL`),
    search,
    async pages(request, between) {
      const rows: Row[] = [];
      let cursor: string | undefined;
      for (let page = 0; page === 0 || cursor !== undefined; page++) {
        if (page > 0) {
          await between(page);
        }
        const result = await search({ ...request, ...(cursor !== undefined && { cursor }) });
        rows.push(...result.rows);
        ({ cursor } = result);
      }
      return rows;
    },
  };
}

export const sortedTexts = (texts: readonly string[]): string[] => [...texts].sort();
