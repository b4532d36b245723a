import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { readyQuery, statusQuery, type Status } from '../../api/queries/status.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Failure, LoadBar, Notice, Skeleton } from '../../kit/state.tsx';
import { useKeys } from '../../view/keys.ts';
import { plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatAgo, formatClock, zoneLabel, zoneName } from '../../view/zone.ts';
import { levels, type Problem } from './problem.ts';
import { AllWell, ProblemList } from './problem-list.tsx';
import { problemsOf } from './problems.ts';
import { ServerPart } from './server-part.tsx';
import { TeamFacts } from './team-facts.tsx';
import styles from './health.module.css';

/** What does not work, the worst first; then the work of the team and the server in numbers. */
export function Health() {
  const status = useQuery(statusQuery);
  const ready = useQuery(readyQuery);
  const refresh = (): void => void Promise.all([status.refetch(), ready.refetch()]);
  useKeys({ r: refresh });
  useTitle('Health');
  const problems = problemsOf(status.data, ready.data ?? []);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>Health</h1>
          {status.data && <Summary status={status.data} problems={problems} />}
        </div>
        <IconButton label="Refresh" shortcut="r" onClick={refresh}>
          <RefreshCw size={16} aria-hidden />
        </IconButton>
      </header>
      <Body query={status} problems={problems} onRetry={refresh} />
    </div>
  );
}

function Summary({ status, problems }: { status: Status; problems: readonly Problem[] }) {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  const counts = levels.flatMap((level) => {
    const count = problems.filter((problem) => problem.level === level).length;
    return count === 0 ? [] : plural(count, level);
  });
  const at = `${formatClock(Date.parse(status.time), zone)} ${zoneLabel(zone)}`;
  return (
    <p className={styles.note}>
      {counts.length > 0 && `${counts.join(', ')}. `}
      As of <time dateTime={status.time}>{at}</time>. Version {status.version}.
    </p>
  );
}

interface BodyProps {
  query: UseQueryResult<Status>;
  problems: readonly Problem[];
  onRetry(): void;
}

function Body({ query, problems, onRetry }: BodyProps) {
  const { data, error, isFetching, dataUpdatedAt } = query;
  if (!data && !error) {
    return <Skeleton lines={8} height={44} />;
  }
  return (
    <div className={styles.body}>
      <LoadBar isOn={isFetching} />
      {error && data && (
        <Notice
          action={
            <Button size="small" look="plain" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          The state cannot be read. This is the state of {formatAgo(dataUpdatedAt)}: {error.message}
        </Notice>
      )}
      {error && !data && (
        <Failure title="The state cannot be read" error={error} onRetry={onRetry} />
      )}
      {problems.length > 0 && <ProblemList problems={problems} />}
      {data && problems.length === 0 && <AllWell />}
      {data && <TeamFacts status={data} />}
      {data && <ServerPart status={data} />}
    </div>
  );
}
