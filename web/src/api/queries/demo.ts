import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';

export type Demo = Schemas['Demo'];

/** The demo shop of the team. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => ask(api.GET('/demo', { signal })),
  refetchInterval: 10_000,
});

export async function startDemo(): Promise<void> {
  queries.setQueryData(demoQuery.queryKey, await ask(api.POST('/demo', {})));
}

export async function stopDemo(): Promise<void> {
  await ask(api.DELETE('/demo', {}));
  await queries.invalidateQueries({ queryKey: demoQuery.queryKey });
}
