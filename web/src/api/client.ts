import createClient from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import type { components, paths } from './generated/open.d.ts';

export type Schemas = components['schemas'];

/** Called when a request met an ended session. Resolves once a person has signed in again. */
let renewSession: (() => Promise<void>) | undefined;

export function onSessionEnd(renew: () => Promise<void>): void {
  renewSession = renew;
}

/** How many sessions there have been, and the renewal under way. */
let sessions = 0;
let renewal: Promise<void> | undefined;

/**
 * Sends the request; if the session has ended, waits for a new one and sends it again. A 401 of the
 * session before asks nobody: there is a new one already.
 */
export async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const sentIn = sessions;
  const response = await answer(request);
  const isSignIn = /\/session(\/link)?$/.test(new URL(request.url).pathname);
  if (response.status !== 401 || isSignIn || !renewSession) {
    return response;
  }
  if (sentIn === sessions) {
    renewal ??= renewSession().finally(() => {
      sessions += 1;
      renewal = undefined;
    });
    await renewal;
  }
  return answer(again);
}

async function answer(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) {
      throw error;
    }
    throw new ApiError(0, undefined);
  }
}

/** The API of this origin. The header proves to the server that a script of ours made the call. */
export const api = createClient<paths>({
  baseUrl: '/api/v2',
  headers: { 'X-Sightline': '1' },
  fetch: send,
});

interface Answered<T> {
  data?: { data?: T; partial?: { missingShards: number[] } };
  error?: unknown;
  response: Response;
}

/** The `data` of a response, or the error that the API reports. */
export async function ask<T>(answered: Promise<Answered<T>>): Promise<T> {
  return (await checked(answered))?.data as T;
}

/** Numbers of the shards of the telemetry's cluster that did not respond; empty: nothing is missing. */
export interface MissingShards {
  missingShards: readonly number[];
}

/** The `data` of a result that may lack the rows of some shards. */
export async function askRows<T>(answered: Promise<Answered<T>>): Promise<T & MissingShards> {
  const answer = await checked(answered);
  return { ...(answer?.data as T), missingShards: answer?.partial?.missingShards ?? [] };
}

/** A result beside the numbers of the shards that it lacks. */
export interface PartialResult<T> extends MissingShards {
  data: T;
}

/** The `data` of a result of any shape that may lack the rows of some shards. */
export async function askPartial<T>(answered: Promise<Answered<T>>): Promise<PartialResult<T>> {
  const answer = await checked(answered);
  return { data: answer?.data as T, missingShards: answer?.partial?.missingShards ?? [] };
}

/** An object, and its version for a change of it: the `If-Match` of that change. */
export interface Versioned<Item> {
  item: Item;
  version: string;
}

/** The `data` of a response with its version, for `If-Match`. */
export async function askVersion<T>(answered: Promise<Answered<T>>): Promise<Versioned<T>> {
  const answer = await checked(answered);
  return { item: answer?.data as T, version: await versionOf(answered) };
}

/** The version that a response names. */
export async function versionOf(answered: Promise<{ response: Response }>): Promise<string> {
  return (await answered).response.headers.get('etag') ?? '*';
}

/** The body of a response, or the error that the API reports. */
export async function checked<B>(
  answered: Promise<{ data?: B; error?: unknown; response: Response }>,
): Promise<B | undefined> {
  const { data, error, response } = await answered;
  if (!response.ok || error !== undefined) {
    throw new ApiError(response.status, error);
  }
  return data;
}
