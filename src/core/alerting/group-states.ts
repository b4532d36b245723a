import type { AlertState, GroupState } from './step.ts';

/** States of groups as they are kept: one short list a group. */
type Kept = [
  key: string,
  state: AlertState,
  sinceMs: number,
  breaches: number,
  incidentMs: number | null,
  announced: 0 | 1,
  notifiedMs: number | null,
  lastDataMs: number | null,
  told: readonly string[],
];

/** As an earlier release kept them. */
type BeforeTold = Kept extends [...infer Before, unknown] ? Before : never;

export function encodeGroups(groups: ReadonlyMap<string, GroupState>): string {
  if (groups.size === 0) {
    return '[]';
  }
  return JSON.stringify(
    Array.from(groups, ([key, group]): Kept => [
      key,
      group.state,
      group.sinceMs,
      group.breaches,
      group.incidentMs,
      group.announced ? 1 : 0,
      group.notifiedMs,
      group.lastDataMs,
      group.told,
    ]),
  );
}

export function decodeGroups(text: string): Map<string, GroupState> {
  if (text === '[]') {
    return new Map();
  }
  return new Map(
    (JSON.parse(text) as (Kept | BeforeTold)[]).map(
      ([
        key,
        state,
        sinceMs,
        breaches,
        incidentMs,
        announced,
        notifiedMs,
        lastDataMs,
        told = [],
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
          told,
        },
      ],
    ),
  );
}
