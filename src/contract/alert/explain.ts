import { z } from 'zod';
import { IdParams, NoBody, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';
import { NotificationReason } from '../webhook/webhook-event.ts';
import { GroupText } from './acknowledge.ts';
import { Delivery } from './delivery.ts';

export const ExplainQuery = z.object({
  window: Timestamp.optional().meta({
    description:
      'End of the window, the same as `windowEnd` in the history, or a time within it. ' +
      'If absent, the last evaluated window is explained.',
  }),
  group: GroupText.optional().meta({
    description:
      'Values of `groupBy` of the group, as a JSON array. ' +
      'If absent, the group that determined the state of the alert is explained.',
    type: 'string',
  }),
});

export const ExplainVerdict = z
  .enum(['notified', 'pending', 'failed', 'muted', 'not_due', 'not_evaluated'])
  .meta({
    id: 'ExplainVerdict',
    description:
      '`notified`: at least one receiver accepted the notification. `pending`: it is not delivered yet. ' +
      '`failed`: no receiver accepted it, or there is none. ' +
      '`muted`: a silence, a maintenance window or an acknowledgement held it back. ' +
      '`not_due`: there was nothing to tell. `not_evaluated`: the window has no evaluation.',
  });
export type ExplainVerdict = z.infer<typeof ExplainVerdict>;

export const ExplainStep = z
  .object({
    step: z.enum([
      'evaluation',
      'rows',
      'value',
      'threshold',
      'windows',
      'incident',
      'silence',
      'maintenance',
      'acknowledgement',
      'delivery',
    ]),
    outcome: z.enum(['passed', 'stopped', 'info']).meta({
      description:
        '`stopped`: the reason why the alert did not notify. `info`: does not decide anything.',
    }),
    text: z.string().meta({ description: 'The step in a sentence.' }),
  })
  .meta({ id: 'ExplainStep' });
export type ExplainStep = z.output<typeof ExplainStep>;

export const AlertExplanation = z
  .object({
    windowStart: Timestamp.optional(),
    windowEnd: Timestamp.optional(),
    group: z
      .array(z.string())
      .meta({ description: 'Values of `groupBy`, in the same order. Empty without groups.' }),
    verdict: ExplainVerdict,
    reason: NotificationReason.optional().meta({
      description: 'Reason of the notification that was due; absent if none was.',
    }),
    steps: z
      .array(ExplainStep)
      .meta({ description: 'From the rows to the receivers, in the order of the evaluation.' }),
    deliveries: z
      .array(Delivery)
      .meta({ description: 'Deliveries of the notification, if the server still keeps them.' }),
  })
  .meta({
    id: 'AlertExplanation',
    example: {
      windowStart: '2026-03-14T09:25:00.000Z',
      windowEnd: '2026-03-14T09:30:00.000Z',
      group: [],
      verdict: 'muted',
      reason: 'fired',
      steps: [
        {
          step: 'threshold',
          outcome: 'passed',
          text: 'The value 12 breaches the threshold (at or above 10).',
        },
        { step: 'silence', outcome: 'stopped', text: 'The alert was silenced.' },
      ],
      deliveries: [],
    },
  });
export type AlertExplanation = z.output<typeof AlertExplanation>;

export const explainAlert = operation({
  name: 'explainAlert',
  summary: 'Explain why an alert did or did not notify',
  description:
    'Follows one evaluated window from the rows to the receivers: rows, value, threshold, consecutive ' +
    'windows, incident, silence, maintenance, acknowledgement and delivery attempts.',
  tag: 'Alerts',
  scope: 'stack:read',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: ExplainQuery,
  body: NoBody,
  result: AlertExplanation,
  faults: ['not_found'],
});
