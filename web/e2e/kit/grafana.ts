/** Metrics and logs of `shopMetrics` and `shopRecords`, as Grafana names their fields. */

const prometheus = { type: 'prometheus', uid: '${source}' };
const loki = { type: 'loki', uid: 'P8E80F9AEF21F6940' };

const place = (x: number, y: number, w: number, h: number): object => ({ gridPos: { x, y, w, h } });

function chart(title: string, expr: string, over: object = {}): object {
  return {
    datasource: prometheus,
    title,
    type: 'timeseries',
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: [{ datasource: prometheus, expr, legendFormat: '__auto', range: true, refId: 'A' }],
    ...over,
  };
}

function field(unit: string, over: object = {}): object {
  return {
    fieldConfig: {
      defaults: {
        color: { mode: 'palette-classic' },
        custom: { drawStyle: 'line', lineWidth: 1, fillOpacity: 10, stacking: { mode: 'none' } },
        mappings: [],
        thresholds: { mode: 'absolute', steps: [{ color: 'green', value: null }] },
        unit,
        ...over,
      },
      overrides: [],
    },
  };
}

const requests = 'http_server_requests_total{job="checkout", http_route=~"$route"}';
const variable = (type: string, name: string, over: object): object => ({ type, name, ...over });

/** A dashboard of a shop, as "Export" of Grafana writes it. */
export const grafanaShop = {
  __inputs: [{ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }],
  __requires: [{ type: 'grafana', id: 'grafana', name: 'Grafana', version: '11.2.0' }],
  annotations: {
    list: [{ builtIn: 1, enable: true, name: 'Annotations & Alerts', type: 'dashboard' }],
  },
  editable: true,
  graphTooltip: 1,
  id: null,
  links: [],
  panels: [
    { type: 'row', title: 'Traffic', collapsed: false, panels: [], ...place(0, 0, 24, 1) },
    chart('Requests', `sum by (http_route) (rate(${requests}[$__rate_interval]))`, {
      ...field('short'),
      ...place(0, 1, 12, 8),
    }),
    chart(
      'Share of /cart',
      '100 * sum(rate(http_server_requests_total{http_route="/cart"}[5m])) / sum(rate(http_server_requests_total[5m]))',
      { ...field('percent'), ...place(12, 1, 12, 8) },
    ),
    chart('Memory', 'max(process_memory_usage_bytes{service_name="cart"})', {
      type: 'stat',
      ...field('bytes', {
        thresholds: {
          mode: 'absolute',
          steps: [
            { color: 'green', value: null },
            { color: 'red', value: 8e9 },
          ],
        },
      }),
      ...place(0, 9, 6, 5),
    }),
    chart('Queue', 'avg_over_time(http_server_queue_milliseconds[5m])', {
      ...field('ms'),
      ...place(6, 9, 6, 5),
    }),
    chart('Latency', 'sum(rate(http_duration_seconds_bucket[5m])) by (le)', {
      type: 'heatmap',
      ...place(12, 9, 6, 5),
    }),
    chart('Forecast', 'predict_linear(process_memory_usage_bytes[1h], 3600)', {
      ...field('bytes'),
      ...place(18, 9, 6, 5),
    }),
    {
      type: 'row',
      title: 'Logs',
      collapsed: true,
      ...place(0, 14, 24, 1),
      panels: [
        {
          datasource: loki,
          type: 'logs',
          title: 'Refused payments',
          targets: [{ expr: '{service_name="payment"} |= "failed"', refId: 'A' }],
          ...place(0, 15, 16, 8),
        },
        {
          type: 'text',
          title: 'Runbook',
          options: { mode: 'markdown', content: 'Call **the bank**.' },
          ...place(16, 15, 8, 8),
        },
      ],
    },
  ],
  refresh: '30s',
  schemaVersion: 39,
  tags: ['shop', 'slo'],
  templating: {
    list: [
      variable('datasource', 'source', { query: 'prometheus' }),
      variable('query', 'route', {
        label: 'Route',
        includeAll: true,
        multi: true,
        definition: 'label_values(http_server_requests_total, http_route)',
        query: { query: 'label_values(http_server_requests_total, http_route)', refId: 'A' },
      }),
      variable('custom', 'env', { query: 'prod,staging' }),
    ],
  },
  time: { from: 'now-1h', to: 'now' },
  timezone: 'browser',
  title: 'Shop overview',
  uid: 'shop-overview',
  version: 7,
};
