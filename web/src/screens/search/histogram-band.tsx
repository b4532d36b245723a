import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Table2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import {
  bucketLabel,
  Histogram,
  totalOf,
  type HistogramBucket,
  type HistogramPart,
} from '../../charts/histogram.tsx';
import { IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { LoadBar } from '../../kit/state.tsx';
import { formatCount, plural } from '../../view/number-format.ts';
import { severities, severityOf } from '../../view/severity.ts';
import { fromSpan } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, zoneLabel, zoneName } from '../../view/zone.ts';
import { bucketOf } from './bucket.ts';
import type { ReadyModel } from './model.ts';
import { issueOf } from './request.ts';
import { useLastAnswer } from './use-last-answer.ts';
import styles from './search.module.css';

type Points = Schemas['DataPoint'][];

interface HistogramBandProps {
  model: ReadyModel;
  query: UseQueryResult<Points>;
}

/** Rows over time by severity or another field, with the total and what each part counts. */
export function HistogramBand({ model, query }: HistogramBandProps) {
  const router = useRouter();
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const [point, setPoint] = useState<HistogramBucket>();
  const [isTableOpen, setTableOpen] = useState(false);
  const { params, span } = model;
  const { data, stale } = useLastAnswer(query, questionOf(model));
  const { buckets, parts } = useMemo(
    () => stacked(data ?? [], params.group !== undefined),
    [data, params.group],
  );
  const { ms: bucketMs } = bucketOf(span);
  const counts = point ?? sumOf(buckets);
  const total = totalOf(counts);
  if (query.error && issueOf(query.error) !== undefined) {
    return null;
  }
  if (query.error && !stale) {
    return <p className={styles.partial}>The histogram failed: {query.error.message}</p>;
  }
  return (
    <section className={styles.band} aria-label="Rows over time" aria-busy={query.isFetching}>
      <LoadBar isOn={query.isFetching} />
      {stale && (
        <p className={styles.staleBand}>
          The histogram was not loaded again. It is shown as of {formatClock(stale.atMs, zone)}.
        </p>
      )}
      <div className={styles.bandHead}>
        <b>{query.isPending ? ' ' : plural(total, 'row')}</b>
        <span className={styles.when}>
          {point
            ? bucketLabel(point.startMs, bucketMs, zone)
            : `${formatBucket(bucketMs)} a bar, ${zoneLabel(zone, span.endMs)}`}
        </span>
        {params.group !== undefined && (
          <button
            type="button"
            className={styles.group}
            aria-label={`Counted by ${params.group}. Count by severity again`}
            onClick={() => model.show({ group: undefined })}
          >
            by {params.group}
            <X size={12} aria-hidden />
          </button>
        )}
        <Legend parts={parts} counts={counts.counts} />
        <IconButton label="Show as table" size="small" onClick={() => setTableOpen(true)}>
          <Table2 size={14} aria-hidden />
        </IconButton>
      </div>
      <Histogram
        label={`${plural(totalOf(sumOf(buckets)), 'row')} over time. Arrow keys move, Shift selects, Enter zooms.`}
        buckets={buckets}
        bucketMs={bucketMs}
        span={span}
        parts={parts}
        zone={zone}
        onPoint={setPoint}
        onZoom={(chosen) => model.setRange(fromSpan(chosen))}
        onZoomOut={() => router.history.back()}
      />
      <Dialog title="Rows over time" look="wide" open={isTableOpen} onOpenChange={setTableOpen}>
        {/* Longer than the dialog: the keyboard scrolls it. */}
        <div className={styles.countScroll} role="group" aria-label="Counts" tabIndex={0}>
          <CountTable buckets={buckets} parts={parts} bucketMs={bucketMs} zone={zone} />
        </div>
      </Dialog>
    </section>
  );
}

/** Equal for runs of one question: their ranges move on. */
function questionOf({ condition, params, span }: ReadyModel): string {
  const { startTime: _start, endTime: _end, ...rest } = condition;
  return JSON.stringify({ ...rest, group: params.group, length: span.endMs - span.startMs });
}

function Legend({ parts, counts }: { parts: HistogramPart[]; counts: Record<string, number> }) {
  return (
    <ul className={styles.legend}>
      {parts.map(({ name, color }) => (
        <li key={name}>
          <span className={styles.swatch} style={{ background: color }} />
          {name} <span className={styles.count}>{formatCount(counts[name] ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}

interface CountTableProps {
  buckets: readonly HistogramBucket[];
  parts: readonly HistogramPart[];
  bucketMs: number;
  zone: string;
}

function CountTable({ buckets, parts, bucketMs, zone }: CountTableProps) {
  return (
    <table className={styles.countTable}>
      <thead>
        <tr>
          <th scope="col">Time ({zoneLabel(zone)})</th>
          {parts.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ startMs, counts }) => (
          <tr key={startMs}>
            <th scope="row">{bucketLabel(startMs, bucketMs, zone)}</th>
            {parts.map(({ name }) => (
              <td key={name}>{formatCount(counts[name] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const groupsMax = 7;
const otherName = 'other';

/** Buckets of the points: by severity in its colours, by another field in those of series. */
function stacked(
  points: Points,
  isGrouped: boolean,
): { buckets: HistogramBucket[]; parts: HistogramPart[] } {
  const totals = new Map<string, number>();
  const named = points.map(({ ts_bucket: startMs, group, ...values }) => {
    const text = group?.[0] ?? '';
    const name = isGrouped ? text || '(empty)' : severityOf(text);
    const count = Number(values['series_0.data'] ?? 0);
    totals.set(name, (totals.get(name) ?? 0) + count);
    return { startMs, name, count };
  });
  const names = isGrouped
    ? [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0))
    : severities.filter((severity) => totals.has(severity));
  const top = names.slice(0, isGrouped ? groupsMax : names.length);
  const parts = top.map((name, index) => ({
    name,
    color: isGrouped ? `var(--series-${index + 1})` : severityColor(name),
  }));
  if (names.length > top.length) {
    parts.push({ name: otherName, color: 'var(--bar-other)' });
  }
  const buckets = new Map<number, HistogramBucket>();
  for (const { startMs, name, count } of named) {
    const bucket = buckets.get(startMs) ?? { startMs, counts: {} };
    const part = top.includes(name) ? name : otherName;
    bucket.counts[part] = (bucket.counts[part] ?? 0) + count;
    buckets.set(startMs, bucket);
  }
  return { buckets: [...buckets.values()].sort((a, b) => a.startMs - b.startMs), parts };
}

const severityColor = (name: string): string => `var(--bar-${name === 'debug' ? otherName : name})`;

function sumOf(buckets: readonly HistogramBucket[]): HistogramBucket {
  const counts: Record<string, number> = {};
  for (const bucket of buckets) {
    for (const [name, count] of Object.entries(bucket.counts)) {
      counts[name] = (counts[name] ?? 0) + count;
    }
  }
  return { startMs: 0, counts };
}

function formatBucket(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ];
  const [unit, name] = units.find(([one]) => ms >= one) ?? [1000, 'second'];
  return plural(ms / unit, name);
}
