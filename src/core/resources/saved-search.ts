import { createSavedSearch, deleteSavedSearch, getSavedSearch, listSavedSearches, updateSavedSearch, type SavedSearch, type SavedSearchChange, type SavedSearchInput } from '../../contract/saved-search.ts';
import type { JsonObject, StoredDocument } from '../../ports/store.ts';
import { crudVerbs, type CrudDependencies, type Draft, type Resource } from '../crud.ts';
import { removeAlerts } from './alert-cascade.ts';
import { given, times } from './document.ts';

export function savedSearchVerbs(deps: CrudDependencies) {
  const verbs = crudVerbs({ list: listSavedSearches, create: createSavedSearch, get: getSavedSearch, update: updateSavedSearch, remove: deleteSavedSearch }, savedSearchResource, deps);
  return { listSavedSearches: verbs.list, createSavedSearch: verbs.create, getSavedSearch: verbs.get, updateSavedSearch: verbs.update, deleteSavedSearch: verbs.remove };
}

const savedSearchResource: Resource<SavedSearchInput, SavedSearchChange, SavedSearch> = {
  kind: 'savedSearch',
  noun: 'saved search',
  present: (stored) => stored.map(savedSearchRecord),
  compose: draft,
  amend: (change, stored) => draft({ ...(stored.body as unknown as SavedSearchInput), ...given(change) }),

  async release(stored, context) {
    await removeAlerts(await context.parts.documents.referrers(stored.workspaceId, 'savedSearch', stored.id), context);
  },
};

function draft(input: SavedSearchInput): Draft {
  return { body: input as unknown as JsonObject, references: [{ kind: 'source', id: input.sourceId, path: 'sourceId' }] };
}

function savedSearchRecord(stored: StoredDocument): SavedSearch {
  return { id: stored.id, ...(stored.body as unknown as SavedSearchInput), ...times(stored) };
}
