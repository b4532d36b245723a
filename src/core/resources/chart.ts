import { invalid, notFound } from '../../contract/errors.ts';
import { queryBatch, type BatchRequest } from '../../contract/query/batch.ts';
import { ChartRequest, querySeries } from '../../contract/query/chart.ts';
import { explainSearch, explainSeries } from '../../contract/query/explain.ts';
import { exportRows, mediaTypes, type ExportRequest } from '../../contract/query/export.ts';
import { queryFacets } from '../../contract/query/facets.ts';
import { searchRow, searchRows } from '../../contract/query/search.ts';
import { queryServiceMap } from '../../contract/query/service-map.ts';
import { queryTotals, TotalsRequest } from '../../contract/query/totals.ts';
import { getTrace, type Trace } from '../../contract/query/trace.ts';
import type { Source } from '../../contract/source.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { exportLimit, type BatchedRequest, type Query } from '../query/index.ts';
import { schemaIssues } from '../../contract/schema-issues.ts';
import { readVerb } from '../verb/verb.ts';
import { measured } from './measured.ts';
import { allSources, findSource } from './source.ts';

export interface ChartDependencies {
  store: StoreReader;
  query: Pick<
    Query,
    | 'series'
    | 'totals'
    | 'batch'
    | 'search'
    | 'searchRow'
    | 'facets'
    | 'trace'
    | 'serviceMap'
    | 'exportRows'
    | 'explainSearch'
    | 'explainSeries'
  >;
}

/** Questions to the telemetry of the caller's workspace. */
export function chartVerbs({ store, query }: ChartDependencies) {
  const find = (principal: Principal) => (id: string) => findSource(store, principal, id);
  /** @throws Fault not_found */
  const sourceOf = async (principal: Principal, id: string): Promise<Source> => {
    const source = await findSource(store, principal, id);
    if (!source) {
      throw notFound('source');
    }
    return source;
  };
  return {
    querySeries: readVerb(querySeries, ({ principal, body, signal }) =>
      measured(signal, (context) => query.series(body, find(principal), context)),
    ),

    queryTotals: readVerb(queryTotals, ({ principal, body, signal }) =>
      measured(signal, (context) => query.totals(body, find(principal), context)),
    ),

    queryBatch: readVerb(queryBatch, ({ principal, body, signal }) =>
      measured(signal, (context) =>
        query.batch(body.requests.map(batchedRequest), find(principal), context),
      ),
    ),

    search: readVerb(searchRows, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return measured(signal, (context) => query.search(body, source, context));
    }),

    exportRows: readVerb(exportRows, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return {
        value: undefined,
        file: {
          name: fileName(source, body),
          mediaType: mediaTypes[body.format],
          rowLimit: exportLimit,
          write: (put) => query.exportRows(body, source, put, { signal }),
        },
      };
    }),

    explainSearch: readVerb(explainSearch, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return { value: await query.explainSearch(body, source, { signal }) };
    }),

    explainSeries: readVerb(explainSeries, async ({ principal, body, signal }) => ({
      value: await query.explainSeries(body, find(principal), { signal }),
    })),

    queryFacets: readVerb(queryFacets, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return measured(signal, (context) => query.facets(body, source, context));
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
      return measured(signal, async (context): Promise<Trace> => {
        for (const source of traceSources) {
          const request = { traceId: params.traceId, atMs: at };
          const trace = await query.trace(request, source, context);
          if (trace) {
            return trace;
          }
        }
        throw notFound('trace');
      });
    }),

    queryServiceMap: readVerb(queryServiceMap, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      if (source.kind !== 'trace') {
        throw invalid([{ path: 'sourceId', message: 'must be a trace source' }]);
      }
      return measured(signal, (context) => query.serviceMap(body, source, context));
    }),

    searchRow: readVerb(searchRow, async ({ principal, body, signal }) => {
      const source = await sourceOf(principal, body.sourceId);
      return measured(signal, async (context) => {
        const result = await query.searchRow(body, source, context);
        if (!result) {
          throw notFound('row');
        }
        return result;
      });
    }),
  };
}

/** The rules across fields, which only a request of its own can break, are checked here. */
function batchedRequest({ type, ...request }: BatchRequest['requests'][number]): BatchedRequest {
  const parsed =
    type === 'series'
      ? { type, ...ChartRequest.safeParse(request) }
      : { type, ...TotalsRequest.safeParse(request) };
  return parsed.success
    ? ({ type, request: parsed.data } as BatchedRequest)
    : { type: 'error', fault: invalid(schemaIssues(parsed.error.issues)) };
}

/** The source and the start of the range, such as `Logs-20260101T000000Z.csv`. */
function fileName({ name }: Source, { startTime, format }: ExportRequest): string {
  const words = name.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? ['rows'];
  const start = new Date(startTime).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${words.join('-').slice(0, 60)}-${start}.${format}`;
}
