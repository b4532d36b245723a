import { queryOptions } from '@tanstack/react-query';
import { queries } from '../query-client.ts';
import { fetchRows } from './search.ts';
import { isRowSource, sourcesQuery } from './sources.ts';

const dayMs = 86_400_000;
/** How far back a row counts: as long as the server keeps rows by default. */
const reachMs = 30 * dayMs;

/** The first source that has a row of logs or spans; null while no row exists. */
export const firstRowQuery = queryOptions({
  queryKey: ['first-row'],
  queryFn: async ({ signal }) => {
    const sources = (await queries.ensureQueryData(sourcesQuery)).filter(isRowSource);
    for (const { id } of sources) {
      const nowMs = Date.now();
      const { rows } = await fetchRows(
        {
          sourceId: id,
          where: '',
          whereLanguage: 'lucene',
          filters: [],
          select: [],
          startTime: nowMs - reachMs,
          endTime: nowMs + dayMs,
          limit: 1,
        },
        signal,
      );
      if (rows.length > 0) {
        return { sourceId: id };
      }
    }
    return null;
  },
  // Rows that exist once exist for the rest of the visit.
  staleTime: ({ state }) => (state.data ? Infinity : 0),
});

/** Whether the team has no row yet. If the answer fails, it counts as having rows. */
export async function isWithoutRows(): Promise<boolean> {
  try {
    return (await queries.fetchQuery(firstRowQuery)) === null;
  } catch {
    return false;
  }
}
