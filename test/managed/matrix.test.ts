import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedRoutes } from '../../src/http/surfaces/managed.ts';
import type { KeyRole } from '../../src/ports/store/identity-store.ts';
import type { ApiKit, TestKey } from '../kit/api.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { managedCall, type PathIds } from './managed-call.ts';

/**
 * The table of decisions §2, in words of its own: who may do what. An operation that is in no line
 * fails the test.
 */
const may: Record<'read' | 'changeStack' | 'administer', readonly string[]> = {
  read: [
    'listOrganizations',
    'getOrganization',
    'listServices',
    'getService',
    'getStatus',
    'listActivities',
    'listKeys',
    'getKey',
    'listDashboards',
    'getDashboard',
    'validateDashboard',
    'listAlerts',
    'getAlert',
    'getAlertHistory',
    'listAlertDeliveries',
    'explainAlert',
    'listMaintenanceWindows',
    'getMaintenanceWindow',
    'previewAlert',
    'listSources',
    'listSavedSearches',
    'getSavedSearch',
    'listPipes',
    'getPipe',
    'getPipeSettings',
    'getPipeMetrics',
    'listPipeErrors',
    'getPipeReplay',
    'getCdcScaling',
  ],
  changeStack: [
    'createDashboard',
    'updateDashboard',
    'deleteDashboard',
    'createAlert',
    'updateAlert',
    'deleteAlert',
    'silenceAlert',
    'unsilenceAlert',
    'acknowledgeAlert',
    'unacknowledgeAlert',
    'createMaintenanceWindow',
    'updateMaintenanceWindow',
    'deleteMaintenanceWindow',
    'createSavedSearch',
    'updateSavedSearch',
    'deleteSavedSearch',
  ],
  administer: [
    'updateOrganization',
    'createService',
    'updateService',
    'createKey',
    'updateKey',
    'deleteKey',
    'createPipe',
    'checkPipe',
    'discoverPipe',
    'updatePipe',
    'deletePipe',
    'changePipeState',
    'replayPipeErrors',
    'changePipeScaling',
    'changePipeSettings',
    'changeCdcScaling',
  ],
};
const allowed: Record<KeyRole, readonly (keyof typeof may)[]> = {
  admin: ['read', 'changeStack', 'administer'],
  developer: ['read', 'changeStack'],
  query_endpoints: [],
};

const roleSets: KeyRole[][] = [
  ['admin'],
  ['developer'],
  ['query_endpoints'],
  ['developer', 'query_endpoints'],
  ['admin', 'query_endpoints'],
  ['admin', 'developer', 'query_endpoints'],
];

let kit: ApiWithEngine;
let api: ApiKit;
const keys = new Map<string, TestKey>();
let ids: PathIds;
beforeAll(async () => {
  kit = await startApiWithEngine();
  api = kit.api;
  await kit.engine.telemetry.migrate('telemetry');
  for (const roles of roleSets) {
    keys.set(roles.join(), await api.newKey(roles));
  }
  ids = { organizationId: api.managed.organizationId, serviceId: api.managed.serviceId };
});
afterAll(() => kit.stop());

const cells = managedRoutes.flatMap(([method, path, operation]) =>
  roleSets.map((roles) => ({ roles, method, path, operation })),
);

describe('roles', () => {
  it("every operation of the surface is somebody's", () => {
    const listed = Object.values(may).flat();
    expect(new Set(listed).size).toBe(listed.length);
    for (const [, , { name }] of managedRoutes) {
      expect(listed).toContain(name);
    }
  });

  it.each(cells)('$roles: $operation.name', async ({ roles, method, path, operation }) => {
    const kind = (Object.keys(may) as (keyof typeof may)[]).find((one) =>
      may[one].includes(operation.name),
    )!;
    const expected = roles.some((role) => allowed[role].includes(kind)) ? 'done' : 'forbidden';
    const call = await managedCall(api, [method, path, operation], ids);
    const { status, json } = await keys.get(roles.join())!.call(method, call.path, call.options);
    if (expected === 'forbidden') {
      expect([status, json.error]).toEqual([403, expect.stringMatching(/^FORBIDDEN: /)]);
    } else {
      expect([status, json.error]).toEqual([200, undefined]);
    }
    expect(json.status).toBe(status);
  });
});
