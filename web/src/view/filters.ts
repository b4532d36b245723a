/** A test of one field, beside the query text. */
export interface FieldFilter {
  field: string;
  op: 'is' | 'is_not' | 'exists' | 'not_exists' | 'between';
  values?: string[];
  min?: string;
  max?: string;
}

/** A condition in a query language, as saved searches may have them. */
export interface ConditionFilter {
  op: 'lucene' | 'sql';
  condition: string;
  field?: undefined;
  values?: undefined;
}

export type Filter = FieldFilter | ConditionFilter;

const isCondition = (filter: Filter): filter is ConditionFilter => filter.field === undefined;

const filtersMax = 50;

const ops: Record<FieldFilter['op'], string> = {
  is: 'is',
  is_not: 'is not',
  exists: 'exists',
  not_exists: 'does not exist',
  between: 'between',
};

/** `ServiceName is checkout or payment` */
export function filterLabel(filter: Filter): string {
  if (isCondition(filter)) {
    return filter.condition;
  }
  const { field, op, values, min, max } = filter;
  if (op === 'between') {
    const low = min === undefined ? '' : `≥ ${min}`;
    const high = max === undefined ? '' : `≤ ${max}`;
    return `${field} ${[low, high].filter(Boolean).join(' and ')}`;
  }
  const list = (values ?? []).map((value) => (value === '' ? '(empty)' : value)).join(' or ');
  return `${field} ${ops[op]}${list === '' ? '' : ` ${list}`}`;
}

/**
 * Text of filters in a URL: `is|ServiceName|checkout|payment,exists|LogAttributes.error`. Within a
 * part, `~` stands before an escaped separator.
 */
export function writeFilters(filters: readonly Filter[]): string {
  return filters.map((filter) => partsOf(filter).map(escapePart).join('|')).join(',');
}

function partsOf(filter: Filter): string[] {
  if (isCondition(filter)) {
    return [filter.op, filter.condition];
  }
  const { field, op, values = [], min, max } = filter;
  return [op, field, ...(op === 'between' ? [min ?? '', max ?? ''] : values)];
}

/** Filters of a URL, or undefined if there are none or the text is broken. */
export function readFilters(text: string): Filter[] | undefined {
  const filters = text.split(',').map(readFilter);
  const found = filters.filter((filter) => filter !== undefined);
  const isWhole = found.length === filters.length && found.length <= filtersMax;
  return isWhole ? found : undefined;
}

function readFilter(text: string): Filter | undefined {
  const [op, field, ...values] = text.split('|').map(unescapePart);
  if (field === undefined || field === '' || op === undefined) {
    return undefined;
  }
  if (op === 'lucene' || op === 'sql') {
    return values.length === 0 ? { op, condition: field } : undefined;
  }
  if (!Object.hasOwn(ops, op)) {
    return undefined;
  }
  const known = op as FieldFilter['op'];
  if (known === 'between') {
    const [min, max] = values;
    return {
      field,
      op: known,
      ...(min !== undefined && min !== '' && { min }),
      ...(max !== undefined && max !== '' && { max }),
    };
  }
  if (known === 'exists' || known === 'not_exists') {
    return { field, op: known };
  }
  return values.length > 0 && values.length <= 100 ? { field, op: known, values } : undefined;
}

const escapePart = (text: string): string =>
  text.replaceAll('~', '~0').replaceAll(',', '~1').replaceAll('|', '~2');
const unescapePart = (text: string): string =>
  text.replaceAll('~2', '|').replaceAll('~1', ',').replaceAll('~0', '~');

/**
 * Adds a test of one value. A value that the opposite filter has is taken out of it; values of one
 * field are alternatives of one filter.
 */
export function withValue(
  filters: readonly Filter[],
  op: 'is' | 'is_not',
  field: string,
  value: string,
): Filter[] {
  const others = filters
    .map((filter): Filter =>
      !isCondition(filter) && filter.field === field && filter.op !== op
        ? { ...filter, values: filter.values?.filter((one) => one !== value) ?? [] }
        : filter,
    )
    .filter((filter) => filter.values === undefined || filter.values.length > 0);
  const same = others.find(
    (filter): filter is FieldFilter => filter.field === field && filter.op === op,
  );
  if (!same) {
    return [...others, { field, op, values: [value] }];
  }
  const values = [...new Set([...(same.values ?? []), value])];
  return others.map((filter) => (filter === same ? { ...filter, values } : filter));
}

/** Takes a value out of a filter; the last value takes the filter with it. */
export function withoutValue(filters: readonly Filter[], field: string, value: string): Filter[] {
  return filters
    .map((filter): Filter =>
      !isCondition(filter) && filter.field === field && filter.values
        ? { ...filter, values: filter.values.filter((one) => one !== value) }
        : filter,
    )
    .filter((filter) => filter.values === undefined || filter.values.length > 0);
}
