import { queryOptions } from '@tanstack/react-query';
import { api, ask, askVersion, type Schemas, type Versioned } from '../client.ts';
import { allPages } from '../all-pages.ts';
import { queries } from '../query-client.ts';

export type Dashboard = Schemas['Dashboard'];
export type DashboardSummary = Schemas['DashboardSummary'];
export type DashboardInput = Schemas['DashboardInput'];
export type Tile = Schemas['Tile'];
export type DashboardFilter = Schemas['DashboardFilterResult'];

export type VersionedDashboard = Versioned<Dashboard>;

const key = ['dashboards'];

/** Names and tags of all dashboards, without their tiles. */
export const dashboardSummariesQuery = queryOptions({
  queryKey: [...key, 'summaries'],
  queryFn: ({ signal }) =>
    allPages((offset) =>
      ask(api.GET('/dashboards/summaries', { params: { query: { offset } }, signal })),
    ),
});

/** All dashboards with their tiles, for who uses what. */
export const dashboardsQuery = queryOptions({
  queryKey: [...key, 'whole'],
  queryFn: ({ signal }) =>
    allPages((offset) => ask(api.GET('/dashboards', { params: { query: { offset } }, signal }))),
});

export const dashboardQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) =>
      askVersion(api.GET('/dashboards/{id}', { params: { path: { id } }, signal })),
  });

const invalidateLists = (): Promise<unknown> =>
  Promise.all(
    [dashboardSummariesQuery, dashboardsQuery].map(({ queryKey }) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );

/** The dashboard as it is now. */
export async function readDashboard(id: string): Promise<Dashboard> {
  const { item } = await queries.fetchQuery({ ...dashboardQuery(id), staleTime: 0 });
  return item;
}

export async function createDashboard(body: DashboardInput): Promise<Dashboard> {
  const made = await ask(api.POST('/dashboards', { body }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

/** The same errors as of `createDashboard`, without a change. */
export const validateDashboard = async (body: DashboardInput): Promise<void> => {
  await ask(api.POST('/dashboards/validate', { body }));
};

/**
 * Replaces a dashboard, if it is of the version that the change was made from.
 *
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function replaceDashboard(
  id: string,
  body: DashboardInput,
  version: string,
): Promise<VersionedDashboard> {
  const changed = await askVersion(
    api.PUT('/dashboards/{id}', {
      params: { path: { id }, header: { 'If-Match': version } },
      body,
    }),
  );
  queries.setQueryData(dashboardQuery(id).queryKey, changed);
  await invalidateLists();
  return changed;
}

export async function deleteDashboard(id: string): Promise<void> {
  await ask(api.DELETE('/dashboards/{id}', { params: { path: { id } } }));
  queries.removeQueries({ queryKey: [...key, id] });
  await invalidateLists();
}
