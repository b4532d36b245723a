import { describe, expect, it } from 'vitest';
import { newDraft } from './draft.ts';
import { withProposal } from './proposal.ts';
import {
  columnParts,
  columnPath,
  proposedRows,
  withEmptyRow,
  withKey,
  withRow,
  type ColumnRow,
} from './columns.ts';

const proposal = {
  source: {},
  destination: {
    table: 'orders',
    columns: [
      { name: 'id', type: 'Int64' },
      { name: 'user_name', type: 'String' },
      { name: 'at', type: 'String' },
    ],
  },
  fieldMappings: [
    { sourceField: 'id', destinationField: 'id' },
    { sourceField: 'user.name', destinationField: 'user_name' },
    { sourceField: 'at', destinationField: 'at' },
  ],
};
const rows = proposedRows(proposal);
const keysOf = (of: readonly ColumnRow[]) => of.map(({ name, key }) => [name, key]);

describe('columns of a new pipe', () => {
  it('are sent as they are proposed, if nothing is changed', () => {
    expect(columnParts(rows)).toEqual({
      columns: proposal.destination.columns,
      fieldMappings: proposal.fieldMappings,
      sortingKey: [],
    });
  });

  it('have no mapping if each takes the field of its name', () => {
    const plain = proposedRows({ ...proposal, fieldMappings: [] });
    expect(columnParts(plain).fieldMappings).toEqual([]);
    const renamed = withRow(plain, '1', { name: 'number', field: 'id' });
    expect(columnParts(renamed).fieldMappings[0]).toEqual({
      sourceField: 'id',
      destinationField: 'number',
    });
  });

  it('follow the sample, and so does the table until the person names it', () => {
    const first = { ...newDraft('kafka'), ...withProposal(newDraft('kafka'), 'orders', proposal) };
    expect([first.texts['table'], first.columns]).toEqual(['orders', rows]);
    const other = { ...proposal, destination: { ...proposal.destination, table: 'returns' } };
    expect(withProposal(first, 'returns', other).texts?.['table']).toBe('returns');
    const named = { ...first, texts: { table: 'mine' } };
    expect(withProposal(named, 'returns', other)).not.toHaveProperty('texts');
  });

  it('are left out, and added', () => {
    const changed = withRow(withEmptyRow(withRow(rows, '2', { isIncluded: false })), '4', {
      name: ' note ',
      type: 'String',
    });
    expect(columnParts(changed).columns.map(({ name }) => name)).toEqual(['id', 'at', 'note']);
    expect(columnParts(changed).fieldMappings).toEqual([]);
  });

  it('sort the table in the order in which they were marked', () => {
    const keyed = withKey(withKey(rows, '3', true), '1', true);
    expect(columnParts(keyed).sortingKey).toEqual(['at', 'id']);
    expect(keysOf(withKey(keyed, '3', false))).toEqual([
      ['id', 1],
      ['user_name', 0],
      ['at', 0],
    ]);
    expect(keysOf(withRow(keyed, '3', { isIncluded: false }))).toEqual([
      ['id', 1],
      ['user_name', 0],
      ['at', 0],
    ]);
    expect(keysOf(withKey(keyed, '3', true))).toEqual(keysOf(keyed));
  });

  it('stand in backquotes in the key if their names are no words', () => {
    const odd = withKey(withRow(rows, '1', { name: 'order id`' }), '1', true);
    expect(columnParts(odd).sortingKey).toEqual(['`order id\\``']);
  });

  it('have mistakes of the API at their rows, also behind one that is left out', () => {
    const without = withRow(rows, '1', { isIncluded: false });
    expect(columnPath(without, '0', 'type')).toBe('columns.1.type');
    expect(columnPath(rows, '2', 'sourceField')).toBe('columns.2.field');
    expect(columnPath(rows, '9', 'type')).toBe('columns');
    expect(columnPath(rows, undefined)).toBe('columns');
  });
});
