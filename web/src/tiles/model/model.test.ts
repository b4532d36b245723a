import { describe, expect, it } from 'vitest';
import { ColorBook } from '../../view/series-colors.ts';
import { groupsTable, timeDataOf, valueNames } from './merge.ts';
import { seriesRequests, totalsRequests, type ValueConfig } from './requests.ts';

const minuteMs = 60_000;
const startMs = 1_700_000_040_000;
const span = { startMs, endMs: startMs + 30 * minuteMs };
const sourceId = 'a'.repeat(24);

const config = (over: Partial<ValueConfig> = {}): ValueConfig => ({
  displayType: 'line',
  sourceId,
  select: [{ aggFn: 'count' }],
  ...over,
});
const scope = { span, filters: [] };

describe('requests of a tile', () => {
  it('ask for twelve values in fives', () => {
    const select = Array.from({ length: 12 }, (_, index) => ({
      aggFn: 'avg' as const,
      valueExpression: `field_${index}`,
    }));
    const requests = seriesRequests(config({ select }), scope);
    expect(requests.map(({ series }) => series.length)).toEqual([5, 5, 2]);
    expect(requests[2]?.series[1]?.field).toBe('field_11');
  });

  it('take the condition of the dashboard as one of their own', () => {
    const filters = [{ type: 'lucene' as const, condition: 'region:eu' }];
    const select = [{ aggFn: 'count' as const, where: "a = 'b'", whereLanguage: 'sql' as const }];
    const [request] = seriesRequests(config({ select }), { span, filters });
    expect(request?.series[0]).toMatchObject({ where: "a = 'b'", whereLanguage: 'sql', filters });
  });

  it('group by the items of a text, with their commas', () => {
    const [request] = seriesRequests(config({ groupBy: 'if(a, b, c), ServiceName' }), scope);
    expect(request?.series[0]?.groupBy).toEqual(['if(a, b, c)', 'ServiceName']);
    expect(request?.limit).toBe(20);
  });

  it('ask a pie for seven slices and the rest', () => {
    const [request] = totalsRequests(config({ displayType: 'pie', groupBy: 'ServiceName' }), scope);
    expect(request).toMatchObject({ limit: 7, other: true });
  });

  it('do not draw 100,000 buckets because a tile wants seconds', () => {
    const year = { startMs, endMs: startMs + 365 * 24 * 60 * minuteMs };
    const [request] = seriesRequests(config({ granularity: '30s' }), { span: year, filters: [] });
    expect(request?.granularity).toBe('7d');
  });
});

describe('values of a tile', () => {
  const book = new ColorBook();
  const data = (over: Partial<ValueConfig>, results: Parameters<typeof timeDataOf>[1]) =>
    timeDataOf(config(over), results, span, span.endMs, book);

  it('has nothing counted where the server has no bucket, and no value of others', () => {
    const points = [{ ts_bucket: startMs, 'series_0.data': 4 }];
    const counted = data({ granularity: '1m' }, [points]);
    expect(counted.timesMs).toHaveLength(30);
    expect(counted.series[0]?.values.slice(0, 3)).toEqual([4, 0, 0]);
    const measured = data(
      { granularity: '1m', select: [{ aggFn: 'avg', valueExpression: 'Duration' }] },
      [points],
    );
    expect(measured.series[0]?.values.slice(0, 3)).toEqual([4, null, null]);
  });

  it('has one line for each group and value, the rest last and grey', () => {
    const select = [{ aggFn: 'count' as const }, { aggFn: 'max' as const, valueExpression: 'x' }];
    const points = [
      { ts_bucket: startMs, group: [], other: true, 'series_0.data': 9, 'series_1.data': 9 },
      { ts_bucket: startMs, group: ['b'], 'series_0.data': 1, 'series_1.data': 2 },
      { ts_bucket: startMs, group: [''], 'series_0.data': 3 },
    ];
    const { series } = data({ select, groupBy: 'g' }, [points]);
    expect(series.map(({ name }) => name)).toEqual([
      '(empty) · count',
      'b · count',
      'b · max of x',
      'other · count',
      'other · max of x',
    ]);
    expect(series.at(-1)?.color).toBe('var(--bar-other)');
  });

  it('gives severities their colours', () => {
    const points = [{ ts_bucket: startMs, group: ['ERROR'], 'series_0.data': 1 }];
    const { series } = data({ groupBy: 'SeverityText' }, [points]);
    expect(series[0]?.color).toBe('var(--bar-error)');
  });

  it('takes colours only for what has to be told apart', () => {
    const shared = new ColorBook();
    const drawn = (over: Partial<ValueConfig>, group?: string[]) => {
      const point = { ts_bucket: startMs, 'series_0.data': 1, ...(group && { group }) };
      return timeDataOf(config(over), [[point]], span, span.endMs, shared).series[0];
    };
    // All eight of these would take a colour of the book before the last one asks.
    Array.from({ length: 4 }, (_, index) => drawn({ groupBy: 'SeverityText' }, [`level ${index}`]));
    const alone = Array.from({ length: 4 }, (_, index) =>
      drawn({ select: [{ aggFn: 'count', alias: `alone ${index}` }] }),
    );
    expect(new Set(alone.map((series) => series?.color))).toEqual(new Set(['var(--series-1)']));
    const colors = Array.from(
      { length: 8 },
      (_, index) => drawn({ groupBy: 'g' }, [`service ${index}`])?.color,
    );
    expect(new Set(colors).size).toBe(8);
    expect(drawn({ groupBy: 'g' }, ['service 7'])?.isDashed).toBe(false);
  });

  it('merges totals of several requests by group', () => {
    const select = Array.from({ length: 6 }, () => ({ aggFn: 'count' as const }));
    const first = { rows: [{ group: ['a'], 'series_0.data': 1 }], groups: 2 };
    const second = {
      rows: [
        { group: ['b'], 'series_0.data': 7 },
        { group: ['a'], 'series_0.data': 6 },
      ],
      groups: 2,
    };
    const { rows } = groupsTable(config({ select, groupBy: 'g' }), [first, second]);
    expect(rows.map(({ name, values }) => [name, values[0], values[5]])).toEqual([
      ['a', 1, 6],
      ['b', null, 7],
    ]);
  });

  it.each<[Partial<ValueConfig>, string[]]>([
    [{ select: [{ aggFn: 'quantile', level: 0.95, valueExpression: 'd' }] }, ['p95 of d']],
    [{ select: [{ aggFn: 'sum', metricName: 'm', alias: 'Sales' }] }, ['Sales']],
    [{ select: [{ aggFn: 'count' }, { aggFn: 'count' }], asRatio: true }, ['count / count']],
  ])('names the values of %o', (over, names) => {
    expect(valueNames(config(over))).toEqual(names);
  });
});
