import { describe, expect, it } from 'vitest';
import { Names } from './names.ts';

describe('names of Prometheus and Loki', () => {
  const names = new Names({
    metrics: [
      { name: 'http.server.request.duration', type: 'histogram', unit: 's' },
      { name: 'http.server.requests', type: 'sum', unit: '{request}' },
      { name: 'process.memory.usage', type: 'gauge', unit: 'By' },
      { name: 'node_load1', type: 'gauge', unit: '' },
    ],
    metricFields: ['ServiceName', 'Attributes.http.route', 'ResourceAttributes.k8s.pod.name'],
    logFields: ['LogAttributes.level', 'ResourceAttributes.host.name'],
  });

  it.each([
    ['http_server_request_duration_seconds', 'http.server.request.duration'],
    ['http_server_requests_total', 'http.server.requests'],
    ['process_memory_usage_bytes', 'process.memory.usage'],
    ['node_load1', 'node_load1'],
    ['up', undefined],
  ])('%s is the metric %s', (name, metric) => {
    expect(names.metric(name)?.name).toBe(metric);
  });

  it.each([
    ['http_route', 'Attributes', 'Attributes.http.route'],
    ['k8s_pod_name', 'Attributes', 'ResourceAttributes.k8s.pod.name'],
    ['host_name', 'LogAttributes', 'ResourceAttributes.host.name'],
    ['job', 'Attributes', 'ServiceName'],
    ['zone', 'Attributes', 'Attributes.zone'],
  ] as const)('the label %s in %s is the field %s', (label, map, field) => {
    expect(names.field(label, map)).toBe(field);
  });

  it('are kept if nothing is known', () => {
    const unknown = new Names({});
    expect(unknown.hasMetrics).toBe(false);
    expect(unknown.field('http_route', 'Attributes')).toBe('Attributes.http_route');
  });
});
