import { z } from 'zod';
import { NoBody, NoParams, PageQuery, Timestamp, Uuid } from './common.ts';
import { operation } from './operation.ts';

export const ActorKind = z.enum(['user', 'key', 'system', 'anonymous']).meta({
  id: 'ActorKind',
  description:
    'Kind of actor. `anonymous` is a caller that could not be identified, for example because of a wrong credential.',
});
export type ActorKind = z.infer<typeof ActorKind>;

export const ActivityOutcome = z.enum(['success', 'denied', 'failure']).meta({
  id: 'ActivityOutcome',
  description:
    'Result of the operation. `denied`: the caller was not authenticated or not allowed. ' +
    '`failure`: the operation failed for another reason.',
});
export type ActivityOutcome = z.infer<typeof ActivityOutcome>;

/** One line of the audit trail: the actor, the operation, its object, time, address and outcome. */
export const Activity = z
  .object({
    id: z.string().meta({ description: 'Id of the entry, ordered by time.' }),
    createdAt: Timestamp,
    actor: z
      .object({
        kind: ActorKind,
        id: z.string().optional().meta({ description: 'Id of the key or user.' }),
        name: z.string().optional().meta({ description: 'Name at the time of the operation.' }),
      })
      .meta({
        description:
          'Key, user (its name is the e-mail address) or system that performed the operation.',
      }),
    operation: z.string().meta({
      description: 'Operation id from this reference; `authenticate` for a rejected credential.',
      example: 'createAlert',
    }),
    object: z
      .object({
        kind: z.string().meta({ description: 'Kind of the object.' }),
        id: z.string().optional().meta({ description: 'Id of the object; absent if it has none.' }),
      })
      .meta({ description: 'Object of the operation.' }),
    serviceId: Uuid.optional().meta({
      description: 'Service of the object; absent for objects of the organization itself.',
    }),
    address: z
      .string()
      .optional()
      .meta({ description: 'Network address of the caller; absent for the system.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'Id of the request; of the first one if `count` is greater than 1.' }),
    outcome: ActivityOutcome,
    code: z
      .string()
      .optional()
      .meta({ description: 'Error code; absent if the operation succeeded.' }),
    count: z
      .int()
      .min(1)
      .meta({
        description:
          'Number of requests that this line stands for. ' +
          'Identical rejections within a short time share one line; changes always count 1.',
      }),
  })
  .meta({
    id: 'Activity',
    example: {
      id: '0195943a-7c51-7d3e-9a42-6f1b2c3d4e5f',
      createdAt: '2026-03-14T09:26:53.589Z',
      actor: { kind: 'key', id: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f', name: 'Deployments' },
      operation: 'createAlert',
      object: { kind: 'alert', id: '65f0c1d2e3a4b5c6d7e8f903' },
      serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
      address: '203.0.113.7',
      requestId: 'b1f7e6d5-4c3b-4a29-9807-16253443526a',
      outcome: 'success',
      count: 1,
    },
  });
export type Activity = z.output<typeof Activity>;

const Instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date-time with an offset',
});
const Word = z.string().min(1).max(255);

/** Newest first. An activity must match every filter. */
export const ActivityQuery = PageQuery.extend({
  from: Instant.optional().meta({ description: 'Return activities at or after this time.' }),
  to: Instant.optional().meta({ description: 'Return activities before this time.' }),
  actorKind: ActorKind.optional(),
  actorId: Word.optional().meta({ description: 'Id of the key or user.' }),
  operation: Word.optional(),
  objectKind: Word.optional(),
  objectId: Word.optional(),
  outcome: ActivityOutcome.optional(),
  serviceId: Uuid.optional(),
});
export type ActivityQuery = z.output<typeof ActivityQuery>;

export const listActivities = operation({
  name: 'listActivities',
  summary: 'Read the audit trail',
  tag: 'Activities',
  scope: 'audit:read',
  object: { kind: 'activity' },
  description:
    'Returns every change on both surfaces and every rejected request, newest first. Entries cannot be changed.',
  params: NoParams,
  query: ActivityQuery,
  body: NoBody,
  result: z.array(Activity),
});
