import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronLeft, Plus } from 'lucide-react';
import {
  maintenanceQuery,
  maintenanceWindowQuery,
  type MaintenanceWindow,
} from '../../../api/queries/maintenance.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import { useTitle } from '../../../view/use-title.ts';
import { WindowDialog } from './window-dialog.tsx';
import { WindowSections } from './window-sections.tsx';
import styles from './maintenance.module.css';

const route = getRouteApi('/inside/alerts/maintenance');

/** Times in which alerts are evaluated and send nothing. */
export function Maintenance() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(maintenanceQuery);
  useTitle('Maintenance');
  const create = (): void => void navigate({ search: { new: true } });
  const close = (): void => void navigate({ search: {}, replace: true });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.title}>
          <Link to="/alerts" className={styles.back} aria-label="Alerts">
            <ChevronLeft size={16} aria-hidden />
          </Link>
          <h1>Maintenance windows</h1>
        </div>
        <Button look="primary" icon={<Plus size={14} aria-hidden />} onClick={create}>
          New window
        </Button>
      </header>
      <p className={styles.about}>
        In a window, alerts are evaluated and send nothing. At its end, each alert that still fires
        sends one notification.
      </p>
      <Body query={query} onCreate={create} />
      {params.new && <WindowDialog onClose={close} />}
      {params.edit !== undefined && (
        <EditDialog key={params.edit} id={params.edit} onClose={close} />
      )}
    </div>
  );
}

interface BodyProps {
  query: ReturnType<typeof useQuery<MaintenanceWindow[]>>;
  onCreate(): void;
}

function Body({ query, onCreate }: BodyProps) {
  const { data, error, isFetching, refetch } = query;
  if (error && !data) {
    return (
      <Failure
        title="The maintenance windows cannot be listed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return <Skeleton lines={5} height={44} />;
  }
  if (data.length === 0) {
    return (
      <Empty
        title="There is no maintenance window"
        actions={
          <Button size="small" onClick={onCreate}>
            New window
          </Button>
        }
      >
        Plan one for an upgrade, or every week for a backup. It covers all alerts, alerts with a
        tag, or those that you choose.
      </Empty>
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      <WindowSections windows={data} />
    </div>
  );
}

/** Reads the window and its version, then shows its form. */
function EditDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useQuery({
    ...maintenanceWindowQuery(id),
    staleTime: Infinity,
  });
  if (data) {
    return <WindowDialog stored={data} onClose={onClose} />;
  }
  return (
    <Dialog title="Change the window" look="wide" open onOpenChange={onClose}>
      {error ? (
        <Failure title="The window cannot be shown" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={6} height={40} />
      )}
    </Dialog>
  );
}
