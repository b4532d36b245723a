import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import {
  logSource,
  newDashboard,
  newSavedSearch,
  nobodysId,
  tileInput,
  uniqueName,
} from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const from = { databaseName: 'telemetry', tableName: 'otel_logs' };
const newSource = async (over: object = {}) =>
  (await api.call('POST', '/sources', { body: { kind: 'log', name: uniqueName(), from, ...over } }))
    .json.data;
const pathsOf = (json: JsonAnswer) => json.errors.map(({ path }: { path: string }) => path).sort();

describe('sources', () => {
  it('exist from the start for the OpenTelemetry logs, traces and metrics, without credentials', async () => {
    const { json, text } = await api.call('GET', '/sources');
    expect(json.data.map(({ name, kind }: JsonAnswer) => [name, kind])).toEqual([
      ['Logs', 'log'],
      ['Traces', 'trace'],
      ['Metrics', 'metric'],
    ]);
    for (const source of json.data) {
      expect(source).toMatchObject({
        id: expect.any(String) as string,
        team: api.teamId,
        from: { databaseName: 'telemetry' },
        createdAt: expect.any(String) as string,
      });
    }
    expect(text).not.toMatch(/password|username|credential/i);
  });

  it('fill in what every kind needs', async () => {
    expect(await newSource()).toMatchObject({ timestampValueExpression: 'Timestamp' });
    expect(
      await newSource({ kind: 'metric', metricTables: { gauge: 'otel_metrics_gauge' } }),
    ).toMatchObject({ timestampValueExpression: 'TimeUnix' });
  });

  it.each<[string, object, string[]]>([
    ['no kind', { kind: undefined }, ['kind']],
    ['an unknown kind', { kind: 'profile' }, ['kind']],
    ['no table', { from: undefined }, ['from']],
    ['another database', { from: { ...from, databaseName: 'system' } }, ['from.databaseName']],
    ['a precision between', { kind: 'trace', durationPrecision: 5 }, ['durationPrecision']],
    ['a metric source without tables', { kind: 'metric' }, ['metricTables']],
    ['an expression that is too long', { bodyExpression: 'x'.repeat(2049) }, ['bodyExpression']],
  ])('with %s are a 400 that names it', async (_name, over, paths) => {
    const { status, json } = await api.call('POST', '/sources', {
      body: { kind: 'log', name: 'n', from, ...over },
    });
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual(paths);
  });

  it('merge a change, null unsets, and are checked as a whole', async () => {
    const source = await newSource({
      bodyExpression: 'Body',
      severityTextExpression: 'SeverityText',
    });
    const change = (body: object) => api.call('PUT', `/sources/${source.id}`, { body });
    const { json } = await change({ name: 'renamed', bodyExpression: null });
    expect(json.data).toMatchObject({
      name: 'renamed',
      severityTextExpression: 'SeverityText',
      timestampValueExpression: 'Timestamp',
    });
    expect(json.data).not.toHaveProperty('bodyExpression');
    expect(pathsOf((await change({ from: { ...from, databaseName: 'another' } })).json)).toEqual([
      'from.databaseName',
    ]);
    expect(pathsOf((await change({ kind: 'metric' })).json)).toEqual(['metricTables']);
    expect(pathsOf((await change({ name: null })).json)).toEqual(['name']);
  });

  it('in use are a 409 that says where, until they are free', async () => {
    const source = await newSource();
    const tiles = [tileInput(source.id), tileInput(source.id)];
    const dashboard = await newDashboard(api, { name: `Shop ${'x'.repeat(100)}`, tiles });
    const search = await newSavedSearch(api, { sourceId: source.id, where: 'Body:error' });
    const refused = await api.call('DELETE', `/sources/${source.id}`);
    expect(refused.status).toBe(409);
    const shop = `dashboard "Shop ${'x'.repeat(54)}…" (${dashboard.id})`;
    expect(refused.json.message).toBe(
      `the source is in use by ${shop}, saved search "${search.name}" (${search.id}). ` +
        'Change or delete them first.',
    );
    await api.call('PUT', `/dashboards/${dashboard.id}`, { body: { tiles: [] } });
    await api.call('PUT', `/saved-searches/${search.id}`, {
      body: { sourceId: (await logSource(api)).id },
    });
    expect((await api.call('DELETE', `/sources/${source.id}`)).status).toBe(200);
  });

  it("that are unknown, or another team's, have no fields", async () => {
    const stranger = await api.newCaller();
    expect((await api.call('GET', `/sources/${nobodysId}/fields`)).status).toBe(404);
    expect(
      (await stranger.call('GET', `/sources/${(await logSource(api)).id}/fields`)).status,
    ).toBe(404);
  });
});

describe('saved searches', () => {
  it('fill in the rest, and keep what they were given', async () => {
    const sourceId = (await logSource(api)).id as string;
    const bare = await newSavedSearch(api, { where: undefined });
    expect(bare).toMatchObject({
      sourceId,
      select: '',
      where: '',
      whereLanguage: 'lucene',
      orderBy: '',
      tags: [],
      filters: [],
    });
    const full = {
      select: 'Body',
      where: "Body LIKE '1'",
      whereLanguage: 'sql',
      orderBy: 'Timestamp',
      tags: ['t'],
      filters: [{ type: 'lucene', condition: 'a:b' }],
    };
    expect(await newSavedSearch(api, full)).toMatchObject(full);
  });

  it('of an unknown source are a 400 that names it, on creation and change', async () => {
    const { status, json } = await api.call('POST', '/saved-searches', {
      body: { name: 'n', sourceId: nobodysId },
    });
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual(['sourceId']);
    const { id } = await newSavedSearch(api);
    expect(
      pathsOf(
        (await api.call('PUT', `/saved-searches/${id}`, { body: { sourceId: nobodysId } })).json,
      ),
    ).toEqual(['sourceId']);
  });
});
