import type { ThresholdType } from './breach.ts';
import type { NoData } from './step.ts';

/** An alert as evaluation reads it: every default filled in. */
export interface AlertDefinition {
  id: string;
  workspaceId: string;
  version: number;
  name: string;
  message: string;
  source: 'tile' | 'search';
  interval: string;
  intervalMs: number;
  threshold: number;
  thresholdMax: number | null;
  thresholdType: ThresholdType;
  dashboardId: string | null;
  tileId: string | null;
  savedSearchId: string | null;
  /** Comma-separated field paths or expressions; empty: no groups. */
  groupBy: string;
  numConsecutiveWindows: number;
  renotifyIntervalMs: number | null;
  noData: NoData;
  silenced: boolean;
  silencedUntilMs: number | null;
  webhookIds: string[];
}
