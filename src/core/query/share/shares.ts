import type { TimeRange } from '../plan/bucket.ts';
import { scannedRows } from '../plan/plan-series.ts';
import type { Scan } from '../plan/plan.ts';
import { rollupFor } from '../plan/rollup.ts';
import { grouped } from './grouped.ts';

/** A scan over one range that somebody waits for. */
export interface Asked {
  scan: Scan;
  range: TimeRange;
}

/** Scans with the same keys as one, and the scans that it stands for, in order of its measures. */
export interface MergedScan<T extends Asked> {
  scan: Scan;
  members: T[];
}

/**
 * Maximum number of statements of one round for the same rows. A request with a limit needs two
 * rounds, and some counts come from the rollup: a batch over one log source and range needs at most
 * ten.
 */
const statementsMax = { rows: 3, rollup: 2 };

/**
 * Maximum number of measures of one scan of gauges. Every point passes all of them, and most charts
 * of gauges have a metric of their own.
 */
const gaugesMax = 10;

/** Divides scans into shares, each of which can be one statement. */
export function sharesOf<T extends Asked>(asked: readonly T[]): T[][] {
  const byRows = [...grouped(asked, rowsOf).values()];
  return byRows.flatMap((scans) => {
    const byKeys = [...grouped(scans, ({ scan }) => keysOf(scan)).values()];
    const [first] = scans;
    if (!first || first.scan.kind !== 'rows') {
      return byKeys.flatMap((alike) => (first?.scan.kind === 'gauge' ? limited(alike) : [alike]));
    }
    const max = rollupFor(first.scan, first.range) ? statementsMax.rollup : statementsMax.rows;
    return dealt(byKeys, max);
  });
}

/** Merges the scans of a share that have the same groups and buckets. */
export function mergedScans<T extends Asked>(share: readonly T[]): MergedScan<T>[] {
  return [...grouped(share, ({ scan }) => keysOf(scan)).values()].map((members) => {
    const { scan } = members[0]!;
    const measures = members.flatMap((member) => member.scan.measures);
    return { scan: { ...scan, measures }, members };
  });
}

/** Names the rows that a scan reads: table, range, and whatever its kind needs besides. */
function rowsOf({ scan, range }: Asked): string {
  const rollup = scan.kind === 'rows' && rollupFor(scan, range) !== undefined;
  return JSON.stringify([scannedRows(scan), range, rollup]);
}

const keysOf = ({ bucketMs, groups }: Scan): string => JSON.stringify([bucketMs, groups]);

function limited<T extends Asked>(alike: readonly T[]): T[][] {
  const shares: T[][] = [];
  let measures = 0;
  for (const one of alike) {
    const last = shares.at(-1);
    if (last && measures + one.scan.measures.length <= gaugesMax) {
      last.push(one);
      measures += one.scan.measures.length;
    } else {
      shares.push([one]);
      measures = one.scan.measures.length;
    }
  }
  return shares;
}

/** At most `max` shares, with about as many groupings in each. */
function dealt<T>(lists: readonly T[][], max: number): T[][] {
  const shares = Array.from({ length: Math.min(max, lists.length) }, (): T[] => []);
  lists.forEach((list, index) => shares[index % shares.length]!.push(...list));
  return shares;
}
