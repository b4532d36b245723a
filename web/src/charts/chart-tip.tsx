import { createPortal } from 'react-dom';
import { bucketLabel } from './histogram.tsx';
import { Swatch } from './legend.tsx';
import type { TimeData } from './time-data.ts';
import styles from './time-chart.module.css';

/** The bucket under the pointer, and where that is in the window. */
export interface TipPoint {
  index: number;
  x: number;
  y: number;
}

interface ChartTipProps {
  point: TipPoint;
  data: TimeData;
  zone: string;
  format(value: number): string;
}

const rowsMax = 10;
const gap = 14;

/** The numbers of one bucket, over the page: it takes no room and no pointer. */
export function ChartTip({ point, data, zone, format }: ChartTipProps) {
  const rows = data.series
    .flatMap(({ values, ...look }) => {
      const value = values[point.index];
      return value == null ? [] : [{ ...look, value }];
    })
    .toSorted((a, b) => b.value - a.value);
  const isRight = point.x > window.innerWidth / 2;
  const isLow = point.y > window.innerHeight / 2;
  const x = isRight
    ? `calc(${Math.round(point.x - gap)}px - 100%)`
    : `${Math.round(point.x + gap)}px`;
  const y = isLow
    ? `calc(${Math.round(point.y - gap)}px - 100%)`
    : `${Math.round(point.y + gap)}px`;
  return createPortal(
    <div className={styles.tip} role="status" style={{ transform: `translate(${x}, ${y})` }}>
      <div className={styles.tipTime}>
        {bucketLabel(data.timesMs[point.index] ?? 0, data.bucketMs, zone)}
      </div>
      {rows.slice(0, rowsMax).map((row) => (
        <div key={row.name} className={styles.tipRow}>
          <Swatch color={row.color} isDashed={row.isDashed} />
          <span className={styles.tipName}>{row.name}</span>
          <b>{format(row.value)}</b>
        </div>
      ))}
      {rows.length === 0 && <div className={styles.tipTime}>No value</div>}
      {rows.length > rowsMax && (
        <div className={styles.tipTime}>and {rows.length - rowsMax} more</div>
      )}
    </div>,
    document.body,
  );
}
