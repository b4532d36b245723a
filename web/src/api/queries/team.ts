import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';
import { sessionQuery } from './session.ts';

export type AccessKey = Schemas['AccessKey'];
export type IngestionKey = Schemas['IngestionKey'];

/** The ingestion key. Each call is on the audit trail, so it is no query, and nothing keeps it. */
export function showIngestionKey(): Promise<IngestionKey> {
  return ask(api.GET('/team/ingestion-key', {}));
}

/** Replaces the ingestion key. Senders with the old one are refused from now on. */
export function rotateIngestionKey(): Promise<IngestionKey> {
  return ask(api.POST('/team/ingestion-key/rotate', {}));
}

/** Gives the team another name. */
export async function renameTeam(name: string): Promise<void> {
  await ask(api.PATCH('/team', { body: { name } }));
  await queries.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true });
}

const key = ['access-keys'];

export const accessKeysQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/team/access-keys', { signal })),
});

/** Makes an access key. Only this answer has its text. */
export async function createAccessKey(name: string): Promise<Schemas['NewAccessKey']> {
  const made = await ask(api.POST('/team/access-keys', { body: { name } }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

export async function deleteAccessKey(id: string): Promise<void> {
  await ask(api.DELETE('/team/access-keys/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key });
}

/** Ports that receive telemetry. */
export const ingestionEndpointsQuery = queryOptions({
  queryKey: ['ingestion-endpoints'],
  queryFn: ({ signal }) => ask(api.GET('/team/ingestion-endpoints', { signal })),
  staleTime: Infinity,
});
