import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit, type TestCaller } from '../kit/api.ts';
import type { HttpAnswer, HttpCall, JsonAnswer } from '../kit/http.ts';
import {
  alertInput,
  logSource,
  newSavedSearch,
  newWebhook,
  nobodysId,
  tileInput,
  uniqueName,
  webhookInput,
} from '../kit/stack-objects.ts';

interface Kind {
  path: string;
  /** A body that can be created again and again. */
  make(caller: TestCaller): Promise<object>;
  change: object;
  /** What the record shows of it. */
  changed: object;
  /** A body with several mistakes, and the paths of all of them. */
  bad: object;
  badPaths: string[];
  /** How many are there before the test makes any. */
  atStart?: number;
}

type Call = (method: string, path: string, call?: HttpCall) => Promise<HttpAnswer>;

/** How one deployment says what both say. */
export interface SurfaceView {
  name: string;
  /**
   * Calls below the place where the resources are: of the first workspace, and of somebody else's.
   */
  calls(api: ApiKit): Promise<{ mine: Call; strangers: Call }>;
  /** Out of a success. */
  value(json: JsonAnswer): JsonAnswer;
  wrap(value: unknown): object;
  /** Properties of a success besides the value. */
  envelope(
    list: { total: number; limit: number; offset: number } | undefined,
  ): Record<string, unknown>;
  message(json: JsonAnswer): string;
  /** Of a 400 and a 404. */
  words: { bad: object; missing(noun: string): object };
}

export const kinds = {
  webhook: {
    path: '/webhooks',
    make: async () => webhookInput(),
    change: { description: 'changed' },
    changed: { description: 'changed' },
    bad: { service: 'pigeon', url: 'ftp://x', headers: { 'a b': 'c' } },
    badPaths: ['name', 'service', 'url', 'headers.a b'],
  },
  dashboard: {
    path: '/dashboards',
    make: async (caller) => ({
      name: uniqueName(),
      tiles: [tileInput((await logSource(caller)).id)],
    }),
    change: { name: 'changed', tags: ['a'] },
    changed: { name: 'changed', tags: ['a'] },
    bad: {
      tiles: [{ x: 24, y: -1, w: 0, h: 0.5, config: { displayType: 'hologram' } }],
      tags: [''],
    },
    badPaths: [
      'name',
      'tiles.0.x',
      'tiles.0.y',
      'tiles.0.w',
      'tiles.0.h',
      'tiles.0.config.displayType',
      'tags.0',
    ],
  },
  alert: {
    path: '/alerts',
    make: async (caller) =>
      alertInput((await newWebhook(caller)).id, {
        savedSearchId: (await newSavedSearch(caller)).id,
      }),
    change: { threshold: 12.5, name: 'changed' },
    changed: { threshold: 12.5, name: 'changed' },
    bad: {
      threshold: '10',
      interval: '5 minutes',
      source: 'dream',
      channel: { type: 'email', webhookId: 'x' },
    },
    badPaths: [
      'threshold',
      'interval',
      'source',
      'thresholdType',
      'channel.type',
      'channel.webhookId',
    ],
  },
  'saved search': {
    path: '/saved-searches',
    make: async (caller) => ({ name: uniqueName(), sourceId: (await logSource(caller)).id }),
    change: { where: 'changed' },
    changed: { where: 'changed' },
    bad: { name: '', sourceId: 7, whereLanguage: 'prolog', filters: [{ type: 'lucene' }] },
    badPaths: ['name', 'sourceId', 'whereLanguage', 'filters.0.condition'],
  },
  source: {
    path: '/sources',
    atStart: 3,
    make: async () => ({
      kind: 'log',
      name: uniqueName(),
      from: { databaseName: 'telemetry', tableName: 'otel_logs' },
    }),
    change: { name: 'changed', bodyExpression: 'Body' },
    changed: { name: 'changed', bodyExpression: 'Body' },
    bad: { kind: 'log', from: { databaseName: '' }, bodyExpression: 3 },
    badPaths: ['name', 'from.databaseName', 'from.tableName', 'bodyExpression'],
  },
} satisfies Record<string, Kind>;

let api: ApiKit;
let call: Call;
let strangers: Call;

/** What every resource promises on every surface that has it. */
export function crudSuite(view: SurfaceView, nouns: readonly (keyof typeof kinds)[]): void {
  beforeAll(async () => {
    api = await startApi();
    ({ mine: call, strangers } = await view.calls(api));
  });
  afterAll(() => api.stop());

  const cases = nouns.map((noun): [string, Kind] => [noun, kinds[noun]]);
  lifeTests(view, cases);
  mistakeTests(view, cases);
}

function lifeTests(view: SurfaceView, cases: [string, Kind][]): void {
  describe.each(cases)(`${view.name}: %s`, (noun, { path, make, change, changed, atStart = 0 }) => {
    const created: JsonAnswer[] = [];

    it('is created with an id, times and an ETag, and reads back the same', async () => {
      const body = await make(api);
      const { status, json, headers } = await call('POST', path, { body });
      expect(status).toBe(200);
      expect(json).toEqual({ ...view.envelope(undefined), ...view.wrap(view.value(json)) });
      expect(view.value(json)).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
      expect(view.value(json).updatedAt).toBe(view.value(json).createdAt);
      expect(headers.get('etag')).toBe('"1"');
      const read = await call('GET', `${path}/${view.value(json).id}`);
      expect(view.value(read.json)).toEqual(view.value(json));
      expect(read.headers.get('etag')).toBe('"1"');
      created.push(view.value(json));
    });

    it('is listed in creation order, page by page, with the total', async () => {
      for (let more = 0; more < 2; more++) {
        created.push(view.value((await call('POST', path, { body: await make(api) })).json));
      }
      const ids = created.map(({ id }) => id as string);
      const all = await call('GET', path);
      expect(
        view
          .value(all.json)
          .map(({ id }: { id: string }) => id)
          .slice(-3),
      ).toEqual(ids);
      const total = view.value(all.json).length as number;
      expect(all.json).toEqual({
        ...view.envelope({ total, limit: 1000, offset: 0 }),
        ...view.wrap(view.value(all.json)),
      });
      expect(all.headers.get('x-total-count')).toBe(String(total));
      const page = await call('GET', `${path}?limit=1&offset=${total - 2}`);
      expect(view.value(page.json).map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
      expect(page.json).toEqual({
        ...view.envelope({ total, limit: 1, offset: total - 2 }),
        ...view.wrap(view.value(page.json)),
      });
      const past = await call('GET', `${path}?offset=${total}`);
      expect([view.value(past.json), past.headers.get('x-total-count')]).toEqual([
        [],
        String(total),
      ]);
    });

    it.each([
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=',
      'offset=-1',
      'offset=1.5',
      'limit=1&limit=2',
    ])('a list with %s is a 400 that names it', async (query) => {
      const { status, json } = await call('GET', `${path}?${query}`);
      expect(status).toBe(400);
      expect(json.errors.map((error: { path: string }) => error.path)).toEqual([
        query.split('=')[0],
      ]);
    });

    it('changes what is given, keeps the rest, and gets a new ETag', async () => {
      const before = created[0]!;
      const { status, json, headers } = await call('PUT', `${path}/${before.id}`, {
        body: change,
      });
      expect(status).toBe(200);
      expect(view.value(json)).toEqual({
        ...before,
        ...changed,
        updatedAt: view.value(json).updatedAt,
      });
      expect(headers.get('etag')).toBe('"2"');
      expect(view.value((await call('GET', `${path}/${before.id}`)).json)).toEqual(
        view.value(json),
      );
    });

    it('an empty change is fine', async () => {
      expect((await call('PUT', `${path}/${created[0]!.id}`, { body: {} })).status).toBe(200);
    });

    it('a change or deletion of a stale version is a 412 and does nothing', async () => {
      const objectPath = `${path}/${created[0]!.id}`;
      const before = await call('GET', objectPath);
      for (const tag of ['"1"', 'W/"3"', '"nonsense"', '3']) {
        expect(
          (await call('PUT', objectPath, { body: change, headers: { 'if-match': tag } })).status,
          tag,
        ).toBe(412);
        expect(
          (await call('DELETE', objectPath, { headers: { 'if-match': tag } })).status,
          tag,
        ).toBe(412);
      }
      expect(view.value((await call('GET', objectPath)).json)).toEqual(view.value(before.json));
      const current = await call('PUT', objectPath, {
        body: change,
        headers: { 'if-match': `"1", ${before.headers.get('etag')}` },
      });
      expect(current.status).toBe(200);
      expect(
        (await call('PUT', objectPath, { body: change, headers: { 'if-match': '*' } })).status,
      ).toBe(200);
    });

    it('a record that was read can be sent back as it is', async () => {
      const record = created[0]!;
      const { status, text } = await call('PUT', `${path}/${record.id}`, { body: record });
      expect(status, text).toBe(200);
    });

    it("what is unknown and what is somebody else's is the same 404", async () => {
      const own = created[0]!.id as string;
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { body: change } : {};
        const unknown = await call(method, `${path}/${nobodysId}`, body);
        const foreign = await strangers(method, `${path}/${own}`, body);
        expect(unknown.status).toBe(404);
        expect(foreign.status).toBe(404);
        expect({ ...foreign.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
        expect(unknown.json).toMatchObject(view.words.missing(noun));
      }
      expect((await strangers('GET', path)).headers.get('x-total-count')).toBe(String(atStart));
    });

    it('is deleted once, with nothing but the envelope', async () => {
      for (const { id } of created) {
        const { status, json } = await call('DELETE', `${path}/${id}`);
        expect(status).toBe(200);
        expect(json).toEqual(view.envelope(undefined));
        expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
        expect((await call('GET', `${path}/${id}`)).status).toBe(404);
      }
    });
  });
}

function mistakeTests(view: SurfaceView, cases: [string, Kind][]): void {
  describe.each(cases)(
    `${view.name}: mistakes about a %s`,
    (_noun, { path, make, bad, badPaths }) => {
      it('a bad body is a 400 that names every offending path at once', async () => {
        const { status, json } = await call('POST', path, { body: bad });
        expect(status).toBe(400);
        expect(json).toMatchObject(view.words.bad);
        expect(json.errors.map((error: { path: string }) => error.path).sort()).toEqual(
          [...badPaths].sort(),
        );
        for (const bad of badPaths) {
          expect(view.message(json)).toContain(`${bad}: `);
        }
      });

      it.each([
        ['null', 'null'],
        ['a list', '[]'],
        ['text', '"x"'],
        ['a number', '1'],
        ['nothing', ''],
      ])('%s in place of a body is a 400', async (_name, body) => {
        const { status, json } = await call('POST', path, { body });
        expect(status).toBe(400);
        expect(view.message(json)).not.toBe('');
      });

      it('unknown properties, prototype names among them, are refused by name', async () => {
        const body = JSON.stringify({ ...(await make(api)), nonsense: { deep: [1] } }).replace(
          '{',
          '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
        );
        const { status, json } = await call('POST', path, { body });
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
        expect(status).toBe(400);
        expect(json.errors.map((error: { path: string }) => error.path).sort()).toEqual([
          '__proto__',
          'constructor',
          'nonsense',
        ]);
      });

      it('unknown properties without a value are taken and leave no trace', async () => {
        const empty = { nothing: null, text: '', list: [], object: {} };
        const { status, json, text } = await call('POST', path, {
          body: { ...(await make(api)), ...empty },
        });
        expect(status, text).toBe(200);
        for (const name of Object.keys(empty)) {
          expect(view.value(json)).not.toHaveProperty(name);
        }
        expect((await call('DELETE', `${path}/${view.value(json).id}`)).status).toBe(200);
      });

      it.each([
        'x',
        'ABCDEFABCDEFABCDEFABCDEF',
        '0123456789abcdef0123456',
        '0123456789abcdef012345678',
        '%00',
        "'%20OR%201=1--",
        'a'.repeat(5000),
      ])('an id that is none is a 400: %s', async (id) => {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const { status, json } = await call(
            method,
            `${path}/${id}`,
            method === 'PUT' ? { body: {} } : {},
          );
          expect(status).toBe(400);
          expect(json.errors[0].path).toBe('id');
        }
      });
    },
  );
}
