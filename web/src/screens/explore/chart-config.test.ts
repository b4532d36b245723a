import { describe, expect, it } from 'vitest';
import { readConfig, tidy } from './chart-config.ts';

const sourceId = 'a'.repeat(24);
const chart = { displayType: 'line', sourceId, select: [{ aggFn: 'count' }] } as const;
const read = (value: unknown) => readConfig(JSON.stringify(value));

describe('the chart of a URL', () => {
  it('keeps everything that a chart can say', () => {
    const whole = {
      displayType: 'stacked_bar',
      sourceId,
      select: [
        { aggFn: 'quantile', level: 0.95, valueExpression: 'Duration', where: 'x', alias: 'p95' },
        { aggFn: 'sum', metricName: 'requests', metricType: 'sum', whereLanguage: 'sql' },
      ],
      groupBy: ['ServiceName'],
      asRatio: true,
      granularity: '5m',
      numberFormat: { output: 'duration', mantissa: 2, factor: 1e-9, unit: 's' },
    };
    expect(read(whole)).toEqual(whole);
  });

  it.each<[string, unknown]>([
    ['no JSON', undefined],
    ['another value', 3],
    ['an unknown kind', { ...chart, displayType: 'search' }],
    ['no source', { ...chart, sourceId: '../x' }],
    ['no series', { ...chart, select: [] }],
    ['six series', { ...chart, select: Array.from({ length: 6 }, () => ({ aggFn: 'count' })) }],
    ['an unknown function', { ...chart, select: [{ aggFn: 'system' }] }],
  ])('with %s is none', (_name, value) => {
    expect(value === undefined ? readConfig('{') : read(value)).toBeUndefined();
  });

  it('drops what it does not know', () => {
    const more = {
      ...chart,
      onclick: 'x',
      select: [{ aggFn: 'count', level: 7, where: '', x: 1 }],
    };
    expect(read({ ...more, groupBy: ['', 3, 'Body'], asRatio: true })).toEqual({
      ...chart,
      groupBy: ['Body'],
    });
    expect(tidy({ ...chart, select: [{ aggFn: 'count', where: '', alias: '' }] })).toEqual(chart);
  });
});
