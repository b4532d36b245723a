import { recentCount, type AlertState, type RecentEvaluation } from '../api/queries/alerts.ts';
import { plural } from '../view/number-format.ts';
import styles from './alerting.module.css';

const step = 5;
const barWidth = 4;
const height = 18;
/** The height says the state, too. */
const heights: Record<AlertState, number> = { firing: 18, pending: 11, inactive: 4 };

/** The last evaluations of an alert, newest at the right. */
export function RecentStrip({ recent = [] }: { recent: readonly RecentEvaluation[] | undefined }) {
  const bars = recent.slice(0, recentCount);
  return (
    <svg
      role="img"
      aria-label={stripLabel(bars)}
      className={styles.strip}
      width={recentCount * step}
      height={height}
    >
      {bars.map(({ windowEnd, state, value, skipped }, index) => {
        const isSkipped = skipped !== undefined && skipped > 0;
        const x = (recentCount - 1 - index) * step;
        return (
          <rect
            key={windowEnd}
            x={x}
            y={height - heights[state]}
            width={barWidth}
            height={heights[state]}
            data-state={isSkipped ? 'skipped' : state}
            data-empty={(value === null && state === 'inactive') || undefined}
          />
        );
      })}
    </svg>
  );
}

/** `Last 20 evaluations: 3 firing, 17 inactive. Now firing.` */
export function stripLabel(recent: readonly RecentEvaluation[]): string {
  const [newest] = recent;
  if (!newest) {
    return 'Not evaluated yet';
  }
  const counts = (['firing', 'pending', 'inactive'] as const).flatMap((state) => {
    const count = recent.filter((one) => one.state === state && !one.skipped).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const skipped = recent.reduce((sum, one) => sum + (one.skipped ?? 0), 0);
  const parts = skipped > 0 ? [...counts, `${plural(skipped, 'window')} skipped`] : counts;
  return `Last ${plural(recent.length, 'evaluation')}: ${parts.join(', ')}. Now ${newest.state}.`;
}
