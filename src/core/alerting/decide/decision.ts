import type { AlertDefinition } from '../alert-definition.ts';
import type { Threshold } from './breach.ts';
import type { Muted, Step, StepNotificationReason } from './step.ts';

/** What decided about the notifications of a window, for explanations. */
export interface Decision extends Threshold {
  /** Consecutive breaching windows before the alert fires. */
  needed: number;
  maintenanceId?: string | undefined;
  /** The groups that breach or had something to tell. */
  groups: GroupDecision[];
}

export interface GroupDecision {
  /** JSON of the group's values. */
  key: string;
  /** Breaching windows in a row. */
  breaches: number;
  /** Reason of the notification that was due; null if none was. */
  due: StepNotificationReason | null;
  mutedBy: Muted['by'] | null;
}

type StoredGroup = [
  key: string,
  breaches: number,
  due: StepNotificationReason | null,
  mutedBy: Muted['by'] | null,
];

/** Undefined if the group neither breaches nor has anything to tell. */
export function groupDecision(
  key: string,
  { next, notification, muted }: Step,
): GroupDecision | undefined {
  const breaches = next?.breaches ?? 0;
  const due = notification?.reason ?? muted?.reason ?? null;
  return breaches === 0 && due === null
    ? undefined
    : { key, breaches, due, mutedBy: muted?.by ?? null };
}

export function encodeDecision(
  { threshold, thresholdMax, thresholdType, numConsecutiveWindows }: AlertDefinition,
  maintenanceId: string | undefined,
  groups: readonly GroupDecision[],
): string | undefined {
  return groups.length === 0
    ? undefined
    : JSON.stringify({
        threshold,
        thresholdMax,
        thresholdType,
        needed: numConsecutiveWindows,
        maintenanceId,
        groups: groups.map(({ key, breaches, due, mutedBy }): StoredGroup => [
          key,
          breaches,
          due,
          mutedBy,
        ]),
      });
}

export function decodeDecision(text: string): Decision {
  const { groups, ...rest } = JSON.parse(text) as Omit<Decision, 'groups'> & {
    groups: StoredGroup[];
  };
  return {
    ...rest,
    groups: groups.map(([key, breaches, due, mutedBy]) => ({ key, breaches, due, mutedBy })),
  };
}
