import { useMemo, type ReactNode } from 'react';
import { Legend } from '../charts/legend.tsx';
import { Pie } from '../charts/pie.tsx';
import { Sparkline } from '../charts/sparkline.tsx';
import type { TimeData } from '../charts/time-data.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { formatValue } from '../view/value-format.ts';
import { askSeries, askTotals } from './ask.ts';
import { GroupGrid } from './group-grid.tsx';
import { groupsTable, looksOf, timeDataOf, valueNames } from './model/merge.ts';
import {
  groupsOf,
  groupsOfLines,
  isOverTime,
  seriesRequests,
  tableRowsMax,
  totalsRequests,
  type ValueConfig,
} from './model/requests.ts';
import { useScene } from './scene.ts';
import { TileState } from './tile-state.tsx';
import { useFormat } from './use-format.ts';
import { useTileQuery, type Nearness } from './use-tile-query.ts';
import styles from './tiles.module.css';

export interface ValueTileProps {
  name: string;
  config: ValueConfig;
  nearness: Nearness;
  thresholds?: readonly number[];
}

/** A tile of values over time or over the whole range. */
export function ValueTile(props: ValueTileProps) {
  switch (props.config.displayType) {
    case 'line':
    case 'stacked_bar':
      return <TimeTile {...props} />;
    case 'number':
      return <NumberTile {...props} />;
    case 'table':
      return <TableTile {...props} />;
    case 'pie':
      return <PieTile {...props} />;
  }
}

export function useSeries(config: ValueConfig, nearness: Nearness) {
  const { span, runId, filtersOf } = useScene();
  const scope = { span, filters: filtersOf(config.sourceId) };
  const bodies = seriesRequests(config, scope);
  return useTileQuery({ config, span, runId, bodies, ask: askSeries }, nearness);
}

export function useTotals(config: ValueConfig, nearness: Nearness) {
  const { span, runId, filtersOf } = useScene();
  const scope = { span, filters: filtersOf(config.sourceId) };
  const bodies = totalsRequests(config, scope);
  return useTileQuery({ config, span, runId, bodies, ask: askTotals }, nearness);
}

/** Why the chart of the configuration cannot be shown. Asks nothing that its tile does not ask. */
export function useChartError(config: ValueConfig, isAsked: boolean): Error | null {
  const near = (isNear: boolean): Nearness => ({ isNear, isVisible: () => true });
  const series = useSeries(config, near(isAsked && isOverTime(config)));
  const totals = useTotals(config, near(isAsked && !isOverTime(config)));
  return isOverTime(config) ? series.error : totals.error;
}

const noData: TimeData = { timesMs: [], bucketMs: 1, series: [] };

/** The lines of an answer. */
export function useTimeData(answer: ReturnType<typeof useSeries>['answer']): TimeData {
  const { book } = useScene();
  return useMemo(
    () =>
      answer ? timeDataOf(answer.config, answer.results, answer.span, answer.atMs, book) : noData,
    [answer, book],
  );
}

export const labelOf = (name: string): string => (name === '' ? 'Chart' : name);

const noThresholds: readonly number[] = [];

function TimeTile({ name, config, nearness, thresholds = noThresholds }: ValueTileProps) {
  const { zone, syncKey, onZoom, onZoomOut } = useScene();
  const query = useSeries(config, nearness);
  const data = useTimeData(query.answer);
  const format = useFormat(config.numberFormat);
  const isEmpty = query.answer?.results.every((points) => points.length === 0) === true;
  const isCut = groupsOf(config).length > 0 && data.series.length >= groupsOfLines;
  return (
    <TileState query={query} isEmpty={isEmpty}>
      <div className={styles.chart}>
        <TimeChart
          label={[labelOf(name), ...thresholds.map((at) => `threshold ${format(at)}`)].join(', ')}
          kind={config.displayType === 'stacked_bar' ? 'bars' : 'line'}
          data={data}
          span={query.answer?.span ?? { startMs: 0, endMs: 1 }}
          zone={zone}
          syncKey={syncKey}
          format={format}
          onZoom={onZoom}
          onZoomOut={onZoomOut}
          thresholds={thresholds}
        />
      </div>
      <Legend series={data.series} />
      {isCut && <p className={styles.note}>The {groupsOfLines} largest groups.</p>}
    </TileState>
  );
}

function NumberTile({ config, nearness }: ValueTileProps) {
  const totals = useTotals(config, nearness);
  const series = useSeries(config, nearness);
  const data = useTimeData(series.answer);
  const row = totals.answer?.results[0]?.rows[0];
  const names = valueNames(config);
  const shown = names.flatMap((name, index) => {
    const part = totals.answer?.results[Math.floor(index / 5)]?.rows[0];
    const value = part?.[`series_${index % 5}.data`];
    return typeof value === 'number' ? [{ name, value }] : [];
  });
  return (
    <TileState query={totals} isEmpty={row === undefined || shown.length === 0}>
      <dl className={styles.numbers}>
        {shown.map(({ name, value }) => (
          <div key={name} className={styles.number}>
            <dt data-only={shown.length === 1 || undefined}>{name}</dt>
            <dd>{formatValue(value, config.numberFormat)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.spark}>
        {data.series[0] && <Sparkline values={data.series[0].values} />}
      </div>
    </TileState>
  );
}

function TableTile({ name, config, nearness }: ValueTileProps): ReactNode {
  const query = useTotals(config, nearness);
  const { answer } = query;
  const table = useMemo(
    () => (answer ? groupsTable(answer.config, answer.results) : { rows: [], groups: 0 }),
    [answer],
  );
  const shown = answer?.config ?? config;
  return (
    <TileState query={query} isEmpty={table.rows.length === 0}>
      <GroupGrid
        label={labelOf(name)}
        groupLabels={groupsOf(shown)}
        valueLabels={valueNames(shown)}
        rows={table.rows}
        format={(value) => formatValue(value, config.numberFormat)}
      />
      {table.groups > table.rows.length && (
        <p className={styles.note}>
          The {Math.min(tableRowsMax, table.rows.length)} largest of {table.groups} groups.
        </p>
      )}
    </TileState>
  );
}

function PieTile({ name, config, nearness }: ValueTileProps) {
  const { book } = useScene();
  const query = useTotals(config, nearness);
  const { answer } = query;
  const slices = useMemo(() => {
    const { rows } = answer ? groupsTable(answer.config, answer.results) : { rows: [] };
    const isGrouped = answer !== undefined && groupsOf(answer.config).length > 0;
    const names = answer ? valueNames(answer.config) : [];
    const looks = answer ? looksOf(answer.config, rows, book) : [];
    // Without groups, the values themselves are the slices.
    const all = isGrouped
      ? rows.map((row, at) => ({ name: row.name, value: row.values[0], ...looks[at]! }))
      : names.map((value, index) => ({
          name: value,
          value: rows[0]?.values[index],
          ...book.look(value),
        }));
    return all.flatMap((slice) => (slice.value == null ? [] : [{ ...slice, value: slice.value }]));
  }, [answer, book]);
  return (
    <TileState query={query} isEmpty={slices.length === 0}>
      <Pie
        label={labelOf(name)}
        slices={slices}
        format={(value) => formatValue(value, config.numberFormat)}
      />
    </TileState>
  );
}
