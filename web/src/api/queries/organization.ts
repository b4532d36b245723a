import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Versioned } from '../client.ts';
import {
  askNotice,
  askResult,
  askResultPage,
  askResultVersion,
  managed,
  type ManagedSchemas,
} from '../managed.ts';
import { compact } from '../../view/url-state.ts';
import { queries } from '../query-client.ts';
import { sessionQuery } from './session.ts';

export type Organization = ManagedSchemas['Organization'];
export type Service = ManagedSchemas['Service'];
export type NewService = ManagedSchemas['NewService'];
export type OrganizationKey = ManagedSchemas['Key'];
export type KeyRole = ManagedSchemas['KeyRole'];
export type KeyChange = ManagedSchemas['KeyUpdateBody'];
export type NewKey = ManagedSchemas['KeyCreateBody'];
export type CreatedKey = ManagedSchemas['CreatedKey'];
export type Activity = ManagedSchemas['Activity'];
export type ActorKind = ManagedSchemas['ActorKind'];
export type ActivityOutcome = ManagedSchemas['ActivityOutcome'];

const key = ['organization'];
const one = '/organizations/{organizationId}';

async function organizationPath(): Promise<{ organizationId: string }> {
  const { organizationId } = await queries.ensureQueryData(sessionQuery);
  return { organizationId };
}

export const organizationQuery = queryOptions({
  queryKey: [...key, 'about'],
  queryFn: async ({ signal }) => {
    const path = await organizationPath();
    return askResult(managed.GET(one, { params: { path }, signal }));
  },
});

/** An organization has at most 100 services. */
export const servicesQuery = queryOptions({
  queryKey: [...key, 'services'],
  queryFn: async ({ signal }) => {
    const path = await organizationPath();
    return askResult(managed.GET(`${one}/services`, { params: { path }, signal }));
  },
});

/** Renames the organization. */
export async function renameOrganization(name: string): Promise<void> {
  const params = { path: await organizationPath() };
  await askResult(managed.PATCH(one, { params, body: { name } }));
  await queries.invalidateQueries({ queryKey: organizationQuery.queryKey });
}

/** Creates a service. The answer has its ingestion key. */
export async function createService(name: string): Promise<NewService> {
  const params = { path: await organizationPath() };
  const made = await askResult(managed.POST(`${one}/services`, { params, body: { name } }));
  await queries.invalidateQueries({ queryKey: servicesQuery.queryKey });
  return made;
}

/** Renames a service and its team. */
export async function renameService(serviceId: string, name: string): Promise<void> {
  const path = { ...(await organizationPath()), serviceId };
  await askResult(
    managed.PATCH(`${one}/services/{serviceId}`, { params: { path }, body: { name } }),
  );
  await Promise.all([
    queries.invalidateQueries({ queryKey: servicesQuery.queryKey }),
    // It has the name of the team.
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true }),
  ]);
}

/** An organization has at most 100 keys. */
export const organizationKeysQuery = queryOptions({
  queryKey: [...key, 'keys'],
  queryFn: async ({ signal }) => {
    const path = await organizationPath();
    return askResult(managed.GET(`${one}/keys`, { params: { path }, signal }));
  },
});

const keyPath = async (keyId: string) => ({ ...(await organizationPath()), keyId });

/** The key as it is now, with its version. */
export const readKey = async (id: string): Promise<Versioned<OrganizationKey>> =>
  askResultVersion(managed.GET(`${one}/keys/{keyId}`, { params: { path: await keyPath(id) } }));

/** The key as it is when a dialog opens. */
export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'key', id],
    queryFn: () => readKey(id),
    staleTime: 0,
    gcTime: 0,
  });

const refreshKeys = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: organizationKeysQuery.queryKey });

/** Creates a key. Only this answer has its secret. */
export async function createKey(body: NewKey): Promise<CreatedKey> {
  const params = { path: await organizationPath() };
  const made = await askResult(managed.POST(`${one}/keys`, { params, body }));
  await refreshKeys();
  return made;
}

/**
 * Changes a key.
 *
 * @param version the version to change; absent: whichever is stored
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function updateKey(id: string, body: KeyChange, version?: string): Promise<void> {
  const header = version === undefined ? {} : { 'If-Match': version };
  const params = { path: await keyPath(id), header };
  await askResult(managed.PATCH(`${one}/keys/{keyId}`, { params, body }));
  await refreshKeys();
}

export async function deleteKey(id: string): Promise<void> {
  await askNotice(managed.DELETE(`${one}/keys/{keyId}`, { params: { path: await keyPath(id) } }));
  await refreshKeys();
}

/** Which activities to read. Times are ISO; what is undefined does not filter. */
export interface ActivityFilters {
  from?: string | undefined;
  to?: string | undefined;
  actorKind?: ActorKind | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  outcome?: ActivityOutcome | undefined;
  serviceId?: string | undefined;
}

async function readActivities(
  filters: ActivityFilters,
  limit: number,
  offset: number,
  signal?: AbortSignal,
) {
  const params = { path: await organizationPath(), query: { ...compact(filters), limit, offset } };
  return askResultPage(managed.GET(`${one}/activities`, { params, signal: signal ?? null }));
}

const activitiesPage = 100;

/** The audit trail, newest first, page after page. */
export const activitiesQuery = (filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: [...key, 'activities', filters],
    queryFn: ({ pageParam, signal }) => readActivities(filters, activitiesPage, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, offset) =>
      offset + items.length < total && items.length > 0 ? offset + items.length : undefined,
  });

const exportPage = 1000;

/** The newest activities, for a file. */
export async function newestActivities(
  filters: ActivityFilters,
  maxCount: number,
): Promise<Activity[]> {
  const items: Activity[] = [];
  for (;;) {
    const page = await readActivities(filters, exportPage, items.length);
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= Math.min(page.total, maxCount)) {
      return items.slice(0, maxCount);
    }
  }
}
