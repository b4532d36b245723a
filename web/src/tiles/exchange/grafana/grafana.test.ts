import { describe, expect, it } from 'vitest';
import { readDashboardFile } from '../read-file.ts';
import { readPromql, readRatio } from './promql.ts';

const panel = (type: string, title: string, over: object = {}): object => ({
  type,
  title,
  gridPos: { x: 0, y: 0, w: 12, h: 8 },
  ...over,
});
const query = (...exprs: string[]): object => ({
  targets: exprs.map((expr) => ({ expr, legendFormat: '__auto' })),
});
const read = (body: object) => readDashboardFile(JSON.stringify(body));
const unit = (name: string, custom: object = {}): object => ({
  fieldConfig: { defaults: { unit: name, custom } },
});

describe('a dashboard of a web service', () => {
  const { input, wanted, losses } = read({
    title: 'Checkout service',
    tags: ['shop', 'shop', 'slo'],
    schemaVersion: 39,
    templating: {
      list: [
        { type: 'query', name: 'region', label: 'Region', query: 'label_values(up, region)' },
        { type: 'query', name: 'pod', query: { query: 'label_values(pod)', refId: 'A' } },
        { type: 'interval', name: 'step', query: '1m,5m' },
      ],
    },
    panels: [
      panel('timeseries', 'Requests', {
        ...query('sum by (code) (rate(http_requests_total{job="checkout",region=~"$region"}[5m]))'),
        ...unit('reqps'),
      }),
      panel('timeseries', 'Latency', {
        ...query('histogram_quantile(0.95, sum(rate(http_duration_bucket[5m])) by (le, route))'),
        ...unit('s'),
        repeat: 'region',
        gridPos: { x: 12, y: 0, w: 12, h: 8 },
      }),
      panel('stat', 'Memory', {
        ...query('max(process_resident_memory_bytes{instance!="a:9090"})'),
        ...unit('bytes'),
        gridPos: { x: 0, y: 8, w: 6, h: 4 },
      }),
      panel('timeseries', 'Errors', query('sum(rate(a[5m])) + sum(rate(b[5m]))')),
      panel('heatmap', 'Spread', query('x')),
    ],
  });

  it('has the panels that a tile can show', () => {
    expect(input.name).toBe('Checkout service');
    expect(input.tags).toEqual(['shop', 'slo']);
    expect(input.tiles?.map(({ name }) => name)).toEqual(['Requests', 'Latency', 'Memory']);
    const [requests, latency, memory] = (input.tiles ?? []).map(({ config }) => config);
    expect(requests).toMatchObject({
      displayType: 'line',
      groupBy: ['Attributes.code'],
      numberFormat: { output: 'throughput' },
      select: [{ aggFn: 'sum', metricType: 'sum', where: 'ServiceName:"checkout"' }],
    });
    expect(latency).toMatchObject({
      groupBy: ['Attributes.route'],
      numberFormat: { output: 'duration' },
      select: [{ aggFn: 'quantile', level: 0.95, metricName: 'http_duration' }],
    });
    expect(memory).toMatchObject({
      displayType: 'number',
      select: [{ aggFn: 'max', where: 'NOT Attributes.instance:"a:9090"' }],
    });
  });

  it('keeps the arrangement without overlaps', () => {
    const places = input.tiles?.map(({ x, y, w, h }) => [x, y, w, h]);
    expect(places).toEqual([
      [0, 0, 12, 5],
      [12, 0, 12, 5],
      [0, 5, 6, 2],
    ]);
  });

  it('has filters for variables of label values', () => {
    expect(input.filters?.map(({ id, name, expression }) => [id, name, expression])).toEqual([
      ['region', 'Region', 'Attributes.region'],
      ['pod', 'pod', 'Attributes.pod'],
    ]);
  });

  it('repeats a panel by its variable', () => {
    expect(input.tiles?.map(({ repeatBy }) => repeatBy)).toEqual([undefined, 'region', undefined]);
  });

  it('asks for a source of metrics, and names every loss', () => {
    expect(wanted.map(({ kind }) => kind)).toEqual(['metric']);
    expect(losses).toEqual([
      '“Requests”: rate and increase become the increase in each bucket.',
      '“Errors”: the query cannot be carried over: sum(rate(a[5m])) + sum(rate(b[5m]))',
      '“Spread”: there is no tile like the panel “heatmap”.',
      'Variable “step” (interval): only values of a label become a filter.',
    ]);
  });
});

describe('a dashboard of logs and text', () => {
  const { input, wanted, losses } = read({
    // As the API of Grafana answers.
    dashboard: {
      title: 'Logs',
      panels: [
        {
          type: 'row',
          title: 'Details',
          collapsed: true,
          panels: [panel('logs', 'Failures', query('{app="cart", level=~"error|warn"} |= "bank"'))],
        },
        panel('text', 'Notes', { options: { mode: 'markdown', content: '# Hello' } }),
        panel('text', 'Frame', { options: { mode: 'html', content: '<b>x</b>' } }),
        panel('logs', 'Parsed', query('{app="cart"} | json | status > 500')),
      ],
    },
  });

  it('has rows of a search, and text', () => {
    const configs = Object.fromEntries(
      (input.tiles ?? []).map(({ name, config }) => [name, config]),
    );
    expect(configs['Failures']).toMatchObject({
      displayType: 'search',
      where:
        'ServiceName:"cart" AND (LogAttributes.level:"error" OR LogAttributes.level:"warn") AND "bank"',
    });
    expect(configs['Notes']).toEqual({ displayType: 'markdown', markdown: '# Hello' });
    expect(configs['Details']).toEqual({ displayType: 'markdown', markdown: '' });
    expect(configs).not.toHaveProperty('Parsed');
    expect(wanted.map(({ kind }) => kind)).toEqual(['log']);
  });

  it('names every loss', () => {
    expect(losses).toEqual([
      '“Frame”: HTML is shown as text.',
      '“Parsed”: the query cannot be carried over: {app="cart"} | json | status > 500',
    ]);
  });
});

describe('a dashboard of an old version', () => {
  it('knows graphs, single numbers, stacks and shares', () => {
    const { input } = read({
      panels: [
        panel('graph', 'Load', { ...query('avg(node_load1) by (instance)'), stack: true }),
        panel('singlestat', 'Up', query('sum(up)')),
        panel('piechart', 'By job', query('sum by (job) (up)')),
        panel('table', 'Disks', { ...query('node_disk', 'node_size'), ...unit('percentunit') }),
      ],
    });
    expect(input.name).toBe('From Grafana');
    expect(input.tiles?.map(({ config }) => config.displayType)).toEqual([
      'stacked_bar',
      'number',
      'pie',
      'table',
    ]);
    expect(input.tiles?.[2]?.config).toMatchObject({ groupBy: ['ServiceName'] });
    expect(input.tiles?.[3]?.config).toMatchObject({
      select: [{ metricName: 'node_disk' }, { metricName: 'node_size' }],
    });
  });

  it('survives panels without anything', () => {
    const { input, losses } = read({ panels: [null, 7, {}, { type: 'stat' }] });
    expect(input.tiles).toEqual([]);
    expect(losses).toEqual([
      '“Untitled”: there is no tile like the panel “”.',
      '“Untitled”: it has no query.',
    ]);
  });
});

describe('a dashboard whose sources are chosen', () => {
  const body = {
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: { list: [{ type: 'datasource', name: 'source', query: 'prometheus' }] },
    panels: [
      panel('timeseries', 'Share', {
        ...query('100 * sum(rate(requests_total{code="500"}[5m])) / sum(rate(requests_total[5m]))'),
        ...unit('percent'),
      }),
      panel('timeseries', 'Calls', query('sum by (http_route) (rate(latency_seconds_count[5m]))')),
      panel('stat', 'Peak', { ...query('max_over_time(up[1h])'), repeat: 'pod', links: [{}] }),
    ],
  };
  const metrics = [
    { name: 'requests', type: 'sum' as const, unit: '' },
    { name: 'latency', type: 'histogram' as const, unit: 's' },
  ];
  const known = { metrics, metricFields: ['Attributes.http.route'] };
  const { input, losses, view } = readDashboardFile(JSON.stringify(body), known);

  it('has the metrics and the attributes of the source', () => {
    const [share, calls] = (input.tiles ?? []).map(({ config }) => config);
    expect(share).toMatchObject({
      asRatio: true,
      numberFormat: { output: 'percent', factor: 1 },
      select: [
        { metricName: 'requests', metricType: 'sum', where: 'Attributes.code:"500"' },
        { metricName: 'requests', metricType: 'sum' },
      ],
    });
    expect(calls).toMatchObject({
      groupBy: ['Attributes.http.route'],
      select: [{ aggFn: 'count', metricName: 'latency', metricType: 'histogram' }],
    });
  });

  it('says what the source does not have, and what a tile does not have', () => {
    expect(losses).toEqual([
      '“Calls”: rate and increase become the increase in each bucket.',
      '“Peak”: the source has no metric “up”. Choose another one in the tile.',
      '“Peak”: its links are left out.',
      '“Peak”: it is shown once, not for each “pod”.',
    ]);
  });

  it('opens with the range and the refresh of the file', () => {
    expect(view).toEqual({ from: 'now-6h', to: 'now', every: '30s' });
    const odd = readDashboardFile(JSON.stringify({ panels: [], refresh: '5s', time: {} }));
    expect(odd.view).toEqual({});
    expect(odd.losses).toEqual([
      'The time range: choose one on the dashboard.',
      'The refresh every 5s: choose another one on the dashboard.',
    ]);
  });
});

describe('PromQL', () => {
  it.each([
    ['sum(a) / sum(b)', ['a', 'b'], false],
    ['100 * sum by (c) (rate(a[5m])) / sum(rate(b{d="x/y"}[5m])) by (c)', ['a', 'b'], true],
    ['(sum(a) / sum(b)) * 100', ['a', 'b'], true],
    ['(a) / (b)', ['a', 'b'], false],
  ])('reads the ratio %s', (text, metrics, isPercent) => {
    const ratio = readRatio(text);
    expect(ratio?.parts.map(({ metric }) => metric)).toEqual(metrics);
    expect(ratio?.isPercent).toBe(isPercent);
  });

  it.each(['a', 'a / b / c', 'sum by (x) (a) / sum by (y) (b)', 'a / 2', '/', 'a - (b / c)'])(
    'takes %s for no ratio',
    (text) => expect(readRatio(text)).toBeUndefined(),
  );

  it.each([
    'a + b',
    'topk(5, a)',
    'sum(a) by (b) > 3',
    'a offset 5m',
    'a{b="c"',
    'a{b~"c"}',
    'histogram_quantile(0.9, sum(a))',
    'rate(a)',
    '',
    '"',
  ])('leaves %s to the report', (text) => expect(readPromql(text)).toBeUndefined());

  it('reads labels with quotes, commas and braces in their values', () => {
    expect(readPromql('a{b="x\\"},y", c!~"d|e",}')?.labels).toEqual([
      { label: 'b', op: '=', value: 'x"},y' },
      { label: 'c', op: '!~', value: 'd|e' },
    ]);
  });
});
