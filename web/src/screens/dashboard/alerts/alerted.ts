import type { Alert } from '../../../api/queries/alerts.ts';
import { lengthOfInterval } from '../../../alerting/interval.ts';
import { thresholdLines } from '../../../alerting/thresholds.ts';
import {
  bucketOfTile,
  groupFieldsOf,
  isOfValues,
  isOverTime,
  type TileConfig,
  type ValueConfig,
} from '../../../tiles/model/requests.ts';
import { granularities } from '../../../view/buckets.ts';
import { splitList } from '../../../view/split-list.ts';
import type { Span } from '../../../view/time-range.ts';

/** How a tile with alerts is shown. */
export interface Alerted {
  config: TileConfig;
  thresholds: readonly number[];
}

/** Fewer buckets are no chart. */
const bucketsMin = 5;

/**
 * The tile with the thresholds that its values can be compared with. A count depends on the length
 * of its bucket: a tile that chooses its buckets itself takes the windows of its first alert.
 */
export function alerted(config: TileConfig, alerts: readonly Alert[], span: Span): Alerted {
  if (!isOfValues(config) || !isOverTime(config)) {
    return { config, thresholds: [] };
  }
  const compared = alerts.filter((alert) => isOfChart(config, alert));
  const shown = isOfWindow(config) ? withWindow(config, compared, span) : config;
  const bucketMs = bucketOfTile(shown, span).ms;
  const fitting = compared.filter(
    ({ interval }) => !isOfWindow(config) || lengthOfInterval(interval) === bucketMs,
  );
  return { config: shown, thresholds: [...new Set(fitting.flatMap(thresholdLines))] };
}

/** Whether each line or bar of the chart is a value of the alert. */
function isOfChart(config: ValueConfig, { groupBy }: Alert): boolean {
  const groups = groupFieldsOf(config);
  const ownGroups = splitList(groupBy ?? '');
  const isStacked = groups.length > 0 || (config.select.length > 1 && config.asRatio !== true);
  return (
    (ownGroups.length === 0 || ownGroups.join() === groups.join()) &&
    !(config.displayType === 'stacked_bar' && isStacked)
  );
}

/** Whether longer windows give larger values. Of several values, an alert evaluates the last. */
function isOfWindow({ select, asRatio }: ValueConfig): boolean {
  const aggregate = select.at(-1)?.aggFn ?? 'count';
  return asRatio !== true && ['count', 'count_distinct', 'sum'].includes(aggregate);
}

function withWindow(
  config: ValueConfig,
  [first]: readonly Alert[],
  { startMs, endMs }: Span,
): ValueConfig {
  const isOwn = granularities.some(([name]) => name === config.granularity);
  const window = granularities.find(([, ms]) => first && ms === lengthOfInterval(first.interval));
  return !isOwn && window && (endMs - startMs) / window[1] >= bucketsMin
    ? { ...config, granularity: window[0] }
    : config;
}
