import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import {
  logSource,
  newAlert,
  newDashboard,
  newSavedSearch,
  nobodysId,
  tileInput,
} from '../kit/stack-objects.ts';

let api: ApiKit;
let sourceId: string;
beforeAll(async () => {
  api = await startApi();
  sourceId = (await logSource(api)).id;
});
afterAll(() => api.stop());

const post = (body: object, path = '/dashboards') => api.call('POST', path, { body });
const pathsOf = (json: JsonAnswer) => json.errors.map(({ path }: { path: string }) => path).sort();
const select = [{ aggFn: 'count' }];
const config = (over: object) => ({ displayType: 'line', sourceId, select, ...over });

describe('a dashboard', () => {
  it('needs a name; the rest defaults to empty', async () => {
    const { json } = await post({ name: 'n' });
    expect(json.data).toEqual({
      id: expect.any(String) as string,
      name: 'n',
      tiles: [],
      tags: [],
      filters: [],
      savedQuery: '',
      savedQueryLanguage: 'lucene',
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  it('keeps everything it was given, with tile ids of the server', async () => {
    const body = {
      name: 'n',
      tags: ['a', 'b'],
      filters: [{ name: 'service', expression: 'ServiceName', sourceId, whereLanguage: 'sql' }],
      savedQuery: 'x > 1',
      savedQueryLanguage: 'sql',
      tiles: [
        tileInput(sourceId, {
          id: 'mine',
          config: config({
            groupBy: ['ServiceName'],
            granularity: '5m',
            asRatio: true,
            select: [
              {
                aggFn: 'quantile',
                valueExpression: 'Duration',
                level: 0.95,
                where: 'a:b',
                whereLanguage: 'lucene',
                alias: 'p95',
              },
              { aggFn: 'count' },
            ],
            numberFormat: { output: 'time', factor: 1e-9, mantissa: 2 },
          }),
        }),
        tileInput(sourceId, {
          x: 23,
          y: 7,
          w: 1,
          h: 1,
          config: {
            displayType: 'search',
            sourceId,
            where: 'error',
            select: 'Body, ServiceName',
            orderBy: 'Timestamp DESC',
          },
        }),
        tileInput(sourceId, { config: { displayType: 'markdown', markdown: '# Hi' } }),
        tileInput(sourceId, {
          config: {
            displayType: 'number',
            sourceId,
            select: [{ aggFn: 'sum', metricName: 'requests', metricType: 'sum' }],
            groupBy: 'ServiceName',
          },
        }),
        ...['stacked_bar', 'table', 'pie'].map((displayType) =>
          tileInput(sourceId, { config: config({ displayType }) }),
        ),
      ],
    };
    const { status, json, text } = await post(body);
    expect(status, text).toBe(200);
    expect(json.data).toMatchObject({
      ...body,
      tiles: body.tiles.map((tile) => ({
        ...tile,
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      })),
    });
    expect(new Set(json.data.tiles.map(({ id }: JsonAnswer) => id)).size).toBe(7);
  });

  it('a PUT with one id on two tiles is a 400 that names both, and changes nothing', async () => {
    const before = await newDashboard(api);
    const [tile] = before.tiles;
    const { status, json } = await api.call('PUT', `/dashboards/${before.id}`, {
      body: { tiles: [tile, { ...tile, name: 'copy' }] },
    });
    expect(status).toBe(400);
    expect(json.message).toContain('tiles.0.id: is also the id of tiles.1');
    expect(json.message).toContain('tiles.1.id: is also the id of tiles.0');
    expect((await api.call('GET', `/dashboards/${before.id}`)).json.data).toEqual(before);
  });

  it('tags are a set, on dashboards and saved searches', async () => {
    const dashboard = await newDashboard(api, { tags: ['b', 'a', 'b'] });
    expect(dashboard.tags).toEqual(['b', 'a']);
    const search = await newSavedSearch(api, { tags: ['x', 'x'] });
    expect(search.tags).toEqual(['x']);
    const { json } = await api.call('PUT', `/dashboards/${dashboard.id}`, {
      body: { tags: ['c', 'c', 'd'] },
    });
    expect(json.data.tags).toEqual(['c', 'd']);
  });

  it('takes 500 tiles and not one more', async () => {
    expect(
      (await post({ name: 'n', tiles: Array.from({ length: 500 }, () => tileInput(sourceId)) }))
        .json.data.tiles,
    ).toHaveLength(500);
    expect(
      pathsOf(
        (await post({ name: 'n', tiles: Array.from({ length: 501 }, () => tileInput(sourceId)) }))
          .json,
      ),
    ).toEqual(['tiles']);
  });
});

describe('a bad dashboard', () => {
  it.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a long name', { name: 'x'.repeat(1025) }, ['name']],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, ['tags']],
    ['a long tag', { tags: ['x'.repeat(33)] }, ['tags.0']],
    [
      'a tile off the grid',
      { tiles: [tileInput(nobodysId, { x: 24, y: -1, w: 25, h: 0 })] },
      ['tiles.0.h', 'tiles.0.w', 'tiles.0.x', 'tiles.0.y'],
    ],
    [
      'two tiles with one id',
      {
        tiles: [
          tileInput(nobodysId, { id: 'one' }),
          tileInput(nobodysId, { id: 'two' }),
          tileInput(nobodysId, { id: 'one' }),
        ],
      },
      ['tiles.0.id', 'tiles.2.id'],
    ],
    ['half a cell', { tiles: [tileInput(nobodysId, { x: 0.5 })] }, ['tiles.0.x']],
    ['no config', { tiles: [tileInput(nobodysId, { config: undefined })] }, ['tiles.0.config']],
    [
      'an unknown display',
      { tiles: [tileInput(nobodysId, { config: { displayType: 'hologram' } })] },
      ['tiles.0.config.displayType'],
    ],
    [
      'no series',
      {
        tiles: [
          tileInput(nobodysId, {
            config: { displayType: 'line', sourceId: nobodysId, select: [] },
          }),
        ],
      },
      ['tiles.0.config.select'],
    ],
    [
      '21 series',
      {
        tiles: [
          tileInput(nobodysId, {
            config: {
              displayType: 'line',
              sourceId: nobodysId,
              select: Array.from({ length: 21 }, () => ({ aggFn: 'count' })),
            },
          }),
        ],
      },
      ['tiles.0.config.select'],
    ],
    [
      'an unknown aggregate',
      {
        tiles: [
          tileInput(nobodysId, {
            config: { displayType: 'line', sourceId: nobodysId, select: [{ aggFn: 'median' }] },
          }),
        ],
      },
      ['tiles.0.config.select.0.aggFn'],
    ],
    [
      'an aggregate of nothing',
      {
        tiles: [
          tileInput(nobodysId, {
            config: { displayType: 'line', sourceId: nobodysId, select: [{ aggFn: 'avg' }] },
          }),
        ],
      },
      ['tiles.0.config.select.0.valueExpression'],
    ],
    [
      'a level that is none',
      {
        tiles: [
          tileInput(nobodysId, {
            config: {
              displayType: 'line',
              sourceId: nobodysId,
              select: [{ aggFn: 'quantile', valueExpression: 'x', level: 95 }],
            },
          }),
        ],
      },
      ['tiles.0.config.select.0.level'],
    ],
    [
      'a ratio of one',
      {
        tiles: [
          tileInput(nobodysId, {
            config: {
              displayType: 'number',
              sourceId: nobodysId,
              select: [{ aggFn: 'count' }],
              asRatio: true,
            },
          }),
        ],
      },
      ['tiles.0.config.select'],
    ],
    ['a source that is no id', { tiles: [tileInput('logs')] }, ['tiles.0.config.sourceId']],
  ])(
    'with %s is a 400 that names it, on creation and on validation alike',
    async (_name, over, paths) => {
      for (const path of ['/dashboards', '/dashboards/validate']) {
        const { status, json } = await post({ name: 'n', ...over }, path);
        expect(status).toBe(400);
        expect(pathsOf(json)).toEqual(paths);
      }
    },
  );

  it('with unknown sources is a 400 that names every place', async () => {
    for (const path of ['/dashboards', '/dashboards/validate']) {
      const { status, json } = await post(
        {
          name: 'n',
          tiles: [tileInput(sourceId), tileInput(nobodysId), tileInput(nobodysId)],
          filters: [{ name: 'f', expression: 'x', sourceId: nobodysId }],
        },
        path,
      );
      expect(status).toBe(400);
      expect(pathsOf(json)).toEqual([
        'filters.0.sourceId',
        'tiles.1.config.sourceId',
        'tiles.2.config.sourceId',
      ]);
    }
  });

  it('can be checked without being stored', async () => {
    const before = (await api.call('GET', '/dashboards')).json.meta.total;
    expect(
      (await post({ name: 'n', tiles: [tileInput(sourceId)] }, '/dashboards/validate')).json,
    ).toEqual({ data: { valid: true } });
    expect((await api.call('GET', '/dashboards')).json.meta.total).toBe(before);
  });
});

describe('tiles on a change', () => {
  it('stay as they are where none are sent', async () => {
    const dashboard = await newDashboard(api);
    const { json } = await api.call('PUT', `/dashboards/${dashboard.id}`, {
      body: { name: 'other' },
    });
    expect(json.data.tiles).toEqual(dashboard.tiles);
  });

  it('keep an id they had; any other id is replaced', async () => {
    const dashboard = await newDashboard(api);
    const [{ id }] = dashboard.tiles as [{ id: string }];
    const { json } = await api.call('PUT', `/dashboards/${dashboard.id}`, {
      body: {
        tiles: [
          tileInput(sourceId, { id: nobodysId }),
          tileInput(sourceId, { id }),
          tileInput(sourceId, { id: '' }),
          tileInput(sourceId, { id: null }),
        ],
      },
    });
    const ids = json.data.tiles.map((tile: JsonAnswer) => tile.id);
    expect(ids[1]).toBe(id);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(nobodysId);
  });

  it("that disappear take their alerts with them, and nobody else's", async () => {
    const dashboard = await newDashboard(api, {
      tiles: [tileInput(sourceId), tileInput(sourceId)],
    });
    const [kept, gone] = dashboard.tiles as [{ id: string }, { id: string }];
    const watch = (tileId: string) =>
      newAlert(api, { source: 'tile', dashboardId: dashboard.id, tileId });
    const [onKept, onGone, elsewhere] = [
      await watch(kept.id),
      await watch(gone.id),
      await newAlert(api),
    ];
    await api.call('PUT', `/dashboards/${dashboard.id}`, {
      body: { tiles: [kept].map((tile) => tileInput(sourceId, { id: tile.id })) },
    });
    const status = async (alert: { id: string }) =>
      (await api.call('GET', `/alerts/${alert.id}`)).status;
    expect([await status(onKept), await status(onGone), await status(elsewhere)]).toEqual([
      200, 404, 200,
    ]);
    await api.call('DELETE', `/dashboards/${dashboard.id}`);
    expect([await status(onKept), await status(elsewhere)]).toEqual([404, 200]);
  });

  it('that do not pass the checks change nothing', async () => {
    const dashboard = await newDashboard(api);
    expect(
      (
        await api.call('PUT', `/dashboards/${dashboard.id}`, {
          body: { name: 'x', tiles: [tileInput(nobodysId)] },
        })
      ).status,
    ).toBe(400);
    expect((await api.call('GET', `/dashboards/${dashboard.id}`)).json.data).toEqual(dashboard);
  });
});
