import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api-error.ts';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';
import { writePref } from '../../view/prefs.ts';

export type Session = Schemas['Session'];

/** Who is signed in. Fails with 401 if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask(api.GET('/session', { signal })),
  staleTime: 300_000,
  retry: false,
});

/** The ways to sign in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['session', 'options'],
  queryFn: ({ signal }) => ask(api.GET('/session/options', { signal })),
  staleTime: 300_000,
});

export async function signIn(email: string, password: string): Promise<Session> {
  const session = await ask(api.POST('/session', { body: { email, password } }));
  queries.setQueryData(sessionQuery.queryKey, session);
  return session;
}

/** Sets the password of a new member with a one-time link, and signs in. */
export async function acceptLink(token: string, password: string): Promise<Session> {
  const session = await ask(api.POST('/session/link', { body: { token, password } }));
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, session);
  return session;
}

/** Ends the session and forgets every answer and page that it brought. */
export async function signOut(): Promise<void> {
  await ask(api.DELETE('/session', {}));
  queries.clear();
  writePref('recentPages', []);
}

export type OwnSession = Schemas['OwnSession'];

const ownKey = ['sessions'];

export const ownSessionsQuery = queryOptions({
  queryKey: ownKey,
  queryFn: ({ signal }) => ask(api.GET('/sessions', { signal })),
});

/** Ends sessions of the person on other browsers. One that has ended meanwhile is no error. */
export async function endSessions(ids: readonly string[]): Promise<void> {
  try {
    for (const id of ids) {
      await endOne(id);
    }
  } finally {
    await queries.invalidateQueries({ queryKey: ownKey });
  }
}

async function endOne(id: string): Promise<void> {
  try {
    await ask(api.DELETE('/sessions/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) {
      throw error;
    }
  }
}

/** Changes the password of the person. All other sessions end. */
export async function changePassword(body: Schemas['PasswordChange']): Promise<void> {
  await ask(api.PUT('/session/password', { body }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: ownKey }),
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  ]);
}
