import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dashboardsQuery, type Dashboard } from '../../../api/queries/dashboards.ts';
import { savedSearchesQuery, type SavedSearch } from '../../../api/queries/saved-searches.ts';
import { sourcesQuery, type Source } from '../../../api/queries/sources.ts';
import { webhooksQuery, type Webhook } from '../../../api/queries/webhooks.ts';

/** Everything that an alert can refer to. */
export interface Lists {
  searches: readonly SavedSearch[];
  dashboards: readonly Dashboard[];
  sources: readonly Source[];
  webhooks: readonly Webhook[];
}

/** Reads everything that an alert can refer to. */
export function useLists(): { lists: Lists | undefined; error: Error | null; retry(): void } {
  const searches = useQuery(savedSearchesQuery);
  const dashboards = useQuery(dashboardsQuery);
  const sources = useQuery(sourcesQuery);
  const webhooks = useQuery(webhooksQuery);
  const all = [searches, dashboards, sources, webhooks];
  const lists = useMemo(
    () =>
      searches.data && dashboards.data && sources.data && webhooks.data
        ? {
            searches: searches.data,
            dashboards: dashboards.data,
            sources: sources.data,
            webhooks: webhooks.data,
          }
        : undefined,
    [searches.data, dashboards.data, sources.data, webhooks.data],
  );
  return {
    lists,
    error: lists ? null : (all.find(({ error }) => error)?.error ?? null),
    retry: () => {
      for (const query of all.filter(({ data }) => data === undefined)) {
        void query.refetch();
      }
    },
  };
}
