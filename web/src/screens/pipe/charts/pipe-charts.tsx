import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pipeSeriesQuery, type Pipe, type PipeSeries } from '../../../api/queries/pipes.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { Choices } from '../../../kit/choices.tsx';
import { StaleNote } from '../../../kit/stale-note.tsx';
import { Failure, Skeleton } from '../../../kit/state.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { zoneName } from '../../../view/zone.ts';
import type { PipeHours } from '../params.ts';
import styles from '../pipe.module.css';
import { chartsOf } from './pipe-lines.ts';

const route = getRouteApi('/inside/pipes/$id');
const choices: readonly { value: PipeHours; label: string }[] = [
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '24 hours' },
];

/** What the pipe stored and what waited, minute by minute. */
export function PipeCharts({ pipe }: { pipe: Pipe }) {
  const { hours = '1' } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (next: PipeHours): void =>
    void navigate({
      search: (old) => ({ ...old, hours: next === '1' ? undefined : next }),
      replace: true,
    });
  return (
    <section className={styles.section} aria-label="Charts">
      <Choices label="Charts of the last" value={hours} choices={choices} onChange={choose} />
      <Drawn id={pipe.id} hours={Number(hours)} />
    </section>
  );
}

function Drawn({ id, hours }: { id: string; hours: number }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(pipeSeriesQuery(id, hours));
  const retry = (): void => void refetch();
  if (!data) {
    return error ? (
      <Failure title="The charts cannot be shown" error={error} onRetry={retry} />
    ) : (
      <Skeleton lines={3} height={48} />
    );
  }
  return (
    <>
      {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={retry} />}
      <Lines series={data} />
    </>
  );
}

function Lines({ series }: { series: PipeSeries }) {
  const [zonePref] = usePref('zone');
  const charts = useMemo(() => chartsOf(series), [series]);
  if (charts.length === 0) {
    return (
      <p className={styles.quiet}>
        The pipe did not run in this time. A pipe that runs adds a point each minute.
      </p>
    );
  }
  return (
    <div className={styles.charts}>
      {charts.map(({ title, format, data }) => (
        <section key={title} className={styles.chart} aria-label={title}>
          <h2>{title}</h2>
          <div className={styles.plot}>
            <TimeChart
              label={title}
              kind="line"
              data={data}
              span={series.span}
              zone={zoneName(zonePref)}
              syncKey="pipe"
              format={format}
            />
          </div>
        </section>
      ))}
    </div>
  );
}
