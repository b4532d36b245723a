import type { PipePoint, PipeSeries } from '../../../api/queries/pipes.ts';
import type { TimeData } from '../../../charts/time-data.ts';
import { bytesText } from '../../../pipes/figures.ts';
import { bucketStarts } from '../../../view/buckets.ts';
import { formatValue } from '../../../view/value-format.ts';

const minuteMs = 60_000;

export interface PipeChart {
  title: string;
  format(value: number): string;
  data: TimeData;
}

type Value = number | null;
/** Value of the minute between two points; `next` is absent if its minute is. */
type Reading = (point: PipePoint, next: PipePoint | undefined) => Value;

/** Of a counter. It falls when a resync begins anew: that minute has no rate. */
const rateOf =
  (counter: 'rows' | 'bytes'): Reading =>
  (point, next) => {
    const stored = next === undefined ? -1 : next[counter] - point[counter];
    return stored < 0 ? null : stored / 60;
  };

/** Seconds that the oldest waiting record has waited at the begin of the minute. */
const waitedSeconds: Reading = ({ at, oldestUnprocessedAt }) =>
  oldestUnprocessedAt === null
    ? 0
    : Math.max(0, Date.parse(at) - Date.parse(oldestUnprocessedAt)) / 1000;

const count = (value: number): string => formatValue(value);

/**
 * What the page of a pipe draws of its minutes. A minute in which the pipe did not run is a gap. Lag
 * is in records or, for a database, in bytes of log; it has no chart if the source reports neither.
 */
export function chartsOf({ span, points }: PipeSeries): PipeChart[] {
  const timesMs = bucketStarts(span, minuteMs);
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  const chart = (title: string, format: PipeChart['format'], read: Reading): PipeChart => {
    const values = timesMs.map((ms) => {
      const point = byTime.get(ms);
      return point === undefined ? null : read(point, byTime.get(ms + minuteMs));
    });
    const series = [{ name: title, color: 'var(--series-1)', isDashed: false, values }];
    return { title, format, data: { timesMs, bucketMs: minuteMs, series } };
  };
  const charts = [
    chart('Rows', (value) => `${count(value)}/s`, rateOf('rows')),
    chart('Data', (value) => `${bytesText(value)}/s`, rateOf('bytes')),
    chart('Records that wait', count, ({ lag }) => lag),
    chart('Log that the database keeps', bytesText, ({ retainedBytes }) => retainedBytes),
    chart('Wait of the oldest record', durationText, waitedSeconds),
    chart('Bad records', count, ({ errors }) => errors),
  ];
  return charts.filter(({ data }) => data.series[0]!.values.some((value) => value !== null));
}

const durationText = (seconds: number): string =>
  seconds === 0 ? '0 s' : formatValue(seconds, { output: 'duration' });
