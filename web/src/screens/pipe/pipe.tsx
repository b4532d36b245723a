import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { pipeMetricsQuery, pipeQuery, type VersionedPipe } from '../../api/queries/pipes.ts';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { kindOf } from '../../pipes/kinds.ts';
import { RightsNote } from '../../pipes/rights-note.tsx';
import { StaleNote } from '../../kit/stale-note.tsx';
import { nameOf } from '../../pipes/states.ts';
import { useRecentPage } from '../../view/recent.ts';
import { BadRecords } from './bad-records.tsx';
import { Columns } from './mapping/columns.tsx';
import { Tables } from './mapping/tables.tsx';
import { Head } from './head.tsx';
import { Metrics } from './metrics.tsx';
import type { PipeTab } from './params.ts';
import { Settings } from './settings/settings.tsx';
import { Status } from './status.tsx';
import { refreshAfterMs } from './refresh.ts';
import styles from './pipe.module.css';

const route = getRouteApi('/inside/pipes/$id');

/** One pipe: whether it works, what to do, what it has stored and how it is set. */
export function Pipe() {
  const { id } = route.useParams();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...pipeQuery(id),
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.item),
  });
  const retry = (): void => void refetch();
  if (error instanceof ApiError && isGone(error)) {
    return <Gone />;
  }
  if (!data) {
    return error ? (
      <Failure title="The pipe cannot be shown" error={error} onRetry={retry} />
    ) : (
      <Skeleton lines={8} height={64} />
    );
  }
  return (
    <div className={styles.page}>
      <Shown key={id} stored={data}>
        {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={retry} />}
      </Shown>
    </div>
  );
}

const isGone = (error: ApiError): boolean =>
  error.status === 404 || error.issueAt('pipeId') !== undefined;

const Gone = () => (
  <Empty title="There is no such pipe" actions={<Link to="/pipes">Pipes</Link>}>
    Somebody deleted it, or the address is wrong.
  </Empty>
);

interface ShownProps {
  stored: VersionedPipe;
  children: ReactNode;
}

function Shown({ stored, children }: ShownProps) {
  const { item: pipe } = stored;
  const navigate = useNavigate();
  useRecentPage(nameOf(pipe));
  return (
    <>
      <Head pipe={pipe} onDeleted={() => void navigate({ to: '/pipes', replace: true })} />
      {children}
      <RightsNote />
      <Status pipe={pipe} />
      <Details stored={stored} />
    </>
  );
}

function Details({ stored }: { stored: VersionedPipe }) {
  const { tab = 'metrics' } = route.useSearch();
  const navigate = route.useNavigate();
  const { item: pipe } = stored;
  const { data: metrics } = useQuery(pipeMetricsQuery(pipe.id));
  const isDatabase = kindOf(pipe) === 'postgres';
  const tabs: { value: PipeTab; label: string; count?: number }[] = [
    { value: 'metrics', label: 'Metrics' },
    {
      value: 'errors',
      label: 'Bad records',
      ...(metrics !== undefined && { count: metrics.errors }),
    },
    { value: 'mapping', label: isDatabase ? 'Tables' : 'Columns' },
    { value: 'settings', label: 'Settings' },
  ];
  const show = (next: PipeTab): void =>
    void navigate({
      search: (old) => ({ ...old, tab: next === 'metrics' ? undefined : next }),
      replace: true,
    });
  return (
    <div className={styles.details}>
      <Tabs label="Details" value={tab} tabs={tabs} onChange={show}>
        <div className={styles.tab}>
          {tab === 'metrics' && <Metrics pipe={pipe} />}
          {tab === 'errors' && <BadRecords pipe={pipe} />}
          {tab === 'mapping' &&
            (isDatabase ? <Tables stored={stored} /> : <Columns stored={stored} />)}
          {tab === 'settings' && <Settings stored={stored} />}
        </div>
      </Tabs>
    </div>
  );
}
