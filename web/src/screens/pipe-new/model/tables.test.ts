import { describe, expect, it } from 'vitest';
import { tableMappings, tableNameOf, tablePath, withoutTable, withTable } from './tables.ts';

const items = {
  id: 'public.items',
  columns: [{ name: 'id', sourceType: 'int4', type: 'Int32', isNullable: false }],
  primaryKey: ['id'],
};

describe('tables of a new pipe', () => {
  it.each([
    ['public.items', { schema: 'public', table: 'items' }],
    ['"a.b"."c ""d"""', { schema: 'a.b', table: 'c "d"' }],
    ['items', undefined],
    ['a.b.c', undefined],
  ])('are read from the text %s', (id, name) => {
    expect(tableNameOf(id)).toEqual(name);
  });

  it('go to a table of their name, and none twice', () => {
    const rows = withTable(withTable(withTable([], items), items), { id: 'shop.items' });
    expect(tableMappings(rows)).toEqual([
      {
        sourceSchemaName: 'public',
        sourceTable: 'items',
        targetTable: 'items',
        tableEngine: 'ReplacingMergeTree',
      },
      {
        sourceSchemaName: 'shop',
        sourceTable: 'items',
        targetTable: 'shop_items',
        tableEngine: 'ReplacingMergeTree',
      },
    ]);
    expect(withoutTable(rows, 'public.items').map(({ id }) => id)).toEqual(['shop.items']);
  });

  it('are sent with their key and without excluded columns', () => {
    const [row] = withTable([], items);
    const changed = { ...row!, sortingKeys: 'id, name', excluded: ['note'] };
    expect(tableMappings([changed])[0]).toMatchObject({
      excludedColumns: ['note'],
      useCustomSortingKey: true,
      sortingKeys: ['id', 'name'],
    });
  });

  it('have mistakes of the API at their fields', () => {
    expect(tablePath('1', 'sortingKeys')).toBe('tables.1.sortingKeys');
    expect(tablePath('1', 'sourceTable')).toBe('tables.1.targetTable');
    expect(tablePath(undefined)).toBe('tables');
  });
});
