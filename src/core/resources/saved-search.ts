import {
  createSavedSearch,
  deleteSavedSearch,
  getSavedSearch,
  listSavedSearches,
  updateSavedSearch,
  type SavedSearch,
  type SavedSearchChange,
  type SavedSearchInput,
} from '../../contract/saved-search.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import { crudVerbs, type Resource } from '../verb/crud.ts';
import type { Draft } from '../verb/draft.ts';
import { removeAlerts } from './alert-cascade.ts';
import { given, times } from '../verb/document.ts';
import { textIssues, type SourcedText, type TextDependencies } from './text-check.ts';

export function savedSearchVerbs(deps: TextDependencies) {
  const verbs = crudVerbs(
    {
      list: listSavedSearches,
      create: createSavedSearch,
      get: getSavedSearch,
      update: updateSavedSearch,
      remove: deleteSavedSearch,
    },
    savedSearchResource(deps),
    deps,
  );
  return {
    listSavedSearches: verbs.list,
    createSavedSearch: verbs.create,
    getSavedSearch: verbs.get,
    updateSavedSearch: verbs.update,
    deleteSavedSearch: verbs.remove,
  };
}

function savedSearchResource(
  deps: TextDependencies,
): Resource<'savedSearch', SavedSearchInput, SavedSearchChange, SavedSearch> {
  return {
    kind: 'savedSearch',
    noun: 'saved search',
    present: (stored) => stored.map(savedSearchRecord),

    /**
     * A change is checked with what it leaves as it is; one that touches no text, and no source, is
     * not.
     */
    async inputIssues(input, principal, id) {
      if (id === undefined) {
        return textIssues(deps, principal, searchTexts(input as SavedSearchInput));
      }
      if (!asksAnew.some((name) => input[name] !== undefined)) {
        return [];
      }
      const stored = await deps.store.documents.get(principal.workspace.id, 'savedSearch', id);
      return stored ? textIssues(deps, principal, searchTexts(merged(input, stored))) : [];
    },

    compose: draft,
    amend: (change, stored) => draft(merged(change, stored)),

    async release(stored, context) {
      await removeAlerts(
        await context.parts.documents.referrers(stored.workspaceId, 'savedSearch', stored.id),
        context,
      );
    },
  };
}

const asksAnew = [
  'sourceId',
  'select',
  'where',
  'whereLanguage',
  'orderBy',
  'filters',
] as const satisfies (keyof SavedSearchChange)[];

const merged = (
  change: SavedSearchChange,
  stored: StoredDocument<'savedSearch'>,
): SavedSearchInput => ({
  ...stored.body,
  ...given(change),
});

function searchTexts({
  sourceId,
  select,
  where,
  whereLanguage,
  orderBy,
  filters,
}: SavedSearchInput): SourcedText[] {
  return [
    { path: 'select', text: select, as: 'columns', sourceId },
    { path: 'where', text: where, as: 'condition', language: whereLanguage, sourceId },
    { path: 'orderBy', text: orderBy, as: 'order', sourceId },
    ...filters.map((filter, index): SourcedText => ({
      path: `filters.${index}`,
      as: 'filter',
      filter,
      sourceId,
    })),
  ];
}

function draft(input: SavedSearchInput): Draft<'savedSearch'> {
  return {
    body: input,
    references: [{ kind: 'source', id: input.sourceId, path: 'sourceId' }],
  };
}

function savedSearchRecord(stored: StoredDocument<'savedSearch'>): SavedSearch {
  return { id: stored.id, ...stored.body, ...times(stored) };
}
