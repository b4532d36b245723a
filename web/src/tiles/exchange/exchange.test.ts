import { describe, expect, it } from 'vitest';
import type { Dashboard } from '../../api/queries/dashboards.ts';
import { exportedDashboard, withSources } from './export.ts';
import { matchedSources, readDashboardFile } from './read-file.ts';

const logs = 'a'.repeat(24);
const traces = 'b'.repeat(24);

const dashboard: Dashboard = {
  id: 'c'.repeat(24),
  name: 'Checkout',
  tags: ['shop'],
  savedQuery: 'region:eu',
  savedQueryLanguage: 'lucene',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  filters: [{ id: 'service', name: 'Service', expression: 'ServiceName', sourceId: traces }],
  tiles: [
    {
      id: 'd'.repeat(24),
      name: 'Errors',
      x: 0,
      y: 0,
      w: 12,
      h: 4,
      config: { displayType: 'line', sourceId: logs, select: [{ aggFn: 'count' }] },
    },
  ],
};
const sources = [
  { id: logs, name: 'Logs', kind: 'log' },
  { id: traces, name: 'Traces', kind: 'trace' },
] as const;

describe('a dashboard as a file', () => {
  const file = JSON.stringify(exportedDashboard(dashboard, sources));

  it('comes back as it was, without the ids of the server', () => {
    const { input, wanted, losses } = readDashboardFile(file);
    expect(input).toMatchObject({ name: 'Checkout', tags: ['shop'], savedQuery: 'region:eu' });
    expect(file).not.toContain('d'.repeat(24));
    expect(wanted.map(({ name }) => name)).toEqual(['Logs', 'Traces']);
    expect(losses).toEqual([]);
  });

  it('finds sources of another server by name and kind', () => {
    const { input, wanted } = readDashboardFile(file);
    const own = [
      { id: '1'.repeat(24), name: 'Logs', kind: 'log' as const },
      { id: '2'.repeat(24), name: 'Logs', kind: 'trace' as const },
    ];
    const found = matchedSources(wanted, own);
    expect(found).toEqual({ [logs]: '1'.repeat(24) });
    const moved = withSources(input, { ...found, [traces]: '2'.repeat(24) });
    expect(moved.tiles?.[0]?.config).toMatchObject({ sourceId: '1'.repeat(24) });
    expect(moved.filters?.[0]?.sourceId).toBe('2'.repeat(24));
  });

  it('takes the answer of the API, too', () => {
    const { input } = readDashboardFile(JSON.stringify(dashboard));
    expect(input).not.toHaveProperty('id');
    expect(input).not.toHaveProperty('createdAt');
    expect(input.tiles?.[0]).not.toHaveProperty('id');
  });

  it.each([
    ['no JSON', '{', /not JSON/],
    ['a list', '[]', /not a JSON object/],
    ['something else', '{"rows": []}', /no list of "tiles"/],
    ['a tile without a config', '{"tiles": [{"name": "x"}]}', /no "config"/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readDashboardFile(text)).toThrow(message);
  });
});
