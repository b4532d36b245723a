import type { Step } from './step.ts';

/** Who hears of a step of one group, and who has heard of its firing by then. */
export interface Audience {
  /** Ids of webhooks. */
  to: readonly string[];
  /** Webhooks that were told of the firing, and not yet of its end. */
  told: readonly string[];
}

/**
 * The webhooks that an alert names hear of all its transitions. Whoever was told of a firing is told of its end as well, also where the alert names others by then.
 * @param told of the group before this step; empty: nobody, or a group that was remembered by an earlier release.
 */
export function audience(
  told: readonly string[],
  { next, notification }: Step,
  webhookIds: readonly string[],
): Audience {
  if (notification?.state === 'firing') {
    return { to: webhookIds, told: union(told, webhookIds) };
  }
  if (notification) {
    return { to: union(told, webhookIds), told: [] };
  }
  if (next?.announced !== true) {
    return { to: [], told: [] };
  }
  return { to: [], told: told.length > 0 ? told : webhookIds };
}

function union(told: readonly string[], webhookIds: readonly string[]): readonly string[] {
  const others = told.filter((id) => !webhookIds.includes(id));
  return others.length === 0 ? webhookIds : [...others, ...webhookIds];
}
