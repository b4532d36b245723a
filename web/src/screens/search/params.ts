import { param } from '../../view/url-state.ts';
import type { TimeBound } from '../../view/time-range.ts';
import { readFilters } from '../../view/filters.ts';

/** What the URL of the search screen says. Every field is absent if it has its default. */
export interface SearchParams {
  source?: string | undefined;
  q?: string | undefined;
  lang?: 'sql' | undefined;
  /** As `writeFilters` writes them. */
  filters?: string | undefined;
  cols?: string[] | undefined;
  order?: string | undefined;
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
  savedSearchId?: string | undefined;
  live?: true | undefined;
  /** `_id` of the open row. */
  row?: string | undefined;
  tab?: 'attributes' | 'trace' | 'context' | 'json' | undefined;
  /** What the histogram counts by, if not by severity. */
  group?: string | undefined;
  /** The long ones of these parameters, as `packAddress` packs them. */
  c?: string | undefined;
}

/** Characters of all filters; one can have a hundred values. */
const filtersLength = 65_536;

/** Reads the search of a URL. Broken values become undefined: the router keeps what is not named. */
export function readSearchParams(raw: Record<string, unknown>): SearchParams {
  const row = param.text(raw, 'row', 128);
  const filters = param.text(raw, 'filters', filtersLength);
  return {
    source: param.id(raw, 'source'),
    q: param.text(raw, 'q'),
    lang: param.oneOf(raw, 'lang', ['sql']),
    filters: filters !== undefined && readFilters(filters) ? filters : undefined,
    cols: param.list(raw, 'cols'),
    order: param.text(raw, 'order', 2048),
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
    savedSearchId: param.id(raw, 'savedSearchId'),
    live: param.flag(raw, 'live'),
    row: row !== undefined && /^\d+-[0-9a-f]{32}(-\d+)?$/.test(row) ? row : undefined,
    tab: param.oneOf(raw, 'tab', ['attributes', 'trace', 'context', 'json']),
    group: param.text(raw, 'group', 2048),
    c: param.packed(raw, 'c'),
  };
}
