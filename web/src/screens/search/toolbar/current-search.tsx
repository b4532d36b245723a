import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  deleteSavedSearch,
  readSavedSearch,
  savedSearchQuery,
  updateSavedSearch,
  type SavedSearch,
  type VersionedSearch,
} from '../../../api/queries/saved-searches.ts';
import { useAction } from '../../../api/use-action.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { Conflict, type Difference } from '../../../kit/conflict.tsx';
import { toast } from '../../../kit/toast.tsx';
import { filterLabel } from '../../../view/filters.ts';
import { savedFilter } from '../../../api/filters.ts';
import type { SearchModel } from '../model.ts';
import { inputOf, type Question } from './saved-input.ts';

/** Changes of the saved search that is open. */
export interface CurrentSearch {
  name: string;
  update(): void;
  remove(): void;
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** The open saved search, if there is one, and the dialogs of its changes. */
export function useCurrentSearch(model: SearchModel): {
  current: CurrentSearch | undefined;
  dialog: ReactNode;
} {
  const id = model.params.savedSearchId;
  const { data: opened } = useQuery({ ...savedSearchQuery(id ?? ''), enabled: id !== undefined });
  const [theirs, setTheirs] = useState<VersionedSearch>();
  const [isRemoving, setRemoving] = useState(false);
  const action = useAction();
  if (id === undefined || !opened) {
    return { current: undefined, dialog: null };
  }
  const { name, tags } = opened.search;
  const save = async (version: string): Promise<void> => {
    try {
      await updateSavedSearch(id, version, inputOf(model, name, tags));
      setTheirs(undefined);
      toast(`“${name}” updated.`);
    } catch (error) {
      if (!isConflict(error)) {
        throw error;
      }
      setTheirs(await readSavedSearch(id));
    }
  };
  const update = async (): Promise<void> => {
    try {
      await save(opened.version);
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The change failed.', 'error');
    }
  };
  const remove = async (): Promise<void> => {
    await deleteSavedSearch(id);
    setRemoving(false);
    model.show({ savedSearchId: undefined });
    toast(`“${name}” deleted.`);
  };
  return {
    current: { name, update: () => void update(), remove: () => setRemoving(true) },
    dialog: (
      <>
        {theirs && (
          <Conflict
            name={name}
            differences={differencesOf(theirs.search, model)}
            isSaving={action.isBusy}
            error={action.error?.message}
            onMine={() => void action.run(() => save(theirs.version))}
            onTheirs={() => {
              setTheirs(undefined);
              model.openSaved(theirs.search);
            }}
            onClose={() => setTheirs(undefined)}
          />
        )}
        {isRemoving && (
          <Confirm
            title={`Delete “${name}”?`}
            action="Delete"
            isBusy={action.isBusy}
            error={action.error}
            onConfirm={() => void action.run(remove)}
            onClose={() => setRemoving(false)}
          >
            Its alerts are deleted, too. Links that name it show a search without a query.
          </Confirm>
        )}
      </>
    ),
  };
}

/** Fields in which the question on screen is another than the stored one. */
function differencesOf(theirs: SavedSearch, model: SearchModel): Difference[] {
  const mine = inputOf(model, theirs.name, theirs.tags);
  const sourceName = (id: string): string =>
    model.sources.find((source) => source.id === id)?.name ?? id;
  const fields: [name: string, text: (one: Question) => string][] = [
    ['Source', ({ sourceId }) => sourceName(sourceId)],
    ['Query', ({ where }) => where],
    ['Language', ({ whereLanguage }) => (whereLanguage === 'sql' ? 'SQL' : 'Lucene')],
    ['Filters', ({ filters }) => filters.map(savedFilter).map(filterLabel).join('\n')],
    ['Columns', ({ select }) => select],
    ['Order', ({ orderBy }) => orderBy],
  ];
  return fields
    .map(([name, text]) => ({ name, theirs: text(theirs), mine: text(mine) }))
    .filter((one) => one.theirs !== one.mine);
}
