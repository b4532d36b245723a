import type { Value } from '../../../ports/telemetry.ts';
import type { Scan } from '../../query/index.ts';
import { noReading, type Reading } from '../decide/readings.ts';
import type { Question } from './question.ts';

/**
 * Adds a row count to every measure that is not a count itself, so that a NULL over rows can be
 * told from no rows.
 */
export function withRowCounts(measures: Scan['measures']): Scan['measures'] {
  return measures.flatMap((measure) =>
    isCount(measure)
      ? [measure]
      : [
          measure,
          { ...measure, aggregate: { fn: 'count' as const, operand: undefined, level: 0 } },
        ],
  );
}

const isCount = ({ aggregate }: Scan['measures'][number]): boolean =>
  aggregate.fn === 'count' || aggregate.fn === 'count_distinct';

/** Reads the value in column `column` and, unless it is a count, the row count that follows it. */
export function valueReading(counts: boolean, row: readonly Value[], column: number): Reading {
  const value = row[column];
  const rows = row[column + 1];
  if (counts) {
    return typeof value === 'number' && value > 0 ? { kind: 'value', value } : noReading;
  }
  return readingOf(typeof value === 'number' ? value : null, typeof rows === 'number' && rows > 0);
}

/** Reads a row that has the values of all series of `question`. */
export function rowReading(
  { value, counts }: Question,
  values: readonly (number | null)[],
): Reading {
  if (value === 'last') {
    return readingOf(values.at(-1), undefined);
  }
  if (values.every((one) => one === null)) {
    return noReading;
  }
  const filled = values.map((one, index) => one ?? (counts[index] === true ? 0 : null));
  const [first = null, second = null] = filled;
  return readingOf(first === null || second === null || second === 0 ? null : first / second, true);
}

/**
 * A value as a reading.
 *
 * @param hasRows whether the window has rows; undefined if unknown. With rows, a NULL or NaN is
 *   `undecided` rather than `none`.
 */
function readingOf(value: number | null | undefined, hasRows: boolean | undefined): Reading {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { kind: 'value', value };
  }
  return hasRows === true ? { kind: 'undecided' } : noReading;
}
