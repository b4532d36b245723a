import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { alertsQuery, type Alert } from '../../../api/queries/alerts.ts';
import { byUrgency } from '../../../alerting/states.ts';

const refreshMs = 30_000;

/** Alerts by the id of their tile. */
export type TileAlerts = ReadonlyMap<string, readonly Alert[]>;

export const noAlerts: readonly Alert[] = [];

/** The alerts of the tiles of a dashboard, those of a tile by urgency. */
export function useTileAlerts(dashboardId: string) {
  const { data, error, refetch } = useQuery({ ...alertsQuery, refetchInterval: refreshMs });
  const alerts: TileAlerts = useMemo(() => {
    const own = (data ?? []).filter(({ dashboard }) => dashboard === dashboardId);
    const byTile = new Map<string, Alert[]>();
    for (const alert of own.toSorted(byUrgency)) {
      const tileId = alert.tileId ?? '';
      byTile.set(tileId, [...(byTile.get(tileId) ?? []), alert]);
    }
    return byTile;
  }, [data, dashboardId]);
  return { alerts, error, retry: () => void refetch() };
}
