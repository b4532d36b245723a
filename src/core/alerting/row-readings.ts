import type { Value } from '../../ports/telemetry.ts';
import type { Scan } from '../query/index.ts';
import { noReading, readingOf } from './readings.ts';
import type { Reading } from './step.ts';

/** A count of rows beside every value that is not one itself: NULL over rows is not the same as no rows. */
export function withRows(readings: Scan['readings']): Scan['readings'] {
  return readings.flatMap((reading) =>
    isCount(reading)
      ? [reading]
      : [
          reading,
          { ...reading, aggregate: { fn: 'count' as const, operand: undefined, level: 0 } },
        ],
  );
}

const isCount = ({ aggregate }: Scan['readings'][number]): boolean =>
  aggregate.fn === 'count' || aggregate.fn === 'count_distinct';

/** From `at` on the row has the value and, unless it counts, the number of rows. */
export function valueReading(counts: boolean, row: readonly Value[], at: number): Reading {
  const value = row[at];
  const rows = row[at + 1];
  if (counts) {
    return typeof value === 'number' && value > 0 ? { kind: 'value', value } : noReading;
  }
  return readingOf(typeof value === 'number' ? value : null, typeof rows === 'number' && rows > 0);
}
