import type { TimeSeries } from './time-data.ts';
import styles from './time-chart.module.css';

type Look = Pick<TimeSeries, 'color' | 'isDashed'>;

export function Swatch({ color, isDashed }: Look) {
  return (
    <span
      aria-hidden
      className={styles.swatch}
      data-dashed={isDashed || undefined}
      style={{ background: color }}
    />
  );
}

/** Names of the series with their colours. The label of the chart has their numbers. */
export function Legend({ series }: { series: readonly (Look & { name: string })[] }) {
  return (
    <ul className={styles.legend} aria-label="Series">
      {series.map(({ name, color, isDashed }) => (
        <li key={name} className={styles.legendItem}>
          <Swatch color={color} isDashed={isDashed} />
          <span className={styles.tipName} title={name}>
            {name}
          </span>
        </li>
      ))}
    </ul>
  );
}
