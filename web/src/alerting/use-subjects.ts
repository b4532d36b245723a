import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert } from '../api/queries/alerts.ts';
import { dashboardSummariesQuery } from '../api/queries/dashboards.ts';
import { savedSearchesQuery } from '../api/queries/saved-searches.ts';

/** What an alert evaluates, in words: `Search “Failed payments”, every 5m`. */
export function useSubjects(): (alert: Alert) => string {
  const { data: searches } = useQuery(savedSearchesQuery);
  const { data: dashboards } = useQuery(dashboardSummariesQuery);
  return useMemo(() => {
    const names = new Map(
      [...(searches ?? []), ...(dashboards ?? [])].map((one) => [one.id, one.name]),
    );
    return (alert) => {
      const by = alert.groupBy ? ` by ${alert.groupBy}` : '';
      return `${subjectOf(alert, names)}${by}, every ${alert.interval}`;
    };
  }, [searches, dashboards]);
}

function subjectOf(
  { source, dashboard, savedSearch }: Alert,
  names: ReadonlyMap<string, string>,
): string {
  const name = names.get((source === 'tile' ? dashboard : savedSearch) ?? '');
  const what = source === 'tile' ? 'Tile' : 'Saved search';
  if (name === undefined) {
    return what;
  }
  return source === 'tile' ? `Tile of “${name}”` : `Saved search “${name}”`;
}
