import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';

export type Source = Schemas['Source'];
export type SourceField = Schemas['SourceField'];

/** Sources that have rows to search: logs and traces. */
export type RowSource = Extract<Source, { kind: 'log' | 'trace' }>;

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => ask(api.GET('/sources', { signal })),
  staleTime: 300_000,
});

/** Columns and attribute keys with samples of values, for completion. */
export const sourceFieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', id, 'fields'],
    queryFn: ({ signal }) =>
      ask(api.GET('/sources/{id}/fields', { params: { path: { id } }, signal })),
    staleTime: 120_000,
  });

export function isRowSource(source: Source): source is RowSource {
  return source.kind === 'log' || source.kind === 'trace';
}
