import type { Notification, Step } from './step.ts';

/** Who hears of a step of one group, and who has heard of its firing by then. */
export interface Audience {
  notification: Notification | undefined;
  /** Ids of webhooks. */
  to: readonly string[];
  /** Webhooks that were told of the firing, and not yet of its end. */
  told: readonly string[];
}

/**
 * Every webhook hears alternately of a begin and an end, also where the alert names others than it did: whoever was told of a firing is told of its end,
 * and who was not is told that it fires.
 * @param told of the group before this step; empty: nobody, or a group that was remembered by an earlier release.
 */
export function audience(told: readonly string[], { next, state, notification }: Step, webhookIds: readonly string[], silenced: boolean): Audience {
  if (notification?.state === 'firing') return { notification, to: webhookIds, told: union(told, webhookIds) };
  if (notification) return { notification, to: told.length > 0 ? told : webhookIds, told: [] };
  if (state !== 'firing' || next?.announced !== true) return { notification, to: [], told: next?.announced === true ? told : [] };
  if (told.length === 0) return { notification, to: [], told: webhookIds };
  const missing = silenced ? [] : webhookIds.filter((id) => !told.includes(id));
  if (missing.length === 0 || next.incidentMs === null) return { notification, to: [], told };
  return { notification: { state: 'firing', previousState: 'firing', reason: 'still_firing', incidentMs: next.incidentMs }, to: missing, told: union(told, webhookIds) };
}

function union(told: readonly string[], webhookIds: readonly string[]): readonly string[] {
  const others = told.filter((id) => !webhookIds.includes(id));
  return others.length === 0 ? webhookIds : [...others, ...webhookIds];
}
