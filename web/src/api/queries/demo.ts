import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';
import { firstStepsQuery } from './first-steps.ts';

export type Demo = Schemas['Demo'];

/** The demo shop of the team. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => ask(api.GET('/demo', { signal })),
  refetchInterval: 10_000,
});

export async function startDemo(): Promise<void> {
  queries.setQueryData(demoQuery.queryKey, await ask(api.POST('/demo', {})));
  await objectsChanged();
}

/** Stops the shop, and deletes what it made if wanted. */
export async function stopDemo(objects: 'keep' | 'delete'): Promise<void> {
  try {
    await ask(api.DELETE('/demo', { params: { query: { objects } } }));
  } finally {
    await Promise.all([
      queries.invalidateQueries({ queryKey: demoQuery.queryKey }),
      objectsChanged(),
    ]);
  }
}

/** The kinds of objects that a demo shop makes. */
const kinds = ['dashboards', 'webhooks', 'alerts'];

async function objectsChanged(): Promise<void> {
  const keys = [firstStepsQuery.queryKey, ...kinds.map((kind) => [kind])];
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
