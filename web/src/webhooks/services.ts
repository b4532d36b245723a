import type { Schemas } from '../api/client.ts';

export type Service = Schemas['WebhookService'];

export interface ServiceTexts {
  label: string;
  /** What the service receives. */
  about: string;
  /** The usual address. */
  url: string;
  urlHint: string;
  secret: string;
  secretHint: string;
  headersHint: string;
}

const signing = {
  secret: 'Signing secret',
  secretHint:
    'Optional. Signs each request (Standard Webhooks). Any text, or whsec_ and a key of at least 12 bytes in base64.',
  headersHint: 'Sent with every request, such as Authorization.',
};

/** What a person must know of each service. */
export const services: Readonly<Record<Service, ServiceTexts>> = {
  generic: {
    label: 'Generic',
    about: 'A POST request with the event as JSON, for a receiver of your own.',
    url: 'https://hooks.example.com/alerts',
    urlHint: 'Receives the requests. It must answer with a 2xx status.',
    ...signing,
  },
  slack: {
    label: 'Slack',
    about: 'A message with buttons in a channel.',
    url: 'https://hooks.slack.com/services/…',
    urlHint: 'Address of an incoming webhook of your Slack app. It is the credential, too.',
    ...signing,
  },
  incidentio: {
    label: 'incident.io',
    about: 'An alert event, which incident.io resolves when the alert ends.',
    url: 'https://api.incident.io/v2/alert_events/http/…',
    urlHint: 'Address of an HTTP alert source of incident.io.',
    ...signing,
    headersHint: 'incident.io needs Authorization: Bearer, and the token of the alert source.',
  },
  pagerduty: {
    label: 'PagerDuty',
    about: 'An incident with the severity of the alert, which is resolved when the alert ends.',
    url: 'https://events.pagerduty.com/v2/enqueue',
    urlHint: 'Address of the Events API v2.',
    secret: 'Routing key',
    secretHint: 'Integration key of a service with the Events API v2.',
    headersHint: 'Sent with every request.',
  },
};

/** The address without its path, which is often a credential. */
export const hostOf = ({ url }: { url: string }): string =>
  URL.canParse(url) ? new URL(url).host : url;

export const serviceChoices = (Object.keys(services) as Service[]).map((value) => ({
  value,
  label: services[value].label,
}));

/** Services that keep an incident open until a message resolves it. */
export const keepsIncidents = (service: Service): boolean =>
  service === 'incidentio' || service === 'pagerduty';

/** A template to begin with, for services that a template fits. */
export const firstTemplate = (service: Service): string =>
  service === 'slack' ? slackTemplate : genericTemplate;

const slackTemplate = `{
  "text": "*{{title}}*\\n{{body}}\\n{{link}}"
}`;

const genericTemplate = `{
  "title": "{{title}}",
  "state": "{{state}}",
  "value": {{value}},
  "window": "{{window.start}} to {{window.end}}",
  "link": "{{link}}"
}`;
