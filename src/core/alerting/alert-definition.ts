import type { AlertSeverity, NoData, ThresholdType } from '../../contract/alert/alert.ts';
import { durationMs } from '../../contract/common.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';

/** An alert with all defaults, as evaluation reads it. */
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
  /** Comma-separated field paths or expressions; empty: those of the tile, or no groups. */
  groupBy: string;
  numConsecutiveWindows: number;
  renotifyIntervalMs: number | null;
  noData: NoData;
  severity: AlertSeverity;
  silenced: boolean;
  silencedUntilMs: number | null;
  webhookIds: string[];
  tags: readonly string[];
  /** Incidents that somebody acknowledged; those that have ended stay until the next one. */
  acknowledgedIncidentIds: ReadonlySet<string>;
}

const noTags: readonly string[] = [];
const noIncidents: ReadonlySet<string> = new Set();

/** The fields of a stored alert or a preview, before defaults. */
export interface AlertFields {
  name?: string | null | undefined;
  message?: string | null | undefined;
  source: string;
  interval: string;
  threshold: number;
  thresholdMax?: number | null | undefined;
  thresholdType: ThresholdType;
  dashboardId?: string | null | undefined;
  tileId?: string | null | undefined;
  savedSearchId?: string | null | undefined;
  groupBy?: string | null | undefined;
  numConsecutiveWindows?: number | null | undefined;
  renotifyInterval?: string | null | undefined;
  noData?: NoData | null | undefined;
  severity?: AlertSeverity | null | undefined;
  silenced?: boolean | null | undefined;
  silencedUntil?: string | null | undefined;
  channel?: { webhookId: string } | undefined;
  channels?: { webhookId: string }[] | null | undefined;
  tags?: readonly string[] | null | undefined;
  acknowledgements?: readonly { incidentId: string }[] | undefined;
}

/** The definition of a stored alert. */
export function alertDefinition({
  id,
  workspaceId,
  version,
  body,
}: StoredDocument<'alert'>): AlertDefinition {
  return definitionOf(body, { id, workspaceId, version });
}

/** A stored interval is valid; a preview checks it before. */
export const intervalMsOf = ({ interval }: Pick<AlertFields, 'interval'>): number =>
  durationMs(interval) ?? 60_000;

export function definitionOf(
  fields: AlertFields,
  { id, workspaceId, version }: { id: string; workspaceId: string; version: number },
): AlertDefinition {
  // Spelled out, without spreading anything: V8 makes such an object twenty times as fast, and
  // reads it as fast again.
  return {
    id,
    workspaceId,
    version,
    name: fields.name ?? '',
    message: fields.message ?? '',
    source: fields.source === 'tile' ? 'tile' : 'search',
    interval: fields.interval,
    intervalMs: intervalMsOf(fields),
    threshold: fields.threshold,
    thresholdMax: fields.thresholdMax ?? null,
    thresholdType: fields.thresholdType,
    dashboardId: fields.dashboardId ?? null,
    tileId: fields.tileId ?? null,
    savedSearchId: fields.savedSearchId ?? null,
    groupBy: fields.groupBy ?? '',
    numConsecutiveWindows: fields.numConsecutiveWindows ?? 1,
    renotifyIntervalMs:
      fields.renotifyInterval == null ? null : (durationMs(fields.renotifyInterval) ?? null),
    noData: fields.noData ?? 'zero',
    severity: fields.severity ?? 'critical',
    silenced: fields.silenced ?? false,
    silencedUntilMs: fields.silencedUntil == null ? null : Date.parse(fields.silencedUntil),
    webhookIds: [
      ...new Set(
        [...(fields.channel ? [fields.channel] : []), ...(fields.channels ?? [])].map(
          ({ webhookId }) => webhookId,
        ),
      ),
    ],
    tags: fields.tags ?? noTags,
    acknowledgedIncidentIds: fields.acknowledgements
      ? new Set(fields.acknowledgements.map(({ incidentId }) => incidentId))
      : noIncidents,
  };
}
