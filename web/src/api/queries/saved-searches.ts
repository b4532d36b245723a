import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';

export type SavedSearch = Schemas['SavedSearch'];
export type SavedSearchInput = Schemas['SavedSearchInput'];

const key = ['saved-searches'];

export const savedSearchesQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/saved-searches', { signal })),
});

/** A saved search with the version that a change names. */
export interface VersionedSearch {
  search: SavedSearch;
  version: string;
}

/** The saved search as it was when it was opened: a change of another person shows as a conflict. */
export const savedSearchQuery = (id: string) =>
  queryOptions({
    queryKey: ['saved-search', id],
    queryFn: ({ signal }) => readSavedSearch(id, signal),
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** The saved search as it is now. */
export async function readSavedSearch(id: string, signal?: AbortSignal): Promise<VersionedSearch> {
  const params = { path: { id } };
  const answered = await api.GET('/saved-searches/{id}', { params, ...(signal && { signal }) });
  const search = await ask(Promise.resolve(answered));
  return { search, version: answered.response.headers.get('etag') ?? '' };
}

export async function createSavedSearch(body: SavedSearchInput): Promise<SavedSearch> {
  const made = await ask(api.POST('/saved-searches', { body }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

/** Changes that version; another one is a 412. */
export async function updateSavedSearch(
  id: string,
  version: string,
  body: SavedSearchInput,
): Promise<void> {
  const params = { path: { id }, header: { 'If-Match': version } };
  await ask(api.PUT('/saved-searches/{id}', { params, body }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: key }),
    queries.invalidateQueries({ queryKey: ['saved-search', id] }),
  ]);
}

export async function deleteSavedSearch(id: string): Promise<void> {
  await ask(api.DELETE('/saved-searches/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key });
}
