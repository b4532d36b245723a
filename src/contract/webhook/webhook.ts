import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, PageQuery, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';
import { templateProblem } from './webhook-template.ts';

export const WebhookService = z
  .enum(['generic', 'slack', 'incidentio', 'pagerduty'])
  .meta({ id: 'WebhookService', description: 'Format of the request body.' });
export type WebhookService = z.infer<typeof WebhookService>;

const Url = z
  .string()
  .max(2048)
  .refine(isHttpUrl, 'must be an http or https URL')
  .meta({
    description:
      'URL that receives the notifications. ' +
      'Private, loopback and link-local addresses are rejected unless the operator allows them.',
    example: 'https://hooks.example.com/alerts',
  });

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '';
}

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'must be a valid HTTP header name');
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
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a single line of valid header characters'),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers')
  .refine(
    (headers) => Object.keys(headers).every((name) => !reservedHeaders.has(name.toLowerCase())),
    'must not set a connection header (Host, Content-Length, …)',
  )
  .meta({ description: 'HTTP headers added to every delivery (at most 50). Write-only.' });

const QueryParams = z
  .record(z.string().min(1).max(256), z.string().max(4096))
  .refine((params) => Object.keys(params).length <= 50, 'must have at most 50 parameters')
  .meta({
    description: 'Parameters added to the query string of the URL (at most 50). Write-only.',
  });

const Template = z
  .string()
  .max(65_536)
  .superRefine((template, context) => {
    const problem = templateProblem(template);
    if (problem !== undefined) {
      context.addIssue({ code: 'custom', message: problem });
    }
  });

/**
 * A secret with the prefix of Standard Webhooks must be valid. Invalid base64 would decode to a key
 * that is easy to guess.
 */
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
    'must have the base64 form of a key of at least 12 bytes after whsec_ (24 to 64 bytes are usual)',
  );

const fields = {
  name: z.string().min(1).max(255).meta({
    description: 'Name, unique among the webhooks of the service (1–255 characters).',
    example: 'on-call',
  }),
  service: WebhookService,
  url: Url,
  description: z
    .string()
    .max(1024)
    .nullish()
    .meta({ description: 'Note about the webhook (at most 1024 characters).' }),
  body: Template.nullish().meta({
    description:
      'Template that replaces the default body of the service: ' +
      'JSON with {{variable}} placeholders for values of the event.',
  }),
  headers: Headers.nullish(),
  queryParams: QueryParams.nullish(),
  secret: Secret.nullish().meta({
    description: 'Secret used to sign deliveries according to Standard Webhooks. Write-only.',
  }),
};

export const WebhookInput = z.object(fields).meta({ id: 'WebhookInput' });
export type WebhookInput = z.output<typeof WebhookInput>;

export const WebhookChange = z
  .object(fields)
  .partial()
  .meta({
    id: 'WebhookChange',
    description:
      'Omitted fields keep their value. Changing `url` removes the stored `headers`, ' +
      '`queryParams` and `secret` unless the request sends them again.',
  });
export type WebhookChange = z.output<typeof WebhookChange>;

const onlyForEditors =
  'Absent if there is none, and for callers without permission to change webhooks.';

export const Webhook = z
  .object({
    id: ObjectId,
    name: z.string().meta({ description: 'Name, unique among the webhooks of the service.' }),
    service: WebhookService,
    url: z.string().meta({
      description:
        'URL that receives the notifications. ' +
        'Callers without permission to change webhooks see `***` instead of its path and query.',
    }),
    description: z.string().optional().meta({ description: 'Note about the webhook.' }),
    body: z.string().optional().meta({
      description:
        'Template that replaces the default body of the service; absent if there is none.',
    }),
    headerNames: z
      .array(z.string())
      .optional()
      .meta({
        description: `Names of the stored headers. ${onlyForEditors}`,
      }),
    queryParamNames: z
      .array(z.string())
      .optional()
      .meta({
        description: `Names of the stored query parameters. ${onlyForEditors}`,
      }),
    hasSecret: z
      .boolean()
      .optional()
      .meta({
        description: `True if a signing secret is stored. ${onlyForEditors}`,
      }),
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
  description: 'Values of headers and query parameters, and secrets are never returned.',
  tag,
  scope: 'stack:read',
  object: { kind: 'webhook' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Webhook),
});
export const createWebhook = operation({
  name: 'createWebhook',
  summary: 'Create a webhook',
  description: 'Alerts send their notifications to webhooks. Names are unique per service.',
  tag,
  scope: 'webhooks:write',
  object: { kind: 'webhook' },
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
  description: 'Values of headers and query parameters, and the secret are never returned.',
  tag,
  scope: 'stack:read',
  object: { kind: 'webhook', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Webhook,
  faults: ['not_found'],
});
export const updateWebhook = operation({
  name: 'updateWebhook',
  readOnly: ['id', 'headerNames', 'queryParamNames', 'hasSecret', 'createdAt', 'updatedAt'],
  summary: 'Update a webhook',
  description:
    'Omitted fields keep their value. A new `url` removes the stored headers, query parameters ' +
    'and secret unless they are sent again.',
  tag,
  scope: 'webhooks:write',
  object: { kind: 'webhook', id: 'id' },
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
  description: 'Fails with 409 while an alert uses the webhook.',
  tag,
  scope: 'webhooks:write',
  object: { kind: 'webhook', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found', 'conflict'],
});
