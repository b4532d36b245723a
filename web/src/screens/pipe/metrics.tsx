import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { pipeMetricsQuery, type Pipe, type PipeMetrics } from '../../api/queries/pipes.ts';
import { Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { bytesText, lagText, oldestText, rateText } from '../../pipes/figures.ts';
import { StaleNote } from '../../kit/stale-note.tsx';
import { formatCount, plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { PipeCharts } from './charts/pipe-charts.tsx';
import { refreshMs } from './refresh.ts';
import styles from './pipe.module.css';

/** What the pipe has stored, what waits, and how far it is in each partition. */
export function Metrics({ pipe }: { pipe: Pipe }) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery({
    ...pipeMetricsQuery(pipe.id),
    refetchInterval: refreshMs,
  });
  const retry = (): void => void refetch();
  // A state such as Completed stands beside the figures that belong to it.
  useEffect(() => void refetch({ cancelRefetch: false }), [pipe.state, refetch]);
  if (!data) {
    return error ? (
      <Failure title="The metrics cannot be read" error={error} onRetry={retry} />
    ) : (
      <Skeleton lines={4} height={48} />
    );
  }
  return (
    <>
      <LoadBar isOn={isFetching} />
      {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={retry} />}
      <Figures metrics={data} />
      <PipeCharts pipe={pipe} />
      <LastError error={data.lastError} shown={pipe.stateMessage} />
      <Checkpoints checkpoint={data.checkpoint} />
    </>
  );
}

function Figures({ metrics }: { metrics: PipeMetrics }) {
  const { rows, bytes, errors, batches } = metrics;
  return (
    <dl className={styles.figures}>
      <Figure name="Rows" note={`in ${plural(batches, 'insert')}`}>
        {formatCount(rows)}
      </Figure>
      <Figure name="Rows per second" note="last minute">
        {rateText(metrics)}
      </Figure>
      <Figure name="Data" note="since creation">
        {bytesText(bytes)}
      </Figure>
      <Figure name="Lag" note={oldestText(metrics) ?? waitText(metrics)}>
        {lagText(metrics)}
      </Figure>
      <Figure name="Bad records" note={errors === 0 ? 'all could be stored' : <ToErrors />}>
        <span data-bad={errors > 0 || undefined}>{formatCount(errors)}</span>
      </Figure>
    </dl>
  );
}

/** Only a source that reports its lag says that nothing waits. */
const waitText = ({ lag, retainedBytes }: PipeMetrics): string =>
  lag === null && typeof retainedBytes !== 'number' ? 'not known' : 'no record waits';

const ToErrors = () => (
  <Link from="/pipes/$id" to="." search={{ tab: 'errors' }} replace>
    Show them
  </Link>
);

interface FigureProps {
  name: string;
  note: ReactNode;
  children: ReactNode;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd className={styles.number}>{children}</dd>
      <dd className={styles.quiet}>{note}</dd>
    </div>
  );
}

interface LastErrorProps {
  error: PipeMetrics['lastError'];
  /** What the page says already. */
  shown: string | undefined;
}

function LastError({ error, shown }: LastErrorProps) {
  const [zonePref] = usePref('zone');
  if (error === null || error.message === shown) {
    return null;
  }
  const ms = Date.parse(error.at);
  return (
    <Notice>
      Last error, <Time ms={ms}>{formatTime(ms, zoneName(zonePref), 'second')}</Time>:{' '}
      {error.message}
    </Notice>
  );
}

function Checkpoints({ checkpoint }: Pick<PipeMetrics, 'checkpoint'>) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  if (checkpoint.length === 0) {
    return <p className={styles.quiet}>The pipe has no checkpoint yet.</p>;
  }
  return (
    <section className={styles.section}>
      <h2>Checkpoints</h2>
      <ListTable
        label="Checkpoints"
        columns={[
          { label: 'Partition' },
          { label: 'Position', isExtra: true },
          { label: `Stored (${zoneLabel(zone)})`, isExtra: true },
        ]}
      >
        {checkpoint.map(({ partition, position, storedAt }) => {
          const ms = Date.parse(storedAt);
          const time = formatTime(ms, zone, 'second');
          return (
            <tr key={partition}>
              <TitleCell
                title={<code title={partition}>{partition}</code>}
                smallNote={`${position ?? 'Nothing stored'}, ${time}`}
              />
              <Cell isExtra>
                <code className={styles.cut} title={position ?? undefined}>
                  {position ?? 'Nothing stored'}
                </code>
              </Cell>
              <Cell isExtra>
                <Time ms={ms}>{time}</Time>
              </Cell>
            </tr>
          );
        })}
      </ListTable>
    </section>
  );
}
