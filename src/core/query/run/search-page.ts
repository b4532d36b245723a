import type { SearchResult } from '../../../contract/search.ts';
import type { QueryResult, Value } from '../../../ports/telemetry.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import { writeCursor, type Cursor } from './search-cursor.ts';

/** Converts rows of the engine to a page of the search, with a cursor if there is a next page. */
export function searchPage(plan: SearchPlan, { columns, rows }: QueryResult): SearchResult {
  const shown = rows.slice(0, plan.limit);
  const page = {
    columns: plan.columns.map(({ name }, index) => ({ name, type: columns[index]?.type ?? '' })),
    rows: shown.map((row) =>
      Object.fromEntries(plan.columns.map(({ name }, index) => [name, row[index] ?? null])),
    ),
  };
  return rows.length > plan.limit ? { ...page, cursor: writeCursor(next(plan, shown)) } : page;
}

function next({ order, cursor, limit }: SearchPlan, shown: Value[][]): Cursor {
  if (order.length > 0) {
    return { kind: 'offset', skip: (cursor?.skip ?? 0) + limit };
  }
  const nanos = String(shown.at(-1)?.at(-1));
  const same = shown.filter((row) => row.at(-1) === nanos).length;
  // If the whole page has the time at which the previous page ended, continue its count.
  return {
    kind: 'time',
    nanos,
    skip: same + (cursor?.kind === 'time' && cursor.nanos === nanos ? cursor.skip : 0),
  };
}
