import type { Filter } from '../view/filters.ts';
import type { Schemas } from './client.ts';

/** A filter as the API takes it. */
export function apiFilter(filter: Filter): Schemas['Filter'] {
  return filter.field === undefined
    ? { type: filter.op, condition: filter.condition }
    : { type: 'field', ...filter };
}

/** A stored filter as the screen has it. */
export function savedFilter(filter: Schemas['Filter']): Filter {
  if (filter.type === 'field') {
    const { type: _, ...rest } = filter;
    return rest;
  }
  return { op: filter.type, condition: filter.condition };
}
