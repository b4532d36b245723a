import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api-error.ts';
import { api, ask, type Schemas } from '../client.ts';

export type Status = Schemas['Status'];

const refetchInterval = 10_000;

/** What does not work, of the team and of the server. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => ask(api.GET('/status', { signal })),
  refetchInterval,
});

/** A part of the server that does not respond. */
export type FailingPart = 'store' | 'engine' | 'disk';

/** The parts that the process cannot reach. It says so without the store, too. */
export const readyQuery = queryOptions({
  queryKey: ['ready'],
  queryFn: async ({ signal }): Promise<readonly FailingPart[]> => {
    const response = await fetch('/ready', { signal });
    if (response.status !== 200 && response.status !== 503) {
      throw new ApiError(response.status, undefined);
    }
    return ((await response.json()) as { failing?: FailingPart[] }).failing ?? [];
  },
  refetchInterval,
});
