import type { Reading } from './step.ts';
import type { Question } from './question.ts';

/** More groups than this are not followed: an explicit error, and bounded memory. */
export const groupsMax = 1000;

/** What one alert read in one window: a reading where it has no groups, else one of each of them. */
export type Answer = Reading | Groups | typeof tooManyGroups;

export interface Groups {
  kind: 'groups';
  /** By JSON of the group's values. */
  readings: Map<string, Reading>;
}

/** There were more than `groupsMax` groups. */
export const tooManyGroups = { kind: 'too_many_groups' } as const;

/** What one query told, in the order of the alerts that it was asked for. */
export interface Answers {
  of: readonly Answer[];
  /** Rows the engine read, shared out over the alerts. */
  rowsRead: number;
  durationMs: number;
}

export const noReading: Reading = { kind: 'none' };

/** Key of the one group of an alert without groups. */
export const ungrouped = '[]';

/** By JSON of the group's values; an alert without groups has the one group `[]`. None where there were too many. */
export function readingsOf(answer: Answer): ReadonlyMap<string, Reading> {
  if (answer.kind === 'groups') {
    return answer.readings;
  }
  return answer.kind === 'too_many_groups' ? new Map() : new Map([[ungrouped, answer]]);
}

/** What is read where no row is there. */
export function emptyAnswer(groupBy: string): Reading | Groups {
  return groupBy === '' ? noReading : { kind: 'groups', readings: new Map() };
}

/**
 * A value as a reading. `rows`: whether any row was there, so that a NULL or NaN (rows without a value) is told from no data at all; undefined
 * where that is not known.
 */
export function readingOf(value: number | null | undefined, rows: boolean | undefined): Reading {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { kind: 'value', value };
  }
  return rows === true ? { kind: 'undecided' } : noReading;
}

/** The value of a row with the series of `question`, and whether anything was there. */
export function rowReading(
  { value, counts }: Question,
  values: readonly (number | null)[],
): Reading {
  const filled = values.map((one, index) => one ?? (counts[index] === true ? 0 : null));
  if (value === 'last') {
    return readingOf(values.at(-1), undefined);
  }
  if (values.every((one) => one === null)) {
    return noReading;
  }
  const [first = null, second = null] = filled;
  return readingOf(first === null || second === null || second === 0 ? null : first / second, true);
}
