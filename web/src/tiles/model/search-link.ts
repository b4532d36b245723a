import type { Source } from '../../api/queries/sources.ts';
import { groupFieldsOf, type ValueConfig } from './requests.ts';
import { writeFilters } from '../../view/filters.ts';
import type { Span } from '../../view/time-range.ts';

/** The rows behind a value: those of its series and group, in its time. Metrics have no rows. */
export function searchOfValue(
  config: ValueConfig,
  kind: Source['kind'],
  { series, group, span }: { series: number; group: readonly string[]; span: Span },
) {
  const one = config.select[series] ?? config.select[0];
  if (kind === 'metric' || !one) {
    return undefined;
  }
  const filters = groupFieldsOf(config).flatMap((field, index) => {
    const value = group[index];
    return value === undefined ? [] : [{ field, op: 'is' as const, values: [value] }];
  });
  return {
    source: config.sourceId,
    from: Math.floor(span.startMs),
    to: Math.ceil(span.endMs),
    ...(one.where && { q: one.where }),
    ...(one.whereLanguage === 'sql' && { lang: 'sql' as const }),
    ...(filters.length > 0 && { filters: writeFilters(filters) }),
  };
}
