import createClient from 'openapi-fetch';
import { checked, send, versionOf, type Versioned } from './client.ts';
import type { components, paths } from './generated/managed.d.ts';

export type ManagedSchemas = components['schemas'];

/** The managed surface of this origin, with the same session. */
export const managed = createClient<paths>({
  baseUrl: '/v1',
  headers: { 'X-Sightline': '1' },
  fetch: send,
});

interface Answered<T> {
  data?: { result?: T; message?: string };
  error?: unknown;
  response: Response;
}

/** The `result` of a response, or the error that the API reports. */
export async function askResult<T>(answered: Promise<Answered<T>>): Promise<T> {
  return (await checked(answered))?.result as T;
}

/** The `result` of a response with its version, for `If-Match`. */
export async function askResultVersion<T>(answered: Promise<Answered<T>>): Promise<Versioned<T>> {
  const item = await askResult(answered);
  return { item, version: await versionOf(answered) };
}

/** One page of a list, and how many items all pages have. */
export interface ResultPage<T> {
  items: T[];
  total: number;
}

export async function askResultPage<T>(answered: Promise<Answered<T[]>>): Promise<ResultPage<T>> {
  const items = await askResult(answered);
  const { response } = await answered;
  return { items, total: Number(response.headers.get('x-total-count') ?? items.length) };
}

/** What a deletion leaves to be done; undefined: nothing. */
export async function askNotice(answered: Promise<Answered<unknown>>): Promise<string | undefined> {
  return (await checked(answered))?.message;
}
