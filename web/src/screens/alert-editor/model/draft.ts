import type { Schemas } from '../../../api/client.ts';
import type { AlertPreviewInput } from '../../../api/queries/alert-preview.ts';
import type { Alert, AlertInput } from '../../../api/queries/alerts.ts';
import { tagsOf } from '../../../alerting/tags.ts';

export type ThresholdType = Schemas['ThresholdType'];
export type NoData = Schemas['NoData'];
export type Severity = Schemas['AlertSeverity'];

/** An alert as the person edits it, with numbers and tags as typed. Keys are those of the API. */
export interface AlertDraft {
  name: string;
  message: string;
  /** Separated by commas. */
  tags: string;
  severity: Severity;
  source: 'search' | 'tile';
  savedSearchId: string | undefined;
  dashboardId: string | undefined;
  tileId: string | undefined;
  groupBy: string;
  thresholdType: ThresholdType;
  threshold: string;
  thresholdMax: string;
  interval: string;
  numConsecutiveWindows: string;
  noData: NoData;
  /** Empty: no reminders. */
  renotifyInterval: string;
  /** The first one is the channel, the others are further channels. */
  webhookIds: readonly string[];
}

export const newDraft: AlertDraft = {
  name: '',
  message: '',
  tags: '',
  severity: 'critical',
  source: 'search',
  savedSearchId: undefined,
  dashboardId: undefined,
  tileId: undefined,
  groupBy: '',
  thresholdType: 'above',
  threshold: '1',
  thresholdMax: '',
  interval: '5m',
  numConsecutiveWindows: '1',
  noData: 'zero',
  renotifyInterval: '',
  webhookIds: [],
};

export function draftOf(alert: Alert): AlertDraft {
  const { channel, channels = [] } = alert;
  return {
    ...newDraft,
    name: alert.name ?? '',
    message: alert.message ?? '',
    tags: (alert.tags ?? []).join(', '),
    severity: alert.severity ?? 'critical',
    source: alert.source,
    savedSearchId: alert.savedSearch,
    dashboardId: alert.dashboard,
    tileId: alert.tileId,
    groupBy: alert.groupBy ?? '',
    thresholdType: alert.thresholdType,
    threshold: String(alert.threshold),
    thresholdMax: alert.thresholdMax === undefined ? '' : String(alert.thresholdMax),
    interval: alert.interval,
    numConsecutiveWindows: String(alert.numConsecutiveWindows ?? 1),
    noData: alert.noData ?? 'zero',
    renotifyInterval: alert.renotifyInterval ?? '',
    webhookIds: [...new Set([channel, ...channels].map(({ webhookId }) => webhookId))],
  };
}

/** Whether the comparison has an upper bound. */
export const takesMax = (type: ThresholdType): boolean =>
  type === 'between' || type === 'not_between';

/** The number of a text; NaN if it is none. */
export const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text));

type Body = Omit<AlertInput, 'channel'> & { channel?: AlertInput['channel'] };

/** The draft as the API takes it. An empty optional field is cleared. */
export function bodyOf(draft: AlertDraft): Body {
  const [first, ...others] = draft.webhookIds.map((webhookId) => ({
    type: 'webhook' as const,
    webhookId,
  }));
  const isTile = draft.source === 'tile';
  return {
    name: orNull(draft.name.trim()),
    message: orNull(draft.message.trim()),
    tags: tagsOf(draft.tags),
    severity: draft.severity,
    source: draft.source,
    savedSearchId: isTile ? null : (draft.savedSearchId ?? null),
    dashboardId: isTile ? (draft.dashboardId ?? null) : null,
    tileId: isTile ? (draft.tileId ?? null) : null,
    groupBy: orNull(draft.groupBy.trim()),
    thresholdType: draft.thresholdType,
    threshold: numberOf(draft.threshold),
    thresholdMax: takesMax(draft.thresholdType) ? numberOf(draft.thresholdMax) : null,
    interval: draft.interval.trim(),
    numConsecutiveWindows: numberOf(draft.numConsecutiveWindows),
    noData: draft.noData,
    renotifyInterval: orNull(draft.renotifyInterval.trim()),
    channels: others.length > 0 ? others : null,
    ...(first && { channel: first }),
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Field of the form for a path of the API: one field holds all channels. */
export const formPath = (path: string): string =>
  path.startsWith('channel') ? 'webhookIds' : path;

/** The request for a preview; undefined if the draft names no source or a number is missing. */
export function previewOf(draft: AlertDraft, windows: number): AlertPreviewInput | undefined {
  const {
    name = null,
    message: _,
    tags: __,
    channel: ___,
    channels: ____,
    ...body
  } = bodyOf(draft);
  const hasSource = body.savedSearchId !== null || body.tileId !== null;
  const numbers = [body.threshold, body.numConsecutiveWindows, body.thresholdMax ?? 0];
  const isWhole = hasSource && numbers.every((number) => Number.isFinite(number));
  return isWhole ? { ...body, name, windows } : undefined;
}
