import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, PageQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';
import { templateProblem } from './webhook-template.ts';

export const WebhookService = z
  .enum(['generic', 'slack', 'incidentio', 'pagerduty'])
  .meta({ id: 'WebhookService', description: 'Whose format is sent' });
export type WebhookService = z.infer<typeof WebhookService>;

const Url = z.string().max(2048).refine(isHttpUrl, 'must be an http or https URL').meta({
  description:
    'Where it is delivered. Private, loopback and link-local addresses are refused unless the operator allows them',
  example: 'https://hooks.example.com/alerts',
});

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '';
}

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'must be a header name');
const reservedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
  'proxy-connection',
]);

const Headers = z
  .record(
    HeaderName,
    z
      .string()
      .max(4096)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of header text'),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers')
  .refine(
    (headers) => Object.keys(headers).every((name) => !reservedHeaders.has(name.toLowerCase())),
    'must not set a header of the connection itself (Host, Content-Length, …)',
  )
  .meta({ description: 'Sent with every delivery. Write-only' });

const QueryParams = z
  .record(z.string().min(1).max(256), z.string().max(4096))
  .refine((params) => Object.keys(params).length <= 50, 'must have at most 50 parameters')
  .meta({ description: 'Added to the query string of the URL. Write-only' });

const Template = z
  .string()
  .max(65_536)
  .superRefine((template, context) => {
    const problem = templateProblem(template);
    if (problem !== undefined) {
      context.addIssue({ code: 'custom', message: problem });
    }
  });

/** What begins like a secret of Standard Webhooks has to be one: what is no base64 would leave a key that anybody can guess. */
const Secret = z
  .string()
  .min(1)
  .max(1024)
  .refine(
    (secret) =>
      !secret.startsWith('whsec_') ||
      /^whsec_(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(
        secret,
      ),
    'after whsec_ must come base64 of a key of at least 12 bytes (24 to 64 are usual)',
  );

const fields = {
  name: z
    .string()
    .min(1)
    .max(255)
    .meta({ description: 'Unique among the webhooks of its service', example: 'on-call' }),
  service: WebhookService,
  url: Url,
  description: z.string().max(1024).nullish(),
  body: Template.nullish().meta({
    description:
      'What is sent instead of the format of the service: JSON in which {{variable}} stands for a value of the event',
  }),
  headers: Headers.nullish(),
  queryParams: QueryParams.nullish(),
  secret: Secret.nullish().meta({
    description: 'Signs deliveries (Standard Webhooks). Write-only',
  }),
};

export const WebhookInput = z.object(fields).meta({ id: 'WebhookInput' });
export type WebhookInput = z.output<typeof WebhookInput>;

export const WebhookChange = z.object(fields).partial().meta({
  id: 'WebhookChange',
  description:
    'What is absent stays. A new url drops stored headers, queryParams and secret unless they are sent again',
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const Webhook = z
  .object({
    id: ObjectId,
    name: z.string(),
    service: WebhookService,
    url: z.string(),
    description: z.string().optional(),
    body: z.string().optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Webhook',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f902',
      name: 'on-call',
      service: 'generic',
      url: 'https://hooks.example.com/alerts',
      description: 'Pages the on-call engineer',
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Webhook = z.output<typeof Webhook>;

const tag = 'Webhooks';
const example = {
  name: 'on-call',
  service: 'generic',
  url: 'https://hooks.example.com/alerts',
  description: 'Pages the on-call engineer',
};

export const listWebhooks = operation({
  name: 'listWebhooks',
  summary: 'List webhooks',
  tag,
  scope: 'stack:read',
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Webhook),
});
export const createWebhook = operation({
  name: 'createWebhook',
  summary: 'Create a webhook',
  tag,
  scope: 'webhooks:write',
  params: NoParams,
  query: NoQuery,
  body: WebhookInput,
  result: Webhook,
  faults: ['conflict'],
  example,
});
export const getWebhook = operation({
  name: 'getWebhook',
  summary: 'Get a webhook',
  tag,
  scope: 'stack:read',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Webhook,
  faults: ['not_found'],
});
export const updateWebhook = operation({
  name: 'updateWebhook',
  summary: 'Change a webhook',
  tag,
  scope: 'webhooks:write',
  params: IdParams,
  query: NoQuery,
  body: WebhookChange,
  result: Webhook,
  faults: ['not_found', 'conflict'],
  example: { description: 'Pages the second line' },
});
export const deleteWebhook = operation({
  name: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Refused while an alert uses it.',
  tag,
  scope: 'webhooks:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found', 'conflict'],
});
