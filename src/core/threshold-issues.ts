import type { ThresholdType } from '../contract/alert/alert.ts';
import type { Issue } from '../contract/errors.ts';

/** What is wrong with the thresholds of an alert, whether it is stored or only tried. */
export function thresholdIssues({
  thresholdType,
  threshold,
  thresholdMax,
}: {
  thresholdType: ThresholdType;
  threshold: number;
  thresholdMax?: number | null | undefined;
}): Issue[] {
  if (!takesMax(thresholdType)) {
    return thresholdMax == null
      ? []
      : [
          {
            path: 'thresholdMax',
            message: 'is only allowed with thresholdType between or not_between',
          },
        ];
  }
  if (thresholdMax == null) {
    return [{ path: 'thresholdMax', message: `is required for ${thresholdType}` }];
  }
  return thresholdMax < threshold
    ? [{ path: 'thresholdMax', message: 'must not be less than threshold' }]
    : [];
}

/** Whether it has an upper end as well. */
export const takesMax = (type: ThresholdType): boolean =>
  type === 'between' || type === 'not_between';
