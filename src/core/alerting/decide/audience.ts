import type { Step } from './step.ts';

/** Who is notified of one step of a group, and who knows of the group's firing afterwards. */
export interface Audience {
  /** Ids of the webhooks to notify. */
  recipientIds: readonly string[];
  /** Ids of the webhooks that know of the firing and not yet of its end. */
  notifiedWebhookIds: readonly string[];
}

/**
 * The webhooks that an alert names are notified of all its transitions. A webhook that was notified
 * of a firing is also notified of its end, even if the alert no longer names it.
 *
 * @param notifiedWebhookIds of the group before this step; empty if nobody was notified, or if an
 *   earlier release recorded the group.
 */
export function audience(
  notifiedWebhookIds: readonly string[],
  { next, notification }: Step,
  webhookIds: readonly string[],
): Audience {
  if (notification?.state === 'firing') {
    return {
      recipientIds: webhookIds,
      notifiedWebhookIds: union(notifiedWebhookIds, webhookIds),
    };
  }
  if (notification) {
    return { recipientIds: union(notifiedWebhookIds, webhookIds), notifiedWebhookIds: [] };
  }
  if (next?.announced !== true) {
    return { recipientIds: [], notifiedWebhookIds: [] };
  }
  return {
    recipientIds: [],
    notifiedWebhookIds: notifiedWebhookIds.length > 0 ? notifiedWebhookIds : webhookIds,
  };
}

function union(before: readonly string[], webhookIds: readonly string[]): readonly string[] {
  const others = before.filter((id) => !webhookIds.includes(id));
  return others.length === 0 ? webhookIds : [...others, ...webhookIds];
}
