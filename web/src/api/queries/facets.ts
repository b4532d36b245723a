import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import type { Condition } from './search.ts';

export type Facet = Schemas['Facet'];
export type FacetResult = Schemas['FacetResult'];

/** Counts of the values of some fields; without fields, of columns with few values, and keys. */
export const facetsQuery = (
  condition: Condition,
  fields: readonly string[] | undefined,
  search: string,
  runId: number,
) =>
  queryOptions({
    queryKey: ['search', 'facets', condition, fields, search, runId],
    queryFn: ({ signal }) => {
      const body = { ...condition, search, limit: 10, ...(fields && { fields: [...fields] }) };
      return ask(api.POST('/search/facets', { body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
