import { z } from 'zod';
import { NoBody, NoParams, PageQuery, Timestamp, Uuid } from './common.ts';
import { operation } from './operation.ts';

export const ActorKind = z.enum(['user', 'key', 'system', 'anonymous']).meta({
  id: 'ActorKind',
  description: '`anonymous`: nobody who could be told, such as a wrong credential',
});
export type ActorKind = z.infer<typeof ActorKind>;

export const ActivityOutcome = z.enum(['success', 'denied', 'failure']).meta({
  id: 'ActivityOutcome',
  description:
    '`denied`: not authenticated or not allowed; `failure`: refused or failed for another reason',
});
export type ActivityOutcome = z.infer<typeof ActivityOutcome>;

/** One line of the audit trail: who did (or tried) what, on which object, when, from where, and how it ended. */
export const Activity = z
  .object({
    id: z.string(),
    createdAt: Timestamp,
    actor: z
      .object({ kind: ActorKind, id: z.string().optional(), name: z.string().optional() })
      .meta({ description: 'A key, a user (its name is the e-mail address) or the system' }),
    operation: z.string().meta({
      description: 'Operation name of this reference; `authenticate` for a refused credential',
      example: 'createAlert',
    }),
    object: z
      .object({ kind: z.string(), id: z.string().optional() })
      .meta({ description: 'What it was done to' }),
    serviceId: Uuid.optional().meta({
      description: 'Absent for what belongs to the organization itself',
    }),
    address: z
      .string()
      .optional()
      .meta({ description: 'Network address of the caller; absent for the system' }),
    requestId: z.string().optional().meta({ description: 'Request id of the (first) call' }),
    outcome: ActivityOutcome,
    code: z.string().optional().meta({ description: 'Error code, unless it succeeded' }),
    count: z.int().min(1).meta({
      description: 'Equal refusals within a short time are one activity; changes are always 1',
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

/** Newest first. All filters together. */
export const ActivityQuery = PageQuery.extend({
  from: Instant.optional().meta({ description: 'Not before this time' }),
  to: Instant.optional().meta({ description: 'Before this time' }),
  actorKind: ActorKind.optional(),
  actorId: Word.optional().meta({ description: 'Id of the key or user' }),
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
  description:
    'Every change on either surface, and what was refused; newest first. Lines cannot be changed.',
  params: NoParams,
  query: ActivityQuery,
  body: NoBody,
  result: z.array(Activity),
});
