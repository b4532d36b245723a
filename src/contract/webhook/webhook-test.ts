import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { WebhookChange } from './webhook.ts';

export const WebhookTestResult = z
  .object({
    delivered: z
      .boolean()
      .meta({ description: 'True if the receiver responded with a 2xx status.' }),
    status: z.int().optional().meta({
      description: 'HTTP status of the response; absent if the receiver did not respond.',
    }),
    body: z.string().optional().meta({ description: 'Beginning of the response body.' }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Reason for a failed delivery; absent if it succeeded.' }),
    elapsedMs: z.number().meta({ description: 'Duration of the request, in milliseconds.' }),
  })
  .meta({
    id: 'WebhookTestResult',
    example: { delivered: true, status: 200, body: 'ok', elapsedMs: 41.7 },
  });
export type WebhookTestResult = z.output<typeof WebhookTestResult>;

export const testWebhook = operation({
  name: 'testWebhook',
  summary: 'Send a sample event to a webhook',
  description: "Sends one sample event without retries and returns the receiver's response.",
  tag: 'Webhooks',
  scope: 'webhooks:write',
  object: { kind: 'webhook', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: WebhookTestResult,
  faults: ['not_found'],
});

export const WebhookDraft = WebhookChange.extend({
  id: ObjectId.nullish().meta({
    description:
      'Id of a webhook whose stored fields and secrets replace omitted ones, as in an update.',
  }),
}).meta({
  id: 'WebhookDraft',
  description:
    'Fields of a webhook before it is saved. Without `id`, `service` and `url` are required.',
});
export type WebhookDraft = z.output<typeof WebhookDraft>;

export const testWebhookDraft = operation({
  name: 'testWebhookDraft',
  summary: 'Send a sample event to a webhook that is not saved',
  description:
    "Sends one sample event without retries and returns the receiver's response. The server stores nothing. " +
    'With the `id` of a webhook, omitted fields and secrets are those of the webhook. ' +
    'A new `url` drops its stored headers, query parameters and secret unless they are sent again.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  object: { kind: 'webhook' },
  params: NoParams,
  query: NoQuery,
  body: WebhookDraft,
  result: WebhookTestResult,
  faults: ['not_found'],
  example: { service: 'generic', url: 'https://hooks.example.com/alerts' },
});
