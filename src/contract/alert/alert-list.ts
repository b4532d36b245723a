import { z } from 'zod';
import { NoBody, NoParams, PageQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { Alert } from './alert.ts';

export const AlertListQuery = PageQuery.extend({
  recent: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1, 'must be from 1 to 100').max(100, 'must be from 1 to 100'))
    .optional()
    .meta({
      description: 'Number of last evaluations to return with each alert (1–100).',
      type: 'integer',
      minimum: 1,
      maximum: 100,
    }),
  tags: z
    .string()
    .min(1)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.string().min(1, 'must not contain an empty tag').max(32)).max(50))
    .optional()
    .meta({
      description: 'Tags, comma-separated. Only alerts that have all of them are returned.',
      type: 'string',
    }),
});

export const listAlerts = operation({
  name: 'listAlerts',
  summary: 'List alerts',
  description:
    'Returns alerts with their state, in creation order. ' +
    '`recent=20` adds the last 20 evaluations of each alert without their groups.',
  tag: 'Alerts',
  scope: 'stack:read',
  object: { kind: 'alert' },
  params: NoParams,
  query: AlertListQuery,
  body: NoBody,
  result: z.array(Alert),
});
