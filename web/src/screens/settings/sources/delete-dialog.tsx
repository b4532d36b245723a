import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dashboardsQuery, type Dashboard } from '../../../api/queries/dashboards.ts';
import { savedSearchesQuery } from '../../../api/queries/saved-searches.ts';
import { deleteSource, type Source } from '../../../api/queries/sources.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Skeleton } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import styles from './sources.module.css';

interface DeleteDialogProps {
  source: Source;
  onClose(): void;
}

/** Deletes a source that nothing uses, or says what uses it. */
export function DeleteDialog({ source, onClose }: DeleteDialogProps) {
  const { isBusy, error, run } = useAction();
  const dashboards = useQuery(dashboardsQuery);
  const searches = useQuery(savedSearchesQuery);
  // If they cannot be listed, the API still refuses and names them.
  const isKnown = !dashboards.isPending && !searches.isPending;
  const usingDashboards = (dashboards.data ?? []).filter((one) => uses(one, source.id));
  const usingSearches = (searches.data ?? []).filter(({ sourceId }) => sourceId === source.id);
  const remove = async (): Promise<void> => {
    await deleteSource(source.id);
    toast(`“${source.name}” is deleted.`);
    onClose();
  };
  if (!isKnown || usingDashboards.length + usingSearches.length > 0) {
    return (
      <Dialog
        title={isKnown ? `“${source.name}” is in use` : `Delete “${source.name}”?`}
        open
        onOpenChange={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        {isKnown ? (
          <>
            <p>Change or delete these first:</p>
            <ul className={styles.users} aria-label="Users of the source">
              {usingDashboards.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/dashboards/$id" params={{ id }}>
                    {name}
                  </Link>
                  <span className={styles.note}>Dashboard</span>
                </li>
              ))}
              {usingSearches.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/search" search={{ source: source.id, savedSearchId: id }}>
                    {name}
                  </Link>
                  <span className={styles.note}>Saved search</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <Skeleton lines={2} />
        )}
      </Dialog>
    );
  }
  return (
    <Confirm
      title={`Delete “${source.name}”?`}
      action="Delete source"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>
        Its rows stay in the database. Searches and charts can no longer read them through this
        source.
      </p>
    </Confirm>
  );
}

/** A dashboard uses the sources of its tiles and of its filters. */
function uses({ tiles, filters }: Dashboard, sourceId: string): boolean {
  return (
    filters.some((filter) => filter.sourceId === sourceId) ||
    tiles.some(({ config }) => 'sourceId' in config && config.sourceId === sourceId)
  );
}
