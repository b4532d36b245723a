import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedRoutes } from '../../src/http/surfaces/managed.ts';
import { createWorkspace } from '../../src/core/identity/provision.ts';
import type { ApiKit, TestKey } from '../kit/api.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import {
  alertInput,
  newAlert,
  newDashboard,
  newSavedSearch,
  newWebhook,
  nobodysId,
} from '../kit/stack-objects.ts';
import { filled, managedCall } from './managed-call.ts';

const nobodysUuid = '11111111-2222-4333-8444-555555555555';

let kit: ApiWithEngine;
let api: ApiKit;
let foreign: { organizationId: string; serviceId: string; teamId: string };
let foreignKey: TestKey;
/** Another service of the same organization. */
let sibling: { serviceId: string; teamId: string };
beforeAll(async () => {
  kit = await startApiWithEngine();
  api = kit.api;
  foreign = await api.newOrganization();
  foreignKey = await api.newKey(['admin'], foreign);
  const workspace = await createWorkspace(
    { store: api.store, ids: api.ids, vault: api.vault },
    { organizationId: api.managed.organizationId, name: 'sibling', database: 'sibling' },
  );
  sibling = { serviceId: workspace.serviceId, teamId: workspace.id };
});
afterAll(() => kit.stop());

/** Everything but what is different for every request. */
const plain = ({
  status,
  json,
  headers,
}: {
  status: number;
  json: { requestId: string };
  headers: Headers;
}) => ({
  status,
  body: { ...json, requestId: '' },
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

const routes = managedRoutes.map((route) => ({ route, line: `${route[0]} ${route[1]}` }));
const having = (name: string) => routes.filter(({ route }) => route[1].includes(`{${name}}`));

describe.each(['admin', 'developer', 'query_endpoints'] as const)(
  'identifier swaps by a key with role %s',
  (role) => {
    let key: TestKey;
    beforeAll(async () => {
      key = await api.newKey([role]);
    });

    it.each(having('organizationId'))(
      '$line: an organization of others or of nobody is the same 400',
      async ({ route }) => {
        const [method, path] = route;
        const { options } = await managedCall(api, route, {
          id: nobodysId,
          keyId: nobodysUuid,
          pipeId: nobodysUuid,
        });
        const rest = { id: nobodysId, keyId: nobodysUuid, pipeId: nobodysUuid };
        const theirs = plain(
          await key.call(method, filled(path, { ...rest, ...foreign }), options),
        );
        const nobodys = plain(
          await key.call(
            method,
            filled(path, { ...rest, organizationId: nobodysUuid, serviceId: nobodysUuid }),
            options,
          ),
        );
        expect(theirs.status).toBe(400);
        expect(theirs.body).toMatchObject({
          error: expect.stringMatching(/^BAD_REQUEST: .*does not belong/) as string,
        });
        expect(nobodys).toEqual(theirs);
        for (const bad of ['1', 'x'.repeat(300), '%00', `${nobodysUuid}0`, '..%2f', "'--"]) {
          const { status, json } = await key.call(
            method,
            filled(path, { ...rest, organizationId: bad, serviceId: api.managed.serviceId }),
            options,
          );
          expect([bad, status, json.error.slice(0, 12)]).toEqual([bad, 400, 'BAD_REQUEST:']);
        }
      },
    );

    it.each(having('serviceId'))(
      '$line: a service of others or of nobody is the same 400',
      async ({ route }) => {
        const [method, path] = route;
        const { options } = await managedCall(api, route, { id: nobodysId, pipeId: nobodysUuid });
        const rest = { id: nobodysId, pipeId: nobodysUuid, organizationId: key.organizationId };
        const theirs = plain(
          await key.call(method, filled(path, { ...rest, serviceId: foreign.serviceId }), options),
        );
        const nobodys = plain(
          await key.call(method, filled(path, { ...rest, serviceId: nobodysUuid }), options),
        );
        expect([theirs.status, theirs.body]).toEqual([
          400,
          expect.objectContaining({
            error: expect.stringMatching(/^BAD_REQUEST: .*does not belong/) as string,
          }),
        ]);
        expect(nobodys).toEqual(theirs);
        expect(
          (await key.call(method, filled(path, { ...rest, serviceId: 'main' }), options)).status,
        ).toBe(400);
      },
    );
  },
);

describe('objects of others', () => {
  const single = [...having('id'), ...having('keyId'), ...having('pipeId')];

  it.each(single)(
    '$line: of a sibling service, of another organization and of nobody is the same 404',
    async ({ route }) => {
      const [method, path] = route;
      const made = await managedCall(api, route);
      const objectId = made.path
        .split('/')
        .filter((part) => /^[0-9a-f-]{24,36}$/.test(part))
        .at(-1)!;
      const answerTo = async (by: TestKey, ids: Record<string, string>) =>
        plain(
          await by.call(
            method,
            filled(path, { organizationId: by.organizationId, serviceId: by.serviceId, ...ids }),
            made.options,
          ),
        );
      const name = /\{(id|keyId|pipeId)\}/.exec(path)![1]!;
      const nobodys = await answerTo(foreignKey, {
        [name]: name === 'id' ? nobodysId : nobodysUuid,
      });
      expect([nobodys.status, nobodys.body]).toEqual([
        404,
        { status: 404, requestId: '', error: expect.stringMatching(/^NOT_FOUND: /) },
      ]);
      expect(await answerTo(foreignKey, { [name]: objectId })).toEqual(nobodys);
      if (name !== 'keyId') {
        expect(
          await answerTo(api.managed, { serviceId: sibling.serviceId, [name]: objectId }),
        ).toEqual(nobodys);
      }
      // It is still there, and untouched, for its owner.
      const whole = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
      expect(
        (
          await api.managed.call(
            'GET',
            filled(whole, {
              organizationId: api.managed.organizationId,
              serviceId: api.managed.serviceId,
              [name]: objectId,
            }),
          )
        ).status,
      ).toBe(200);
    },
  );

  it('an alert that points at objects of others is refused like one that points at nothing', async () => {
    const stranger = await api.newCaller(foreign.teamId);
    const [webhook, dashboard, search] = [
      await newWebhook(stranger),
      await newDashboard(stranger),
      await newSavedSearch(stranger),
    ];
    const own = await newWebhook(api);
    const pointing = async (over: object, mine = own.id as string) =>
      plain(await api.managed.stack('POST', '/alerts', { body: alertInput(mine, over) }));
    const text = (answer: unknown, id: string) =>
      JSON.parse(JSON.stringify(answer).replaceAll(id, 'the id')) as { status: number };
    const pairs: [theirs: object, nobodys: object, id: string][] = [
      [
        { dashboardId: dashboard.id, tileId: dashboard.tiles[0].id, source: 'tile' },
        { dashboardId: nobodysId, tileId: dashboard.tiles[0].id, source: 'tile' },
        dashboard.id,
      ],
      [{ savedSearchId: search.id }, { savedSearchId: nobodysId }, search.id],
    ];
    for (const [theirs, nobodys, id] of pairs) {
      const answer = text(await pointing(theirs), id);
      expect(answer.status).toBe(400);
      expect(answer).toEqual(text(await pointing(nobodys), nobodysId));
    }
    expect(text(await pointing({}, webhook.id), webhook.id)).toEqual(
      text(await pointing({}, nobodysId), nobodysId),
    );
    expect((await pointing({}, webhook.id)).status).toBe(400);
  });

  it('a change over one surface shows on the other, and never in another service', async () => {
    const alert = await newAlert(api, { savedSearchId: (await newSavedSearch(api)).id });
    const over = await api.managed.stack('PUT', `/alerts/${alert.id}`, { body: { threshold: 77 } });
    expect(over.json.result).toEqual({
      ...alert,
      threshold: 77,
      updatedAt: over.json.result.updatedAt,
    });
    expect((await api.call('GET', `/alerts/${alert.id}`)).json.data).toEqual(over.json.result);
    const elsewhere = api.keyOf({ ...api.managed, ...sibling });
    for (const resource of ['alerts', 'dashboards', 'saved-searches']) {
      expect((await elsewhere.stack('GET', `/${resource}`)).json.result).toEqual([]);
    }
    expect(
      (await elsewhere.stack('GET', '/sources')).json.result.map(
        (source: { from: { databaseName: string }; team: string }) => [
          source.from.databaseName,
          source.team,
        ],
      ),
    ).toEqual(Array.from({ length: 3 }, () => ['sibling', sibling.teamId]));
  });
});
