import { queryOptions } from '@tanstack/react-query';
import { api, ask, askVersion, type Schemas, type Versioned } from '../client.ts';
import { queries } from '../query-client.ts';

export type MaintenanceWindow = Schemas['MaintenanceWindow'];
export type MaintenanceInput = Schemas['MaintenanceInput'];

export type VersionedMaintenance = Versioned<MaintenanceWindow>;

const key = ['maintenance-windows'];

export const maintenanceQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/maintenance-windows', { signal })),
  refetchInterval: 60_000,
});

export const maintenanceWindowQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) =>
      askVersion(api.GET('/maintenance-windows/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

/** The window as it is now. */
export const readMaintenance = (id: string): Promise<VersionedMaintenance> =>
  queries.fetchQuery({ ...maintenanceWindowQuery(id), staleTime: 0 });

export async function createMaintenance(body: MaintenanceInput): Promise<void> {
  await ask(api.POST('/maintenance-windows', { body }));
  await queries.invalidateQueries({ queryKey: key });
}

/** @throws ApiError 412 if somebody changed it in between. */
export async function updateMaintenance(
  id: string,
  version: string,
  body: Partial<MaintenanceInput>,
): Promise<void> {
  const params = { path: { id }, header: { 'If-Match': version } };
  await ask(api.PUT('/maintenance-windows/{id}', { params, body }));
  await queries.invalidateQueries({ queryKey: key });
}

export async function deleteMaintenance(id: string): Promise<void> {
  await ask(api.DELETE('/maintenance-windows/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key, exact: true });
}
