import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import {
  alertInput,
  newDashboard,
  newSavedSearch,
  newWebhook,
  nobodysId,
  tileInput,
} from '../kit/stack-objects.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let engine: TestTelemetry;
let api: ApiKit;
/** The engine does not answer while this is set. */
let away = false;
let logs: string;
let metrics: string;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  const telemetry = new Proxy(engine.telemetry, {
    get: (target, name) => {
      if (away) {
        return () => Promise.reject(new TelemetryError('unavailable', 'away'));
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  }) as Telemetry;
  api = await startApi({ telemetry });
  const { json } = await api.call('GET', '/sources');
  [logs, , metrics] = json.data.map(({ id }: JsonAnswer) => id);
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

const issues = (json: JsonAnswer): [string, string][] =>
  (json.errors ?? []).map(({ path, message }: JsonAnswer) => [path, message]);
const paths = (json: JsonAnswer): string[] =>
  issues(json)
    .map(([path]) => path)
    .sort();
const total = async (path: string): Promise<number> =>
  (await api.call('GET', path)).json.meta.total;
const line = (over: object) =>
  tileInput(logs, {
    config: { displayType: 'line', sourceId: logs, select: [{ aggFn: 'count' }], ...over },
  });

const badTiles = () => [
  line({
    select: [
      { aggFn: 'count', where: 'SeverityText:error' },
      { aggFn: 'max', valueExpression: 'SeverityNumberr', where: '(a OR' },
    ],
  }),
  line({ groupBy: 'ServiceName, upper(Nope)' }),
  line({ groupBy: ['ServiceName', "file('/etc/passwd')"] }),
  tileInput(logs, {
    config: {
      displayType: 'search',
      sourceId: logs,
      where: 'SELECT 1',
      whereLanguage: 'sql',
      select: 'Body, Gone',
      orderBy: 'Timestamp DESC, 1 +',
    },
  }),
  tileInput(nobodysId),
];
const badPaths = [
  'tiles.0.config.select.1.valueExpression',
  'tiles.0.config.select.1.where',
  'tiles.1.config.groupBy',
  'tiles.2.config.groupBy.1',
  'tiles.3.config.orderBy',
  'tiles.3.config.select',
  'tiles.3.config.where',
  'tiles.4.config.sourceId',
];

describe('a dashboard whose texts cannot run', () => {
  it('is refused with every place at once, on creation, change and validation, and nothing is stored', async () => {
    const dashboard = await newDashboard(api);
    const before = await total('/dashboards');
    const body = {
      name: 'n',
      tiles: badTiles(),
      filters: [{ name: 'f', expression: 'Nobody', sourceId: logs }],
      savedQuery: 'a AND',
      savedQueryLanguage: 'lucene',
    };
    for (const [method, path] of [
      ['POST', '/dashboards'],
      ['POST', '/dashboards/validate'],
      ['PUT', `/dashboards/${dashboard.id}`],
    ] as const) {
      const { status, json } = await api.call(method, path, { body });
      expect(status).toBe(400);
      expect(paths(json)).toEqual(['filters.0.expression', 'savedQuery', ...badPaths]);
    }
    expect(await total('/dashboards')).toBe(before);
    expect((await api.call('GET', `/dashboards/${dashboard.id}`)).json.data).toEqual(dashboard);
  });

  it("says what is wrong and at which position of the caller's text", async () => {
    const { json } = await api.call('POST', '/dashboards', {
      body: { name: 'n', tiles: badTiles().slice(0, 2) },
    });
    expect(issues(json)).toEqual([
      ['tiles.0.config.select.1.where', expect.stringMatching(/\(at position \d+\)/) as string],
      [
        'tiles.0.config.select.1.valueExpression',
        'unknown column "SeverityNumberr" (did you mean "SeverityNumber"?) (at position 1)',
      ],
      [
        'tiles.1.config.groupBy',
        expect.stringMatching(/^unknown column "Nope".* \(at position 20\)$/) as string,
      ],
    ]);
    expect(json.message).toContain('tiles.0.config.select.1.where: ');
  });

  it("is read against the table of the metric's type", async () => {
    const tile = (metricType: string) =>
      tileInput(metrics, {
        config: {
          displayType: 'line',
          sourceId: metrics,
          select: [
            { aggFn: 'count', metricName: 'm', metricType, where: 'AggregationTemporality:1' },
          ],
        },
      });
    expect(
      (
        await api.call('POST', '/dashboards/validate', {
          body: { name: 'n', tiles: [tile('sum')] },
        })
      ).status,
    ).toBe(200);
    expect(
      paths(
        (
          await api.call('POST', '/dashboards/validate', {
            body: { name: 'n', tiles: [tile('gauge')] },
          })
        ).json,
      ),
    ).toEqual(['tiles.0.config.select.0.where']);
  });

  it('with 500 tiles of 20 different conditions each is checked whole, while others are answered', async () => {
    const tiles = Array.from({ length: 500 }, (_, tile) =>
      line({
        groupBy: ['ServiceName'],
        select: Array.from({ length: 20 }, (_unused, index) => ({
          aggFn: 'max',
          valueExpression: `SeverityNumber + ${tile * 20 + index}`,
          where: `SeverityText:error AND LogAttributes.http.status:>${tile * 20 + index}`,
        })),
      }),
    );
    const started = performance.now();
    const saving = api.call('POST', '/dashboards', { body: { name: 'big', tiles } });
    const others = await Promise.all(Array.from({ length: 10 }, () => api.call('GET', '/sources')));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    const { status, json } = await saving;
    expect([status, json.data.tiles.length]).toEqual([200, 500]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a saved search whose texts cannot run', () => {
  it('is refused with every path, on creation and change; a change of only the name is not checked', async () => {
    const bad = {
      select: 'Body,',
      where: 'Nope:1',
      orderBy: 'Gone DESC',
      filters: [
        { type: 'sql', condition: "Body = 'x'" },
        { type: 'sql', condition: 'Body = (SELECT 1)' },
        { type: 'field', field: 'SeverityNumber', op: 'is', values: ['9', 'nine'] },
        { type: 'field', field: 'Nope', op: 'exists' },
      ],
    };
    const refused = await api.call('POST', '/saved-searches', {
      body: { name: 'n', sourceId: logs, ...bad },
    });
    expect([refused.status, paths(refused.json)]).toEqual([
      400,
      [
        'filters.1.condition',
        'filters.2.values.1',
        'filters.3.field',
        'orderBy',
        'select',
        'where',
      ],
    ]);
    const search = await newSavedSearch(api, { where: 'ServiceName:cart' });
    expect(
      paths(
        (await api.call('PUT', `/saved-searches/${search.id}`, { body: { whereLanguage: 'sql' } }))
          .json,
      ),
    ).toEqual(['where']);
    expect(
      (await api.call('PUT', `/saved-searches/${search.id}`, { body: { name: 'other' } })).json
        .data,
    ).toMatchObject({ name: 'other', where: 'ServiceName:cart', whereLanguage: 'lucene' });
  });
});

describe('an alert whose groups cannot be', () => {
  it('is refused beside everything else that is wrong with it', async () => {
    const search = await newSavedSearch(api);
    const dashboard = await newDashboard(api);
    const webhook = await newWebhook(api);
    const post = (over: object) =>
      api.call('POST', '/alerts', { body: alertInput(webhook.id, over) });
    const bad = await post({
      savedSearchId: search.id,
      groupBy: 'ServiceName, Nope',
      thresholdMax: 3,
      channel: { type: 'webhook', webhookId: nobodysId },
    });
    expect(paths(bad.json)).toEqual(['channel.webhookId', 'groupBy', 'thresholdMax']);
    expect(
      paths(
        (
          await post({
            source: 'tile',
            dashboardId: dashboard.id,
            tileId: dashboard.tiles[0].id,
            groupBy: 'Nope',
          })
        ).json,
      ),
    ).toEqual(['groupBy']);
    expect(paths((await post({ groupBy: 'a b' })).json)).toEqual(['groupBy']);
    const good = await post({
      savedSearchId: search.id,
      groupBy: 'ServiceName, LogAttributes.http.status',
    });
    expect(good.status, good.text).toBe(200);
    expect(
      paths(
        (await api.call('PUT', `/alerts/${good.json.data.id}`, { body: { groupBy: 'Nope' } })).json,
      ),
    ).toEqual(['groupBy']);
    expect(
      (await api.call('PUT', `/alerts/${nobodysId}`, { body: { groupBy: 'Nope' } })).status,
    ).toBe(404);
  });
});

describe('with the engine away', () => {
  it('everything can still be saved: grammar and safety are checked, names of columns are not', async () => {
    away = true;
    try {
      const source = {
        kind: 'log',
        name: 'kept',
        from: { databaseName: 'telemetry', tableName: 'otel_logs' },
      };
      const made = await api.call('POST', '/sources', {
        body: { ...source, bodyExpression: 'Anything' },
      });
      expect(made.status, made.text).toBe(200);
      expect(
        (
          await api.call('PUT', `/sources/${made.json.data.id}`, {
            body: { bodyExpression: 'Else' },
          })
        ).status,
      ).toBe(200);
      expect(
        paths(
          (
            await api.call('POST', '/sources', {
              body: { ...source, bodyExpression: "url('http://x')" },
            })
          ).json,
        ),
      ).toEqual(['bodyExpression']);
      const tile = (where: string) => line({ select: [{ aggFn: 'count', where }] });
      expect(
        (
          await api.call('POST', '/dashboards', {
            body: { name: 'n', tiles: [tile('Anything:1')] },
          })
        ).status,
      ).toBe(200);
      expect(
        paths(
          (await api.call('POST', '/dashboards', { body: { name: 'n', tiles: [tile('(')] } })).json,
        ),
      ).toEqual(['tiles.0.config.select.0.where']);
      expect(
        (
          await api.call('POST', '/saved-searches', {
            body: { name: 'n', sourceId: logs, where: 'Anything:1' },
          })
        ).status,
      ).toBe(200);
    } finally {
      away = false;
    }
  });

  it('a table that does not exist yet is no obstacle', async () => {
    const { json } = await api.call('POST', '/sources', {
      body: {
        kind: 'log',
        name: 'later',
        from: { databaseName: 'telemetry', tableName: 'not_yet' },
        bodyExpression: 'message',
      },
    });
    expect(
      (
        await api.call('POST', '/saved-searches', {
          body: { name: 'n', sourceId: json.data.id, where: 'level:x', select: 'message' },
        })
      ).status,
    ).toBe(200);
  });
});
