import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import {
  createSavedSearch,
  savedSearchesQuery,
  type SavedSearch,
} from '../../../api/queries/saved-searches.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { CommandList } from '../../../kit/command-list.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { toast } from '../../../kit/toast.tsx';
import type { SearchModel } from '../model.ts';
import { useCurrentSearch } from './current-search.tsx';
import { inputOf } from './saved-input.ts';
import styles from './toolbar.module.css';

/** Opens, makes, changes and deletes saved searches. */
export function SavedSearches({ model, icon }: { model: SearchModel; icon: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const { data: saved = [] } = useQuery({ ...savedSearchesQuery, enabled: isOpen || isNaming });
  const { current, dialog } = useCurrentSearch(model);
  const navigate = useNavigate();
  const open = (search: SavedSearch): void => {
    setOpen(false);
    model.openSaved(search);
  };
  return (
    <>
      <Popover
        label="Saved searches"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <IconButton look="normal" label="Saved searches">
            {icon}
          </IconButton>
        }
      >
        <div className={styles.saved}>
          <CommandList
            label="Saved searches"
            placeholder="Find a saved search"
            empty={saved.length === 0 ? 'No search is saved yet.' : undefined}
            commands={saved.map((search) => ({
              id: search.id,
              label: search.name,
              words: search.tags.join(' '),
              hint: search.where.slice(0, 40),
              isCurrent: search.id === model.params.savedSearchId,
              run: () => open(search),
            }))}
          />
          <div className={styles.savedFoot}>
            <Button
              size="small"
              onClick={() => {
                setOpen(false);
                setNaming(true);
              }}
            >
              Save this search…
            </Button>
            {current && (
              <>
                <Button
                  size="small"
                  onClick={() =>
                    void navigate({
                      to: '/alerts/new',
                      search: { savedSearchId: model.params.savedSearchId },
                    })
                  }
                >
                  Create alert
                </Button>
                <Button
                  size="small"
                  onClick={() => {
                    setOpen(false);
                    current.update();
                  }}
                >
                  Update
                </Button>
                <Button
                  size="small"
                  look="danger"
                  onClick={() => {
                    setOpen(false);
                    current.remove();
                  }}
                >
                  Delete
                </Button>
              </>
            )}
          </div>
        </div>
      </Popover>
      {dialog}
      {isNaming && <SaveDialog model={model} onClose={() => setNaming(false)} />}
    </>
  );
}

function SaveDialog({ model, onClose }: { model: SearchModel; onClose(): void }) {
  const [name, setName] = useState('');
  const { isBusy, error, run } = useAction();
  const save = async (): Promise<void> => {
    const made = await createSavedSearch(inputOf(model, name, []));
    model.show({ savedSearchId: made.id });
    toast(`“${made.name}” saved.`);
    onClose();
  };
  return (
    <Dialog
      title="Save this search"
      description="Keeps the source, query, filters, columns and order. The time range is not part of it."
      open
      onOpenChange={onClose}
      onSubmit={() => void run(save)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || name.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        autoFocus
        value={name}
        error={error?.issueAt('name') ?? error?.message}
        maxLength={1024}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}
