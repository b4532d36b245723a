import type { WebhookEvent } from '../../../contract/webhook/webhook-event.ts';
import { thresholdPhrase } from './breach.ts';
import { eventIds } from './event-ids.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import type { Notification } from './step.ts';
import type { Window } from './schedule.ts';

export interface AlertEventInput {
  definition: AlertDefinition;
  /** Values of groupBy, in its order; empty for an alert without groups. */
  group: readonly string[];
  notification: Notification;
  value: number | null;
  window: Window;
  decidedAtMs: number;
  /** Address of the user interface, without a slash at its end; empty: no links. */
  publicUrl: string;
}

/** The complete event. The outbox stores it, and every message format is made from it. */
export function alertEvent({
  definition,
  group,
  notification,
  value,
  window,
  decidedAtMs,
  publicUrl,
}: AlertEventInput): WebhookEvent {
  const groupKey = JSON.stringify(group);
  const firing = notification.state === 'firing';
  const span = { start: iso(window.startMs), end: iso(window.endMs) };
  return {
    id: eventIds.event(definition.id, groupKey, window.endMs, notification.state),
    type: firing ? 'alert.firing' : 'alert.resolved',
    timestamp: iso(decidedAtMs),
    data: {
      incidentId: eventIds.incident(definition.id, groupKey, notification.incidentMs),
      groupId: eventIds.group(definition.id, groupKey),
      title: title(definition.name, group, notification),
      body: [
        `${reading(value)} (fires ${thresholdPhrase(definition)}), window ${span.start} to ${span.end}`,
        ...(definition.message ? [definition.message] : []),
      ].join('\n'),
      state: notification.state,
      previousState: notification.previousState,
      reason: notification.reason,
      value,
      threshold: definition.threshold,
      thresholdMax: definition.thresholdMax,
      thresholdType: definition.thresholdType,
      group: group.join(', '),
      groupValues: [...group],
      window: span,
      alert: {
        id: definition.id,
        name: definition.name,
        message: definition.message,
        source: definition.source,
        interval: definition.interval,
        groupBy: definition.groupBy,
        team: definition.workspaceId,
        severity: definition.severity,
      },
      links: eventLinks(definition, window, publicUrl),
    },
  };
}

function title(name: string, group: readonly string[], notification: Notification): string {
  const groupText = group.length > 0 ? ` (${group.join(', ')})` : '';
  return `${name || 'Alert'}${groupText} ${headline(notification)}`;
}

function headline({ state, reason }: Notification): string {
  if (reason === 'group_gone') {
    return 'is resolved: it no longer sends data';
  }
  if (reason === 'group_by_changed') {
    return 'is resolved: the alert is grouped differently now';
  }
  if (state === 'inactive') {
    return 'is resolved';
  }
  return reason === 'still_firing' ? 'is still firing' : 'is firing';
}

function reading(value: number | null): string {
  return value === null ? 'No data' : `Value ${value}`;
}

/** Links to the alert's page, and to its dashboard or search over the evaluated window. */
export function eventLinks(
  { id, dashboardId, savedSearchId }: Pick<AlertDefinition, 'id' | 'dashboardId' | 'savedSearchId'>,
  window: Window,
  publicUrl: string,
): WebhookEvent['data']['links'] {
  if (publicUrl === '') {
    return { alert: '', data: '' };
  }
  const range = `from=${window.startMs}&to=${window.endMs}`;
  let data = '';
  if (dashboardId !== null) {
    data = `${publicUrl}/dashboards/${dashboardId}?${range}`;
  } else if (savedSearchId !== null) {
    data = `${publicUrl}/search?savedSearchId=${savedSearchId}&${range}`;
  }
  return { alert: `${publicUrl}/alerts/${id}`, data };
}

const iso = (ms: number): string => new Date(ms).toISOString();
