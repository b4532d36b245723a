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

export async function createSavedSearch(body: SavedSearchInput): Promise<SavedSearch> {
  const made = await ask(api.POST('/saved-searches', { body }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

export async function updateSavedSearch(id: string, body: SavedSearchInput): Promise<void> {
  await ask(api.PUT('/saved-searches/{id}', { params: { path: { id } }, body }));
  await queries.invalidateQueries({ queryKey: key });
}

export async function deleteSavedSearch(id: string): Promise<void> {
  await ask(api.DELETE('/saved-searches/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key });
}
