import { useCallback } from 'react';
import { formatValue } from '../view/value-format.ts';
import type { ValueConfig } from './model/requests.ts';

/** How values are written. The function stays the same as long as the format says the same. */
export function useFormat(numberFormat: ValueConfig['numberFormat']): (value: number) => string {
  return useCallback(
    (value: number) => formatValue(value, numberFormat),
    [JSON.stringify(numberFormat)],
  );
}
