/**
 * The value of one group in one window. `undecided`: there were rows, but their value is NULL or
 * NaN, which decides nothing. `none`: there were no rows.
 */
export type Reading = { kind: 'value'; value: number } | { kind: 'undecided' } | { kind: 'none' };

/** Maximum number of groups of one alert. It bounds memory; more groups are an error. */
export const groupsMax = 1000;

/** The readings of one alert in one window: one reading if the alert has no groups. */
export type Answer = Reading | Groups | typeof tooManyGroups;

export interface Groups {
  kind: 'groups';
  /** Key: JSON of the group's values. */
  readings: Map<string, Reading>;
}

/** The window has more than `groupsMax` groups. */
export const tooManyGroups = { kind: 'too_many_groups' } as const;

export const tooManyGroupsMessage =
  `groupBy: creates more than ${groupsMax} groups in one window. ` +
  'Narrow the condition, or group by a column with fewer values';

export const noReading: Reading = { kind: 'none' };

/** Key of the only group of an alert without groups. */
export const ungrouped = '[]';

/**
 * Readings by group. The key is the JSON of the group's values; an alert without groups has the one
 * group `[]`. Empty if the answer has too many groups.
 */
export function readingsOf(answer: Answer): ReadonlyMap<string, Reading> {
  if (answer.kind === 'groups') {
    return answer.readings;
  }
  return answer.kind === 'too_many_groups' ? new Map() : new Map([[ungrouped, answer]]);
}

/** The answer of a window without rows. */
export function emptyAnswer(groupBy: string): Reading | Groups {
  return groupBy === '' ? noReading : { kind: 'groups', readings: new Map() };
}
