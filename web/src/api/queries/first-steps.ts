import { queryOptions } from '@tanstack/react-query';
import { api, ask } from '../client.ts';

/** Which first objects of a team exist. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: async ({ signal }) => {
    const [dashboards, webhooks, alerts] = await Promise.all([
      ask(api.GET('/dashboards', { params: { query: { limit: 1 } }, signal })),
      ask(api.GET('/webhooks', { signal })),
      ask(api.GET('/alerts', { params: { query: { limit: 1 } }, signal })),
    ]);
    return {
      dashboard: dashboards.length > 0,
      webhook: webhooks.length > 0,
      alert: alerts.length > 0,
    };
  },
});
