import type { ValueBand } from '../charts/uplot-options.ts';
import type { Alert } from '../api/queries/alerts.ts';

type Threshold = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>;

/** Where a chart draws the threshold. */
export function thresholdLines({ threshold, thresholdMax }: Threshold): number[] {
  return thresholdMax === undefined ? [threshold] : [threshold, thresholdMax];
}

/** Values that breach the threshold. A single value has no breadth: its line says enough. */
export function breachBands({ threshold, thresholdMax, thresholdType }: Threshold): ValueBand[] {
  const max = thresholdMax ?? threshold;
  switch (thresholdType) {
    case 'above':
    case 'above_exclusive':
      return [{ low: threshold, high: Infinity }];
    case 'below':
    case 'below_or_equal':
      return [{ low: -Infinity, high: threshold }];
    case 'between':
      return [{ low: threshold, high: max }];
    case 'not_between':
      return [
        { low: -Infinity, high: threshold },
        { low: max, high: Infinity },
      ];
    case 'equal':
    case 'not_equal':
      return [];
  }
}
