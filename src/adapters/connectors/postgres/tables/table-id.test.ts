import { expect, it } from 'vitest';
import { parseTableId, tableId } from './table-id.ts';

it.each([
  ['public', 'orders', 'public.orders'],
  ['Public', 'Größe 1', 'Public.Größe 1'],
  ['a.b', 'c', '"a.b".c'],
  ['a', 'b.c', 'a."b.c"'],
  ['q"', '".', '"q"""."""."'],
])('the table %s %s is %s', (schema, table, id) => {
  expect(tableId({ schema, table })).toBe(id);
  expect(parseTableId(id)).toEqual({ schema, table });
});

it.each(['orders', 'a.b.c', '.orders', '', 'a."b'])('%s is no table', (id) => {
  expect(parseTableId(id)).toBeUndefined();
});
