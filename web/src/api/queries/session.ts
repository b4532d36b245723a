import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';

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

/** Ends the session and forgets every answer that it brought. */
export async function signOut(): Promise<void> {
  await ask(api.DELETE('/session', {}));
  queries.clear();
}
