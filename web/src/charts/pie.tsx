import { Swatch } from './legend.tsx';
import styles from './time-chart.module.css';

export interface Slice {
  name: string;
  value: number;
  color: string;
}

interface PieProps {
  label: string;
  /** Largest first. A slice without a positive value is listed, not drawn. */
  slices: readonly Slice[];
  format(value: number): string;
}

const radius = 50;

/** Shares of a whole, with their numbers beside. */
export function Pie({ label, slices, format }: PieProps) {
  const total = slices.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  const shareOf = (value: number): number => (total > 0 ? Math.max(0, value) / total : 0);
  let from = 0;
  return (
    <div className={styles.pie} role="group" aria-label={label}>
      <svg viewBox="-51 -51 102 102" className={styles.pieDisc} aria-hidden>
        {slices.map(({ name, value, color }) => {
          const share = shareOf(value);
          const start = from;
          from += share;
          return <Wedge key={name} start={start} share={share} color={color} />;
        })}
      </svg>
      <ul className={styles.slices}>
        {slices.map(({ name, value, color }) => (
          <li key={name} className={styles.slice}>
            <Swatch color={color} isDashed={false} />
            <span className={styles.tipName} title={name}>
              {name}
            </span>
            <b>{format(value)}</b>
            <span className={styles.share}>{(shareOf(value) * 100).toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Wedge({ start, share, color }: { start: number; share: number; color: string }) {
  if (share === 0) {
    return null;
  }
  if (share > 0.9999) {
    return <circle r={radius} style={{ fill: color }} />;
  }
  const [x1, y1] = pointAt(start);
  const [x2, y2] = pointAt(start + share);
  const path = `M0 0L${x1} ${y1}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${x2} ${y2}Z`;
  return <path d={path} style={{ fill: color }} />;
}

/** From the top, clockwise. */
function pointAt(share: number): [string, string] {
  const angle = share * 2 * Math.PI;
  return [(Math.sin(angle) * radius).toFixed(3), (-Math.cos(angle) * radius).toFixed(3)];
}
