import type { WebhookEvent } from '../../../contract/webhook-event.ts';
import { thresholdPhrase } from '../breach.ts';
import { eventIds } from '../event-ids.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import type { Notification } from '../step.ts';
import type { Window } from '../schedule.ts';

export interface AlertEventInput {
  definition: AlertDefinition;
  /** Values of groupBy, in order; none for an alert without groups. */
  group: readonly string[];
  notification: Notification;
  value: number | null;
  window: Window;
  decidedAtMs: number;
  /** Where the user interface answers, without a slash at its end; empty: no links. */
  publicUrl: string;
}

/** What happened, in full: what is stored in the outbox, and what every format is made from. */
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
      title: `${definition.name || 'Alert'}${group.length > 0 ? ` (${group.join(', ')})` : ''} ${headline(notification)}`,
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
      },
      links: eventLinks(definition, window, publicUrl),
    },
  };
}

function headline({ state, reason }: Notification): string {
  if (reason === 'group_gone') {
    return 'is resolved: it sends no data any more';
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

/** Pages of the interface: the alert, and the dashboard or search over the window that decided. */
export function eventLinks(
  { id, dashboardId, savedSearchId }: Pick<AlertDefinition, 'id' | 'dashboardId' | 'savedSearchId'>,
  window: Window,
  publicUrl: string,
): WebhookEvent['data']['links'] {
  if (publicUrl === '') {
    return { alert: '', data: '' };
  }
  const range = `from=${window.startMs}&to=${window.endMs}`;
  const data =
    dashboardId !== null
      ? `/dashboards/${dashboardId}?${range}`
      : savedSearchId !== null
        ? `/search?savedSearchId=${savedSearchId}&${range}`
        : '';
  return { alert: `${publicUrl}/alerts/${id}`, data: data === '' ? '' : `${publicUrl}${data}` };
}

const iso = (ms: number): string => new Date(ms).toISOString();
