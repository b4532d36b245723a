import { queryOptions } from '@tanstack/react-query';
import { api, ask, askVersion, type Schemas, type Versioned } from '../client.ts';
import { queries } from '../query-client.ts';

export type Source = Schemas['Source'];
export type SourceField = Schemas['SourceField'];
export type SourceInput = Schemas['SourceInput'];
export type SourceChange = Schemas['SourceChange'];
export type SourceCheck = Schemas['SourceCheck'];
export type SourceTime = Schemas['SourceTime'];
export type TelemetryTable = Schemas['TelemetryTable'];

/** Sources that have rows to search: logs and traces. */
export type RowSource = Extract<Source, { kind: 'log' | 'trace' }>;

export type VersionedSource = Versioned<Source>;

const key = ['sources'];

export const sourcesQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/sources', { signal })),
  staleTime: 300_000,
});

/** The source as it was when it was opened: a change of another person shows as a conflict. */
export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: ({ signal }) => readSource(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });

/** The source as it is now. */
export const readSource = (id: string, signal?: AbortSignal): Promise<VersionedSource> =>
  askVersion(api.GET('/sources/{id}', { params: { path: { id } }, ...(signal && { signal }) }));

/** Columns and attribute keys with samples of values, for completion. */
export const sourceFieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', id, 'fields'],
    queryFn: ({ signal }) =>
      ask(api.GET('/sources/{id}/fields', { params: { path: { id } }, signal })),
    staleTime: 120_000,
  });

/** When each source got its newest row. */
export const sourceTimesQuery = queryOptions({
  queryKey: ['source-times'],
  queryFn: ({ signal }) => ask(api.GET('/sources/times', { signal })),
  staleTime: 10_000,
});

/** Tables that a source can read, with their columns. */
export const tablesQuery = queryOptions({
  queryKey: ['source-tables'],
  queryFn: ({ signal }) => ask(api.GET('/sources/tables', { signal })),
  staleTime: 30_000,
});

/** Checks a source that is not stored, and returns its newest rows. */
export const checkSource = (body: SourceInput, signal: AbortSignal): Promise<SourceCheck> =>
  ask(api.POST('/sources/check', { body, signal }));

export async function createSource(body: SourceInput): Promise<Source> {
  const made = await ask(api.POST('/sources', { body }));
  await forgetSources();
  return made;
}

/**
 * Changes that version of the source.
 *
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function updateSource(id: string, version: string, body: SourceChange): Promise<void> {
  const params = { path: { id }, header: { 'If-Match': version } };
  await ask(api.PUT('/sources/{id}', { params, body }));
  await forgetSources();
}

export async function deleteSource(id: string): Promise<void> {
  await ask(api.DELETE('/sources/{id}', { params: { path: { id } } }));
  await forgetSources();
}

async function forgetSources(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: key }),
    queries.invalidateQueries({ queryKey: sourceTimesQuery.queryKey }),
  ]);
}

export function isRowSource(source: Source): source is RowSource {
  return source.kind === 'log' || source.kind === 'trace';
}
