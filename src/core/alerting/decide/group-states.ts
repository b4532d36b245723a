import type { AlertState } from '../../../contract/alert/alert.ts';
import type { GroupState } from './step.ts';

/** A group's state as it is stored: one short list. */
type StoredGroup = [
  key: string,
  state: AlertState,
  sinceMs: number,
  breaches: number,
  incidentMs: number | null,
  announced: 0 | 1,
  notifiedMs: number | null,
  lastDataMs: number | null,
  notifiedWebhookIds: readonly string[],
  hiddenBy?: 'silence' | 'maintenance',
];

/** As earlier releases stored it: without the notified webhooks. */
type OlderStoredGroup = StoredGroup extends [...infer Before, unknown, unknown?] ? Before : never;

export function encodeGroups(groups: ReadonlyMap<string, GroupState>): string {
  if (groups.size === 0) {
    return '[]';
  }
  return JSON.stringify(
    Array.from(groups, ([key, group]): StoredGroup => [
      key,
      group.state,
      group.sinceMs,
      group.breaches,
      group.incidentMs,
      group.announced ? 1 : 0,
      group.notifiedMs,
      group.lastDataMs,
      group.notifiedWebhookIds,
      ...(group.hiddenBy === undefined ? ([] as const) : ([group.hiddenBy] as const)),
    ]),
  );
}

export function decodeGroups(text: string): Map<string, GroupState> {
  if (text === '[]') {
    return new Map();
  }
  return new Map(
    (JSON.parse(text) as (StoredGroup | OlderStoredGroup)[]).map(
      ([
        key,
        state,
        sinceMs,
        breaches,
        incidentMs,
        announced,
        notifiedMs,
        lastDataMs,
        notifiedWebhookIds = [],
        hiddenBy,
      ]) => [
        key,
        {
          state,
          sinceMs,
          breaches,
          incidentMs,
          announced: announced === 1,
          notifiedMs,
          lastDataMs,
          notifiedWebhookIds,
          ...(hiddenBy !== undefined && { hiddenBy }),
        },
      ],
    ),
  );
}
