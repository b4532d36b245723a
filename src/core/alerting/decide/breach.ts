import type { ThresholdType } from '../../../contract/alert/alert.ts';

/** Whether a value breaches the threshold: one entry for each threshold type. */
const comparisons = {
  above: (value, threshold) => value >= threshold,
  below: (value, threshold) => value < threshold,
  above_exclusive: (value, threshold) => value > threshold,
  below_or_equal: (value, threshold) => value <= threshold,
  equal: (value, threshold) => value === threshold,
  not_equal: (value, threshold) => value !== threshold,
  between: (value, threshold, thresholdMax) => value >= threshold && value <= thresholdMax,
  not_between: (value, threshold, thresholdMax) => value < threshold || value > thresholdMax,
} as const satisfies Record<
  ThresholdType,
  (value: number, threshold: number, thresholdMax: number) => boolean
>;

export interface Threshold {
  thresholdType: ThresholdType;
  threshold: number;
  /** Upper bound of `between` and `not_between`, inclusive. */
  thresholdMax: number | null;
}

export function breaches(
  value: number,
  { thresholdType, threshold, thresholdMax }: Threshold,
): boolean {
  return comparisons[thresholdType](value, threshold, thresholdMax ?? threshold);
}

const phrases: Record<ThresholdType, string> = {
  above: 'at or above',
  below: 'below',
  above_exclusive: 'above',
  below_or_equal: 'at or below',
  equal: 'equal to',
  not_equal: 'other than',
  between: 'between',
  not_between: 'outside',
};

/** `at or above 10`, `between 1 and 5`. */
export function thresholdPhrase({ thresholdType, threshold, thresholdMax }: Threshold): string {
  const range = thresholdType === 'between' || thresholdType === 'not_between';
  return `${phrases[thresholdType]} ${threshold}${range ? ` and ${thresholdMax ?? threshold}` : ''}`;
}
