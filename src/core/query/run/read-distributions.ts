import type { Value } from '../../../ports/telemetry.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { Scan } from '../plan/plan.ts';
import {
  distributionValue,
  explicitHistogram,
  extremesOf,
  summaryHistogram,
  type Distribution,
  type ExponentialBuckets,
} from './distributions.ts';
import type { ScanRow } from './points.ts';
import { key, numbers } from './read-rows.ts';

interface Entry {
  bucketMs: number;
  group: string[];
  distribution: Distribution;
}

/** Rows of `emitExponentialHistogram`: several with different scales may make one scan row. */
export function readExponentialHistograms(
  scan: Scan,
  range: TimeRange,
  rows: readonly Value[][],
): ScanRow[] {
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const { bucketMs, group, rest } = key(scan, range, row);
    const name = `${bucketMs}\0${JSON.stringify(group)}`;
    const part = exponentialPart(rest);
    const entry = entries.get(name);
    if (entry) {
      entry.distribution = together(entry.distribution, part);
    } else {
      entries.set(name, { bucketMs, group, distribution: part });
    }
  }
  return [...entries.values()].map((entry) => scanRow(scan, entry));
}

/** Rows of `emitSummary`. */
export function readSummaries(scan: Scan, range: TimeRange, rows: readonly Value[][]): ScanRow[] {
  return rows.map((row) => {
    const { bucketMs, group, rest } = key(scan, range, row);
    const [count, sum, min, max, series, points, known] = rest;
    const distribution: Distribution = {
      points: Number(points),
      known: Number(known),
      count: Number(count),
      sum: finite(sum),
      min: finite(min),
      max: finite(max),
      histograms: (Array.isArray(series) ? series : []).map((each) => {
        const [weight, levels, values] = each as Value[];
        return summaryHistogram(Number(weight), numbers(levels), numbers(values));
      }),
    };
    return scanRow(scan, { bucketMs, group, distribution });
  });
}

function scanRow(scan: Scan, { bucketMs, group, distribution }: Entry): ScanRow {
  const values = scan.measures.map(({ aggregate }) => distributionValue(distribution, aggregate));
  return { bucketMs, group, values };
}

function exponentialPart(rest: readonly Value[]): Distribution {
  const [scale, positive, negative, zeros, count, sum, ...extremes] = rest;
  const [min, max, unknownMins, unknownMaxes, unrecorded, points] = extremes.map(Number);
  const histogram = explicitHistogram({
    scale: Number(scale),
    zeros: Number(zeros),
    positive: buckets(positive),
    negative: buckets(negative),
  });
  const borders = extremesOf(histogram);
  // The extremes of a cumulative point bound those of its new observations.
  const lowest = unrecorded === 0 ? min! : -Infinity;
  const highest = unrecorded === 0 ? max! : Infinity;
  return {
    points: points ?? 0,
    known: points ?? 0,
    count: Number(count),
    sum: finite(sum),
    min: borders && (unknownMins === 0 ? min! : Math.max(lowest, borders.min)),
    max: borders && (unknownMaxes === 0 ? max! : Math.min(highest, borders.max)),
    histograms: [histogram],
  };
}

function together(left: Distribution, right: Distribution): Distribution {
  const pick = (
    choose: (a: number, b: number) => number,
    a: number | undefined,
    b: number | undefined,
  ): number | undefined => (a === undefined || b === undefined ? (a ?? b) : choose(a, b));
  return {
    points: left.points + right.points,
    known: left.known + right.known,
    count: left.count + right.count,
    sum: pick((a, b) => a + b, left.sum, right.sum),
    min: pick(Math.min, left.min, right.min),
    max: pick(Math.max, left.max, right.max),
    histograms: [...left.histograms, ...right.histograms],
  };
}

function buckets(value: Value | undefined): ExponentialBuckets {
  const [indexes, counts] = Array.isArray(value) ? value : [];
  return { indexes: numbers(indexes), counts: numbers(counts) };
}

const finite = (value: Value | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
