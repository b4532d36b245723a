import { querySeries } from '../../contract/query/chart.ts';
import { invalid, notFound } from '../../contract/errors.ts';
import { queryFacets } from '../../contract/query/facets.ts';
import { searchRow, searchRows } from '../../contract/query/search.ts';
import { getTrace } from '../../contract/query/trace.ts';
import type { Source } from '../../contract/source.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Query } from '../query/index.ts';
import { readVerb } from '../verb/verb.ts';
import { allSources, findSource } from './source.ts';

export interface ChartDependencies {
  store: StoreReader;
  query: Pick<Query, 'series' | 'search' | 'searchRow' | 'facets' | 'trace'>;
}

/** Questions to the telemetry of the caller's workspace. */
export function chartVerbs({ store, query }: ChartDependencies) {
  /** @throws Fault not_found */
  const sourceOf = async (principal: Principal, id: string): Promise<Source> => {
    const source = await findSource(store, principal, id);
    if (!source) {
      throw notFound('source');
    }
    return source;
  };
  return {
    querySeries: readVerb(querySeries, async ({ principal, body, signal }) => ({
      value: await query.series(body, (id) => findSource(store, principal, id), signal),
    })),

    search: readVerb(searchRows, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return { value: await query.search(body, source, signal) };
    }),

    queryFacets: readVerb(queryFacets, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return { value: await query.facets(body, source, signal) };
    }),

    getTrace: readVerb(getTrace, async ({ principal, params, query: { sourceId, at }, signal }) => {
      const sources =
        sourceId === undefined
          ? await allSources(store, principal)
          : [await sourceOf(principal, sourceId)];
      const traceSources = sources.filter((source) => source.kind === 'trace');
      if (sourceId !== undefined && traceSources.length === 0) {
        throw invalid([{ path: 'sourceId', message: 'must be a trace source' }]);
      }
      for (const source of traceSources) {
        const trace = await query.trace({ traceId: params.traceId, atMs: at }, source, signal);
        if (trace) {
          return { value: trace };
        }
      }
      throw notFound('trace');
    }),

    searchRow: readVerb(searchRow, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      const result = await query.searchRow(body, source, signal);
      if (!result) {
        throw notFound('row');
      }
      return { value: result };
    }),
  };
}
