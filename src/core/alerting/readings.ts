import type { Reading } from './step.ts';
import type { Question } from './question.ts';

/** More groups than this are not followed: an explicit error, and bounded memory. */
export const groupsMax = 1000;

/** What one alert read in one window, by JSON of its group's values; an alert without groups has the one group `[]`. */
export interface Answer {
  readings: Map<string, Reading>;
  /** There were more than `groupsMax` groups; `readings` is empty. */
  tooManyGroups: boolean;
  rowsRead: number;
  durationMs: number;
}

export const noReading: Reading = { kind: 'none' };

/**
 * A value as a reading. `rows`: whether any row was there, so that a NULL or NaN (rows without a value) is told from no data at all; undefined
 * where that is not known.
 */
export function readingOf(value: number | null | undefined, rows: boolean | undefined): Reading {
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'value', value };
  return rows === true ? { kind: 'undecided' } : noReading;
}

/** The value of a row with the series of `question`, and whether anything was there. */
export function rowReading({ value, counts }: Question, values: readonly (number | null)[]): Reading {
  const filled = values.map((one, index) => one ?? (counts[index] === true ? 0 : null));
  if (value === 'last') return readingOf(values.at(-1), undefined);
  if (values.every((one) => one === null)) return noReading;
  const [first = null, second = null] = filled;
  return readingOf(first === null || second === null || second === 0 ? null : first / second, true);
}
