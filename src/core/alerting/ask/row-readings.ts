import type { Value } from '../../../ports/telemetry.ts';
import type { Measure, Plan, Scan } from '../../query/index.ts';
import { noReading, type Reading } from '../decide/readings.ts';
import type { Question } from './question.ts';

/**
 * Adds a count of rows to every series that does not count rows itself, so that a missing value among
 * rows can be told from no rows. The count of series `n` is series `seriesCount + n`.
 */
export function withRowCounts(plan: Plan): Plan {
  return {
    ...plan,
    seriesCount: 2 * plan.seriesCount,
    scans: plan.scans.map((scan) => ({
      ...scan,
      measures: countedMeasures(scan.kind, scan.measures, plan.seriesCount),
    })),
  };
}

/** The measures, each followed by its count of rows unless it counts rows itself. */
export function countedMeasures(
  kind: Scan['kind'],
  measures: readonly Measure[],
  seriesCount: number,
): Measure[] {
  return measures.flatMap((measure) =>
    kind === 'rows' && countsRows(measure)
      ? [measure]
      : [
          measure,
          {
            series: seriesCount + measure.series,
            aggregate: { fn: 'rows' as const, operand: undefined, level: 0 },
            condition: measure.condition,
          },
        ],
  );
}

const countsRows = ({ aggregate }: Measure): boolean =>
  aggregate.fn === 'count' && aggregate.operand === undefined;

const isCount = ({ aggregate: { fn } }: Measure): boolean =>
  fn === 'count' || fn === 'count_distinct';

/** Reads the value of a measure of rows in column `column`, and the count of rows that follows it. */
export function valueReading(measure: Measure, row: readonly Value[], column: number): Reading {
  const value = numberOrNull(row[column]);
  const rows = countsRows(measure) ? value : numberOrNull(row[column + 1]);
  return readingOf(value, rows, isCount(measure));
}

const numberOrNull = (value: Value | undefined): number | null =>
  typeof value === 'number' ? value : null;

/** Reads a row that has the values of all series of `question`, then their counts of rows. */
export function rowReading(
  { value, counts }: Question,
  values: readonly (number | null)[],
): Reading {
  const series = counts.map((isCounted, index) => {
    const own = values[index] ?? null;
    const rows = values[counts.length + index] ?? (isCounted ? own : null);
    return { own, rows, isCounted };
  });
  const [first, second] = series;
  if (value === 'last' || !first || !second) {
    const last = series.at(-1);
    return readingOf(last?.own ?? null, last?.rows ?? null, last?.isCounted === true);
  }
  if (series.every(({ rows }) => rows === null || rows === 0)) {
    return noReading;
  }
  const [dividend, divisor] = [first, second].map(
    ({ own, isCounted }) => own ?? (isCounted ? 0 : null),
  );
  return readingOf(dividend == null || !divisor ? null : dividend / divisor, 1, false);
}

/** The count of no values among rows is 0; any other missing value decides nothing. */
function readingOf(value: number | null, rows: number | null, isCounted: boolean): Reading {
  if (rows === null || rows === 0) {
    return noReading;
  }
  if (value === null && isCounted) {
    return { kind: 'value', value: 0 };
  }
  return value !== null && Number.isFinite(value)
    ? { kind: 'value', value }
    : { kind: 'undecided' };
}
