import { describe, expect, it } from 'vitest';
import type { Source } from '../../api/queries/sources.ts';
import type { ValueConfig } from './requests.ts';
import { forSource, isComplete, withoutEmptyTexts } from './series.ts';

const sourceOf = (kind: Source['kind'], letter: string): Source =>
  ({ id: letter.repeat(24), kind }) as Source;
const logs = sourceOf('log', 'a');
const chart: ValueConfig = {
  displayType: 'line',
  sourceId: logs.id,
  select: [{ aggFn: 'count', where: 'SeverityText:error' }],
  groupBy: ['Body'],
};

describe('a chart over another source', () => {
  it('stays as it is if the source is of the same kind', () => {
    const more = sourceOf('log', 'b');
    expect(forSource(chart, logs, more)).toEqual({ ...chart, sourceId: more.id });
  });

  it('starts again if the source is of another kind', () => {
    const metrics = sourceOf('metric', 'b');
    const next = forSource(chart, logs, metrics);
    expect(next).toEqual({ displayType: 'line', sourceId: metrics.id, select: [{ aggFn: 'avg' }] });
    expect(isComplete(next, 'metric')).toBe(false);
    const named: ValueConfig = { ...next, select: [{ aggFn: 'avg', metricName: 'x' }] };
    expect(isComplete(named, 'metric')).toBe(true);
  });
});

describe('a series', () => {
  it('has no empty texts', () => {
    const series = { aggFn: 'sum', alias: ' ', valueExpression: '', where: 'a', level: 0 } as const;
    expect(withoutEmptyTexts(series)).toEqual({ aggFn: 'sum', where: 'a', level: 0 });
  });
});
