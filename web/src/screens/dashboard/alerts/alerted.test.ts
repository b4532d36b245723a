import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../api/queries/alerts.ts';
import type { ValueConfig } from '../../../tiles/model/requests.ts';
import { alerted } from './alerted.ts';

const hour = 3_600_000;
const span = { startMs: 0, endMs: hour };
const lines: ValueConfig = {
  displayType: 'line',
  sourceId: 'a'.repeat(24),
  select: [{ aggFn: 'count' }],
};
const average: ValueConfig = {
  ...lines,
  select: [{ aggFn: 'avg', valueExpression: 'Duration' }],
};

const alert = (change: Partial<Alert> = {}): Alert =>
  ({ interval: '5m', threshold: 10, thresholdType: 'above', ...change }) as Alert;

const shown = (config: ValueConfig, ...alerts: Alert[]) => {
  const { config: changed, thresholds } = alerted(config, alerts, span);
  return { granularity: (changed as ValueConfig).granularity, thresholds };
};

describe('a tile with alerts', () => {
  it('counts in the windows of its alert, so that the threshold says something', () => {
    expect(shown(lines, alert())).toEqual({ granularity: '5m', thresholds: [10] });
  });

  it('keeps the buckets that a person chose, and draws no line that misleads', () => {
    const chosen: ValueConfig = { ...lines, granularity: '1m' };
    expect(shown(chosen, alert())).toEqual({ granularity: '1m', thresholds: [] });
    expect(shown(chosen, alert({ interval: '1m' })).thresholds).toEqual([10]);
  });

  it.each(['30m', '7m'])('keeps its buckets if windows of %s do not suit the range', (interval) => {
    expect(shown(lines, alert({ interval }))).toEqual({ granularity: undefined, thresholds: [] });
  });

  it('draws the thresholds of values that depend on no bucket, each once', () => {
    const band = alert({ thresholdType: 'between', threshold: 10, thresholdMax: 20 });
    expect(shown(average, alert({ interval: '30m' }), band)).toEqual({
      granularity: undefined,
      thresholds: [10, 20],
    });
  });

  it('draws no line for other groups, nor over stacked values', () => {
    const grouped: ValueConfig = { ...average, groupBy: 'ServiceName' };
    expect(shown(grouped, alert()).thresholds).toEqual([10]);
    expect(shown(grouped, alert({ groupBy: 'ServiceName' })).thresholds).toEqual([10]);
    expect(shown(grouped, alert({ groupBy: 'Body' })).thresholds).toEqual([]);
    expect(shown({ ...grouped, displayType: 'stacked_bar' }, alert()).thresholds).toEqual([]);
    expect(shown({ ...average, displayType: 'stacked_bar' }, alert()).thresholds).toEqual([10]);
  });

  it('is not changed if its values are not over time', () => {
    const number: ValueConfig = { ...lines, displayType: 'number' };
    expect(shown(number, alert())).toEqual({ granularity: undefined, thresholds: [] });
  });
});
