import { expect, it } from 'vitest';
import { differences } from './differences.ts';
import type { DraftDashboard } from './use-draft.ts';

const before: DraftDashboard = {
  name: 'Shop',
  tags: [],
  filters: [],
  savedQuery: '',
  savedQueryLanguage: 'lucene',
  tiles: ['a', 'b', 'c'].map((id, index) => ({
    id,
    name: id.toUpperCase(),
    x: 0,
    y: index * 4,
    w: 12,
    h: 4,
    config: { displayType: 'markdown', markdown: id },
  })),
};

it('names what was changed, moved, added and removed', () => {
  const [a, b] = before.tiles;
  const after: DraftDashboard = {
    ...before,
    name: 'Store',
    tiles: [
      { ...a!, w: 24 },
      { ...b!, config: { displayType: 'markdown', markdown: 'new' } },
      { ...b!, id: 'd', name: '' },
    ],
  };
  expect(differences(before, after)).toEqual([
    'Name: Store',
    'Tile moved: A',
    'Tile changed: B',
    'Tile added: Untitled',
    'Tile removed: C',
  ]);
  expect(differences(before, before)).toEqual(['Nothing.']);
});
