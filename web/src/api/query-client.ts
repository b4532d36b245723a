import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const retriesMax = 1;

/** Answers of the API while the page is open. Nothing of it is stored. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Only what may heal by itself: no answer, or a server that is starting.
      retry: (failures, error) =>
        failures < retriesMax &&
        error instanceof ApiError &&
        (error.status === 0 || error.status === 503),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
