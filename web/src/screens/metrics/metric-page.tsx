import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { metricsQuery } from '../../api/queries/metrics.ts';
import { metricSeriesQuery } from '../../api/queries/metric-series.ts';
import type { Source } from '../../api/queries/sources.ts';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import { Button } from '../../kit/button.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { Failure, Skeleton } from '../../kit/state.tsx';
import { RangeSteps, TimeRangePicker } from '../../kit/time-range-picker.tsx';
import type { ValueConfig } from '../../tiles/model/requests.ts';
import { SceneContext, type Scene } from '../../tiles/scene.ts';
import { useSeries, useTimeData, ValueTile } from '../../tiles/value-tiles.tsx';
import { useKeys } from '../../view/keys.ts';
import { plural } from '../../view/number-format.ts';
import { pack } from '../../view/packed.ts';
import { ColorBook } from '../../view/series-colors.ts';
import {
  defaultRange,
  fromSpan,
  shifted,
  spanOf,
  zoomedOut,
  type TimeRange,
} from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatValue } from '../../view/value-format.ts';
import { zoneName } from '../../view/zone.ts';
import { attributesOf, serviceField, type MetricAttribute } from './attributes.ts';
import { formatOfUnit, functionOf, functionsOf, type MetricType } from './metric-kinds.ts';
import type { MetricsParams } from './params.ts';
import styles from './metrics.module.css';

const route = getRouteApi('/inside/metrics');
const seen = { isNear: true, isVisible: () => true };
const noFilters: readonly [] = [];
const shownValues = 8;

interface MetricPageProps {
  source: Source;
  name: string;
  type: MetricType;
}

/** One metric: its chart, split by an attribute, and the attributes of its series. */
export function MetricPage({ source, name, type }: MetricPageProps) {
  const page = useMetricPage();
  const { params, show, span, runId } = page;
  useTitle(name);
  const { data } = useQuery(metricsQuery({ sourceId: source.id, find: name }));
  const unit = data?.metrics.find((one) => one.name === name && one.type === type)?.unit ?? '';
  const aggFn = functionOf(type, params.agg);
  const series = useQuery(metricSeriesQuery({ sourceId: source.id, name, type, span }, runId));
  const attributes = useMemo(
    () => attributesOf((series.data?.rows ?? []).map(({ group }) => group ?? [])),
    [series.data],
  );
  const config: ValueConfig = {
    displayType: 'line',
    sourceId: source.id,
    select: [
      { aggFn, metricName: name, metricType: type, ...(aggFn === 'quantile' && { level: 0.95 }) },
    ],
    numberFormat: aggFn === 'count' ? { output: 'number' } : formatOfUnit(unit),
    ...(params.by !== undefined && { groupBy: [params.by] }),
  };
  const splits = [
    { value: '', label: 'Nothing' },
    ...attributes.map(({ field, name: label }) => ({ value: field, label })),
  ];
  const by = params.by ?? '';
  return (
    <SceneContext value={page.scene}>
      <div className={styles.page}>
        <header className={styles.metricHead}>
          <p>
            <Link to="/metrics" search={({ source: id }: MetricsParams) => compact({ source: id })}>
              Metrics
            </Link>
          </p>
          <h1 className={styles.name}>{name}</h1>
          <p className={styles.about}>{unit === '' ? type : `${type}, ${unit}`}</p>
        </header>
        <div className={styles.tools}>
          <Listbox
            label="Function"
            value={aggFn}
            choices={functionsOf(type)}
            onChange={(agg) => show({ agg })}
          />
          <span className={styles.toolLabel} aria-hidden>
            Split by
          </span>
          <Listbox
            label="Split by"
            value={by}
            choices={
              splits.some(({ value }) => value === by)
                ? splits
                : [...splits, { value: by, label: by }]
            }
            onChange={(field) => show({ by: field === '' ? undefined : field })}
          />
          <PageTools page={page} config={config} />
        </div>
        <MetricChart config={config} />
        <section className={styles.attributes} aria-label="Attributes">
          <h2>Attributes</h2>
          {series.error && (
            <Failure
              title="The attributes cannot be listed"
              error={series.error}
              onRetry={() => void series.refetch()}
            />
          )}
          {series.isPending && <Skeleton lines={3} />}
          {series.data && (
            <Attributes
              attributes={attributes}
              seriesCount={series.data.groups}
              by={params.by}
              onSplit={(field) => show({ by: field })}
            />
          )}
        </section>
      </div>
    </SceneContext>
  );
}

interface PageState {
  params: MetricsParams;
  range: TimeRange;
  span: Scene['span'];
  runId: number;
  scene: Scene;
  show(changes: Partial<MetricsParams>): void;
  run(): void;
  setRange(range: TimeRange): void;
}

function useMetricPage(): PageState {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const book = useMemo(() => new ColorBook(), []);
  const run = (): void => setRunAt(({ id }) => ({ id: id + 1, nowMs: Date.now() }));
  const change = (changes: Partial<MetricsParams>, replace: boolean): void => {
    void navigate({
      search: (before: MetricsParams) => compact({ ...before, ...changes }),
      replace,
    });
  };
  const setRange = ({ from, to }: TimeRange): void => {
    run();
    change(
      {
        from: from === defaultRange.from ? undefined : from,
        to: to === defaultRange.to ? undefined : to,
      },
      false,
    );
  };
  const range = { from: params.from ?? defaultRange.from, to: params.to ?? defaultRange.to };
  const span = useMemo(
    () => spanOf({ from: range.from, to: range.to }, runAt.nowMs),
    [range.from, range.to, runAt],
  );
  const scene: Scene = {
    span,
    runId: runAt.id,
    zone,
    book,
    syncKey: 'metric',
    filtersOf: () => noFilters,
    onZoom: (next) => setRange(fromSpan(next)),
    onZoomOut: () => setRange(fromSpan(zoomedOut(span, Date.now()))),
  };
  const show = (changes: Partial<MetricsParams>): void => change(changes, true);
  return { params, range, span, runId: runAt.id, scene, show, run, setRange };
}

function PageTools({ page, config }: { page: PageState; config: ValueConfig }) {
  const { range, span, run, setRange, params } = page;
  const navigate = route.useNavigate();
  const [isTimeOpen, setTimeOpen] = useState(false);
  useKeys({
    t: () => setTimeOpen(true),
    r: run,
    '[': () => setRange(fromSpan(shifted(span, -1))),
    ']': () => setRange(fromSpan(shifted(span, 1))),
    '-': () => setRange(fromSpan(zoomedOut(span, Date.now()))),
  });
  const explore = async (): Promise<void> => {
    const c = await pack(JSON.stringify(config));
    await navigate({ to: '/explore', search: compact({ from: params.from, to: params.to, c }) });
  };
  return (
    <div className={styles.time}>
      <TimeRangePicker
        range={range}
        open={isTimeOpen}
        onOpenChange={setTimeOpen}
        onChange={setRange}
      />
      <RangeSteps onStep={(step) => setRange(fromSpan(shifted(span, step)))} />
      <Button onClick={() => void explore()}>Open in Explore</Button>
    </div>
  );
}

function MetricChart({ config }: { config: ValueConfig }) {
  const { answer } = useSeries(config, seen);
  const data = useTimeData(answer);
  return (
    <>
      <section className={styles.chart} aria-label="Chart">
        <ValueTile name={config.select[0]?.metricName ?? ''} config={config} nearness={seen} />
      </section>
      {data.series.length > 0 && (
        <NumbersTable
          label="Numbers of each series"
          series={data.series}
          format={(value) => formatValue(value, config.numberFormat)}
        />
      )}
    </>
  );
}

interface AttributesProps {
  attributes: readonly MetricAttribute[];
  seriesCount: number;
  by: string | undefined;
  onSplit(field: string): void;
}

function Attributes({ attributes, seriesCount, by, onSplit }: AttributesProps) {
  if (attributes.length === 0) {
    return <p className={styles.about}>No point in this range has an attribute.</p>;
  }
  return (
    <>
      <p className={styles.about}>{plural(seriesCount, 'metric series', 'metric series')}</p>
      <ul className={styles.attributeList}>
        {attributes.map(({ name, field, values }) => (
          <li key={field} className={styles.attribute}>
            <div className={styles.attributeHead}>
              <b>{name === serviceField ? 'Service' : name}</b>
              <Button
                size="small"
                look="plain"
                aria-pressed={by === field}
                aria-label={`Split by ${name}`}
                onClick={() => onSplit(field)}
              >
                Split
              </Button>
            </div>
            <ul className={styles.values}>
              {values.slice(0, shownValues).map(({ value, series }) => (
                <li key={value}>
                  <span className={styles.value}>{value === '' ? '(empty)' : value}</span>
                  <span className={styles.about}>{series}</span>
                </li>
              ))}
            </ul>
            {values.length > shownValues && (
              <p className={styles.about}>and {values.length - shownValues} more values</p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
