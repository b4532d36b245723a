import { z } from 'zod';
import { IdParams, NoBody, NoQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { Acknowledgement } from './alert.ts';

const GroupValues = z.array(z.string().max(65_536)).max(100);

/** Values of `groupBy` in a query string: a JSON array of texts. */
export const GroupText = z
  .string()
  .max(65_536)
  .transform((text, context) => {
    const group = GroupValues.safeParse(parsed(text));
    if (group.success) {
      return group.data;
    }
    context.addIssue({
      code: 'custom',
      message: 'must be a JSON array of texts, such as ["cart"]',
    });
    return z.NEVER;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const AcknowledgeInput = z
  .object({
    note: z
      .string()
      .max(1024)
      .nullish()
      .meta({ description: 'Note for others (at most 1024 characters).' }),
    group: GroupValues.nullish().meta({
      description:
        'Values of `groupBy` of the group to acknowledge, in the same order. ' +
        'If absent, every group that fires is acknowledged.',
    }),
  })
  .meta({ id: 'AcknowledgeInput' });

export const Acknowledgements = z
  .object({
    acknowledgements: z
      .array(Acknowledgement)
      .meta({ description: 'Acknowledged incidents of the alert that have not ended.' }),
  })
  .meta({
    id: 'Acknowledgements',
    example: {
      acknowledgements: [
        {
          incidentId: 'inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5',
          group: [],
          by: { kind: 'user', id: '65f0c1d2e3a4b5c6d7e8f906', name: 'ada@example.com' },
          at: '2026-03-14T09:31:00.000Z',
          note: 'Restarting the payment service',
        },
      ],
    },
  });
export type Acknowledgements = z.output<typeof Acknowledgements>;

export const acknowledgeAlert = operation({
  name: 'acknowledgeAlert',
  summary: 'Acknowledge the incident of an alert',
  description:
    'Records that somebody works on the incident. The server sends no reminders for it, but it sends the ' +
    'end. The acknowledgement ends with the incident. Fails with 409 if nothing fires.',
  tag: 'Alerts',
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: AcknowledgeInput,
  result: Acknowledgements,
  faults: ['not_found', 'conflict'],
  example: { note: 'Restarting the payment service' },
});

export const unacknowledgeAlert = operation({
  name: 'unacknowledgeAlert',
  summary: 'Withdraw an acknowledgement',
  description: 'Reminders continue at the next evaluation.',
  tag: 'Alerts',
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: z.object({
    group: GroupText.optional().meta({
      description:
        'Values of `groupBy` of the group, as a JSON array. If absent, all acknowledgements are withdrawn.',
      type: 'string',
    }),
  }),
  body: NoBody,
  result: Acknowledgements,
  faults: ['not_found'],
});
