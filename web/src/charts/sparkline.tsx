import styles from './time-chart.module.css';

const width = 100;
const height = 24;

/** The shape of a series, without axes. The number beside it has the words. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) {
    return null;
  }
  const low = Math.min(0, ...known);
  const high = Math.max(...known, low + Number.MIN_VALUE);
  const x = (index: number): number => (index / (values.length - 1)) * width;
  const y = (value: number): number => height - 1 - ((value - low) / (high - low)) * (height - 2);
  const line = values
    .map((value, index) => {
      const isStart = index === 0 || values[index - 1] === null;
      // A value without neighbours is a point: a line of no length.
      return value === null
        ? ''
        : `${isStart ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${isStart ? 'h0' : ''}`;
    })
    .join('');
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
      className={styles.spark}
    >
      <path
        d={line}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.5}
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
