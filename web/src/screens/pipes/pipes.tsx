import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { pipeListQuery, type ListedPipe } from '../../api/queries/pipes.ts';
import { sessionQuery } from '../../api/queries/session.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { missingReach } from '../../pipes/rights.ts';
import { RightsNote } from '../../pipes/rights-note.tsx';
import { StaleNote } from '../../kit/stale-note.tsx';
import { byUrgency, isPassing } from '../../pipes/states.ts';
import { formatCount } from '../../view/number-format.ts';
import { compact } from '../../view/url-state.ts';
import { useTitle } from '../../view/use-title.ts';
import { Finder } from './finder.tsx';
import { fits, type PipesParams } from './params.ts';
import { NewPipeLink } from './new-pipe-link.tsx';
import { NoPipe } from './no-pipe.tsx';
import { PipeTable } from './pipe-table.tsx';
import styles from './pipes.module.css';

const route = getRouteApi('/inside/pipes');
const refreshMs = 10_000;
/** While a pipe starts or stops. */
const passingRefreshMs = 2000;
/** Larger lists are large answers. */
const slowRefreshMs = 60_000;
const largeList = 300;

/** All pipes of the service, what needs a person first. */
export function Pipes() {
  useTitle('Pipes');
  const { data: session } = useQuery(sessionQuery);
  const missing = session && missingReach(session);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Pipes</h1>
        {missing === undefined && <NewPipeLink look="primary" />}
      </header>
      {missing === undefined ? <List /> : <Empty title="You cannot see pipes">{missing}</Empty>}
    </div>
  );
}

function List() {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery({
    ...pipeListQuery,
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.pipes ?? []),
  });
  const retry = (): void => void refetch();
  if (error && !data) {
    return <Failure title="The pipes cannot be listed" error={error} onRetry={retry} />;
  }
  if (!data) {
    return <Skeleton lines={8} height={44} />;
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={retry} />}
      {data.pipes.length === 0 ? <NoPipe /> : <Found {...data} />}
    </div>
  );
}

function refreshAfterMs(pipes: readonly ListedPipe[]): number {
  if (pipes.length > largeList) {
    return slowRefreshMs;
  }
  return pipes.some(isPassing) ? passingRefreshMs : refreshMs;
}

function Found({ pipes, total }: { pipes: ListedPipe[]; total: number }) {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const show = (changes: Partial<PipesParams>): void => {
    void navigate({
      search: (before: PipesParams) => compact({ ...before, ...changes }),
      replace: true,
    });
  };
  const found = pipes.filter((pipe) => fits(pipe, params)).toSorted(byUrgency);
  return (
    <>
      <RightsNote />
      <Finder pipes={pipes} params={params} onShow={show} />
      {total > pipes.length && (
        <p className={styles.note}>
          The first {formatCount(pipes.length)} of {formatCount(total)} pipes, in the order in which
          they were made.
        </p>
      )}
      {found.length > 0 ? (
        <PipeTable pipes={found} />
      ) : (
        <Empty
          title="No pipe is found"
          actions={
            <Button
              size="small"
              onClick={() => show({ state: undefined, kind: undefined, find: undefined })}
            >
              Show all {formatCount(pipes.length)}
            </Button>
          }
        >
          None of {formatCount(pipes.length)} {pipes.length === 1 ? 'pipe' : 'pipes'} fits what is
          chosen above.
        </Empty>
      )}
    </>
  );
}
