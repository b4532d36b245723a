import type { AlertSeverity } from '../alert/alert.ts';
import { renderTemplate } from './webhook-template.ts';
import type { WebhookEvent } from './webhook-event.ts';
import type { WebhookService } from './webhook.ts';

/** The settings of a webhook that messages depend on. */
interface MessageTarget {
  service: WebhookService;
  /** The webhook's own template; null: the format of its service. */
  template: string | null;
  /** PagerDuty's key is in the message. */
  secrets: { queryParams?: Record<string, string>; secret?: string };
}

/** The JSON body for a webhook: from its own template, or in the format of its service. */
export function messageBody(target: MessageTarget, event: WebhookEvent): string {
  return target.template === null
    ? JSON.stringify(formats[target.service](event, target))
    : renderTemplate(target.template, event);
}

/** One entry for each service. */
const formats: Record<WebhookService, (event: WebhookEvent, target: MessageTarget) => unknown> = {
  generic: (event) => event,
  slack,
  incidentio,
  pagerduty,
};

/** Services that keep an incident open until an event resolves it. */
export const incidentServices: ReadonlySet<WebhookService> = new Set(['incidentio', 'pagerduty']);

const colors = { firing: '#d92d20', inactive: '#12b76a' } as const;

/** Slack's incoming webhook: a text for notifications, blocks for the channel. */
function slack(event: WebhookEvent): unknown {
  const { title, body, state, links } = event.data;
  const buttons = [
    ['Alert', links.alert],
    ['Data', links.data],
  ].filter(([, url]) => url !== '');
  return {
    text: shorten(slackText(title), 3000),
    attachments: [
      {
        color: colors[state],
        blocks: [
          {
            type: 'section',
            text: {
              type: 'mrkdwn',
              text: `*${shorten(slackText(title), 2000)}*\n${shorten(slackText(body), 900)}`,
            },
          },
          ...(buttons.length === 0
            ? []
            : [
                {
                  type: 'actions',
                  elements: buttons.map(([text, url]) => ({
                    type: 'button',
                    text: { type: 'plain_text', text },
                    url,
                  })),
                },
              ]),
        ],
      },
    ],
  };
}

/** Escapes Slack's three control characters; otherwise a name could notify a whole channel. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** incident.io's HTTP alert source (alert events v2). The token is a header of the webhook. */
function incidentio({ data }: WebhookEvent): unknown {
  return {
    title: shorten(data.title, 1000),
    description: data.body,
    deduplication_key: data.incidentId,
    status: data.state === 'firing' ? 'firing' : 'resolved',
    ...(data.links.alert !== '' && { source_url: data.links.alert }),
    metadata: {
      alert_id: data.alert.id,
      alert_name: data.alert.name,
      group: data.group,
      value: data.value,
      threshold: data.threshold,
      threshold_type: data.thresholdType,
      window_start: data.window.start,
      window_end: data.window.end,
      ...(data.links.data !== '' && { data_url: data.links.data }),
    },
  };
}

/**
 * PagerDuty's Events API v2. The routing key is the webhook's query parameter `routing_key`, or its
 * secret.
 */
function pagerduty({ data, timestamp }: WebhookEvent, { secrets }: MessageTarget): unknown {
  const routingKey = secrets.queryParams?.['routing_key'] ?? secrets.secret;
  return {
    ...(routingKey !== undefined && { routing_key: routingKey }),
    event_action: data.state === 'firing' ? 'trigger' : 'resolve',
    dedup_key: data.incidentId,
    client: 'Sightline',
    ...(data.links.alert !== '' && {
      client_url: data.links.alert,
      links: [
        ['Alert', data.links.alert],
        ['Data', data.links.data],
      ]
        .filter(([, href]) => href !== '')
        .map(([text, href]) => ({ href, text })),
    }),
    payload: {
      summary: shorten(data.title, 1024),
      source: data.group === '' ? data.alert.name || data.alert.id : data.group,
      severity: severityOf(data),
      timestamp,
      component: data.alert.name,
      group: data.group,
      custom_details: {
        description: data.body,
        value: data.value,
        threshold: data.threshold,
        threshold_type: data.thresholdType,
        window_start: data.window.start,
        window_end: data.window.end,
        alert_id: data.alert.id,
      },
    },
  };
}

/** Events that an older version stored have no severity. */
function severityOf({ alert }: WebhookEvent['data']): AlertSeverity {
  const { severity = 'critical' }: { severity?: AlertSeverity } = alert;
  return severity;
}

/** At most `max` UTF-16 units, without half a surrogate pair. */
function shorten(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const cut = text.slice(0, max - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
