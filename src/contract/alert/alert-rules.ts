import type { ThresholdType } from './alert.ts';
import type { Issue } from '../errors.ts';

/** The mistakes in the thresholds of an alert or a preview. */
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

/** Whether the type has an upper bound. */
export const takesMax = (type: ThresholdType): boolean =>
  type === 'between' || type === 'not_between';

/** Whether the alert is silenced until a time in the future, or without an end. */
export function isSilenced(
  { silenced, silencedUntilMs }: { silenced: boolean; silencedUntilMs: number | null },
  nowMs: number,
): boolean {
  return silencedUntilMs === null ? silenced : nowMs < silencedUntilMs;
}

/** Why an alert cannot be evaluated as it is; undefined if it names its query. */
export function incompleteAlert(alert: {
  source: string;
  dashboardId?: string | undefined;
  tileId?: string | undefined;
  savedSearchId?: string | undefined;
}): string | undefined {
  const missing = missingFields(alert);
  return missing === undefined
    ? undefined
    : `cannot be evaluated because ${missing} is missing. Set ${missing}`;
}

function missingFields({
  source,
  dashboardId,
  tileId,
  savedSearchId,
}: Parameters<typeof incompleteAlert>[0]): string | undefined {
  if (source === 'search') {
    return savedSearchId === undefined ? 'savedSearchId' : undefined;
  }
  if (dashboardId === undefined) {
    return 'dashboardId and tileId';
  }
  return tileId === undefined ? 'tileId' : undefined;
}
