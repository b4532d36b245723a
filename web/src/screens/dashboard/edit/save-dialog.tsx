import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { alertsQuery } from '../../../api/queries/alerts.ts';
import {
  dashboardQuery,
  replaceDashboard,
  type VersionedDashboard,
} from '../../../api/queries/dashboards.ts';
import { queries } from '../../../api/query-client.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ErrorText, Skeleton } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import { differences } from './differences.ts';
import { bodyOf, draftOf, type Draft } from './use-draft.ts';
import styles from './edit.module.css';

interface SaveDialogProps {
  id: string;
  draft: Draft;
  onSaved(): void;
  onClose(): void;
}

/** Says what goes with removed tiles, saves, and settles a conflict with somebody else's change. */
export function SaveDialog({ id, draft, onSaved, onClose }: SaveDialogProps) {
  const { isBusy, error, run } = useAction();
  const kept = new Set(draft.dashboard.tiles.map((tile) => tile.id));
  const removed = draft.base.tiles.filter((tile) => !kept.has(tile.id));
  // Those of now: somebody may have made one since the dashboard was opened.
  const { data: alerts = [], isFetchedAfterMount } = useQuery({
    ...alertsQuery,
    staleTime: 0,
    enabled: removed.length > 0,
  });
  const lost = alerts.filter(({ tileId }) => removed.some((tile) => tile.id === tileId));
  const [theirs, setTheirs] = useState<VersionedDashboard>();
  const save = (version: string): Promise<void> =>
    run(async () => {
      try {
        await replaceDashboard(id, bodyOf(draft.dashboard), version);
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.status === 412)) {
          throw failure;
        }
        setTheirs(await queries.fetchQuery({ ...dashboardQuery(id), staleTime: 0 }));
        return;
      }
      draft.discard();
      toast('The dashboard is saved.');
      onSaved();
    });
  const isKnown = removed.length === 0 || isFetchedAfterMount;
  const mustAsk = removed.length > 0 && lost.length > 0;
  const isStarted = useOnce(isKnown && !mustAsk, () => void save(draft.version));

  if (theirs) {
    return (
      <ConflictDialog
        draft={draft}
        theirs={theirs}
        isBusy={isBusy}
        error={error}
        onMine={() => void save(theirs.version)}
        onTheirs={() => {
          draft.discard();
          onSaved();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title="Save the dashboard"
      open
      onOpenChange={onClose}
      actions={
        (mustAsk || error) && (
          <>
            <Button onClick={onClose}>Go on editing</Button>
            <Button
              look={mustAsk ? 'danger' : 'primary'}
              disabled={isBusy}
              onClick={() => void save(draft.version)}
            >
              {mustAsk
                ? `Save and delete ${lost.length === 1 ? 'the alert' : 'the alerts'}`
                : 'Save again'}
            </Button>
          </>
        )
      }
    >
      {mustAsk && (
        <>
          <p>A removed tile takes its alerts with it. Nobody can bring them back:</p>
          <ul className={styles.lost}>
            {lost.map((alert) => (
              <li key={alert.id}>
                <b>{alert.name ?? alert.id}</b> of the tile “
                {removed.find((tile) => tile.id === alert.tileId)?.name}”
              </li>
            ))}
          </ul>
        </>
      )}
      {!mustAsk && !error && isStarted && <Skeleton lines={1} />}
      <ErrorText error={error} />
    </Dialog>
  );
}

/** Runs the action once, as soon as it may. */
function useOnce(isOn: boolean, action: () => void): boolean {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (isOn && !isDone) {
      setDone(true);
      action();
    }
  });
  return isDone;
}

interface ConflictProps {
  draft: Draft;
  theirs: VersionedDashboard;
  isBusy: boolean;
  error: Error | undefined;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

function ConflictDialog({ draft, theirs, ...props }: ConflictProps) {
  const before = draft.base;
  const sides = [
    { title: 'Their changes', lines: differences(before, draftOf(theirs.item)) },
    { title: 'Your changes', lines: differences(before, draft.dashboard) },
  ];
  return (
    <Dialog
      title="Somebody else changed this dashboard"
      look="wide"
      open
      onOpenChange={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Go on editing</Button>
          <Button look="danger" disabled={props.isBusy} onClick={props.onTheirs}>
            Take theirs, discard mine
          </Button>
          <Button look="danger" disabled={props.isBusy} onClick={props.onMine}>
            Save mine over theirs
          </Button>
        </>
      }
    >
      <div className={styles.sides}>
        {sides.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul className={styles.lost}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <ErrorText error={props.error} />
    </Dialog>
  );
}
