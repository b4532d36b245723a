import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { metricPagesQuery, type Metric } from '../../api/queries/metrics.ts';
import { sourcesQuery, type Source } from '../../api/queries/sources.ts';
import { Button } from '../../kit/button.tsx';
import { BareInput } from '../../kit/field.tsx';
import { Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { useKeys } from '../../view/keys.ts';
import { missingRowsText } from '../../view/missing-shards.ts';
import { formatCount } from '../../view/number-format.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatValue } from '../../view/value-format.ts';
import { formatAgo, formatTime, zoneName } from '../../view/zone.ts';
import { MetricPage } from './metric-page.tsx';
import { formatOfUnit } from './metric-kinds.ts';
import type { MetricsParams } from './params.ts';
import styles from './metrics.module.css';

const route = getRouteApi('/inside/metrics');
const typingMs = 250;

/** All metrics of a source, and a page for each. */
export function Metrics() {
  const params = route.useSearch();
  const { data, error, isPending, refetch } = useQuery(sourcesQuery);
  if (isPending) {
    return <Skeleton lines={10} />;
  }
  if (error) {
    return (
      <Failure title="The sources cannot be listed" error={error} onRetry={() => void refetch()} />
    );
  }
  const sources = data.filter(({ kind }) => kind === 'metric');
  const source = sources.find(({ id }) => id === params.source) ?? sources[0];
  if (!source) {
    return <Empty title="There are no metrics">This team has no source of metrics.</Empty>;
  }
  return params.metric === undefined ? (
    <MetricList sources={sources} source={source} />
  ) : (
    <MetricPage
      key={`${params.metric} ${params.type}`}
      source={source}
      name={params.metric}
      type={params.type ?? 'gauge'}
    />
  );
}

function MetricList({ sources, source }: { sources: readonly Source[]; source: Source }) {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('Metrics');
  useKeys({ '/': () => document.querySelector<HTMLElement>('[data-find]')?.focus() });
  const show = (changes: Partial<MetricsParams>): void => {
    void navigate({
      search: (before: MetricsParams) => compact({ ...before, ...changes }),
      replace: true,
    });
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Metrics</h1>
        {sources.length > 1 && (
          <Listbox
            label="Source"
            value={source.id}
            choices={sources.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => show({ source: id })}
          />
        )}
        <FindInput value={find} onChange={(text) => show({ find: text || undefined })} />
      </header>
      <Found source={source} find={find} onAll={() => show({ find: undefined })} />
    </div>
  );
}

/** Finds a moment after the last letter. */
function FindInput({ value, onChange }: { value: string; onChange(text: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const timer = setTimeout(() => text !== value && onChange(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <BareInput
      data-find
      label="Find a metric"
      type="search"
      maxLength={256}
      placeholder="Find a metric"
      aria-keyshortcuts="/"
      className={styles.find}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

function Found({ source, find, onAll }: { source: Source; find: string; onAll(): void }) {
  const query = useInfiniteQuery(metricPagesQuery({ sourceId: source.id, find }));
  const { data, error, isFetching, refetch } = query;
  if (error && !data) {
    return (
      <Failure title="The metrics cannot be listed" error={error} onRetry={() => void refetch()} />
    );
  }
  if (!data) {
    return <Skeleton lines={10} height={32} />;
  }
  const metrics = data.pages.flatMap((page) => page.metrics);
  const total = data.pages.at(-1)?.total ?? 0;
  const missing = new Set(data.pages.flatMap(({ missingShards }) => missingShards));
  if (metrics.length === 0) {
    return find === '' ? (
      <Empty title={`${source.name} has no metric`}>
        Send metrics over OTLP: <Link to="/welcome">how to send data</Link>.
      </Empty>
    ) : (
      <Empty
        title={`No metric has “${find}” in its name`}
        actions={<Button onClick={onAll}>Show all metrics</Button>}
      />
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      <p className={styles.count} role="status">
        {metrics.length === total
          ? `${formatCount(total)} ${total === 1 ? 'metric' : 'metrics'}`
          : `${formatCount(metrics.length)} of ${formatCount(total)} metrics`}
      </p>
      {missing.size > 0 && (
        <Notice look="warning">{missingRowsText([...missing])} in this list.</Notice>
      )}
      <MetricTable metrics={metrics} />
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

const columns = [
  { label: 'Metric' },
  { label: 'Type', isExtra: true },
  { label: 'Unit', isExtra: true },
  { label: 'Last value' },
  { label: 'Last point', isExtra: true },
];

function MetricTable({ metrics }: { metrics: readonly Metric[] }) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  return (
    <ListTable label="Metrics" columns={columns}>
      {metrics.map(({ name, type, unit, lastValue, lastTime }) => {
        const format = type === 'gauge' || type === 'sum' ? formatOfUnit(unit) : undefined;
        const value = lastValue === undefined ? '–' : formatValue(lastValue, format);
        return (
          <tr key={`${name} ${type}`}>
            <TitleCell
              title={
                <Link
                  to="/metrics"
                  search={(before: MetricsParams) =>
                    compact({ ...before, find: undefined, metric: name, type })
                  }
                >
                  {name}
                </Link>
              }
              smallNote={unit === '' ? type : `${type}, ${unit}`}
            />
            <Cell isExtra>{type}</Cell>
            <Cell isExtra>{unit === '' ? '–' : unit}</Cell>
            <Cell>
              <span className={styles.number}>
                {format ? value : `${value} ${lastValue === 1 ? 'observation' : 'observations'}`}
              </span>
            </Cell>
            <Cell isExtra>
              <time
                dateTime={new Date(lastTime).toISOString()}
                title={formatTime(lastTime, zone, 'second')}
              >
                {formatAgo(lastTime)}
              </time>
            </Cell>
          </tr>
        );
      })}
    </ListTable>
  );
}
