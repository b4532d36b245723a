import { describe, expect, it } from 'vitest';
import type { Tile } from '../../../api/queries/dashboards.ts';
import { duplicateTile, pasteTiles, removeTile, tilesOfText } from './edits.ts';
import { bodyOf, draftOf, freshId } from './use-draft.ts';

const tile = (id: string, x: number, y: number): Tile => ({
  id,
  name: id,
  x,
  y,
  w: 12,
  h: 4,
  config: { displayType: 'markdown', markdown: id },
});

describe('edits of a dashboard', () => {
  it('puts a copy beside its tile, or below if there is no room', () => {
    const beside = duplicateTile('a', 'copy')([tile('a', 0, 0), tile('b', 0, 4)]);
    expect(beside.at(-1)).toMatchObject({ id: 'copy', x: 12, y: 0 });
    const below = duplicateTile('a', 'copy')([tile('a', 12, 0)]);
    expect(below.at(-1)).toMatchObject({ id: 'copy', x: 12, y: 4 });
  });

  it('pastes what was copied, with another id', () => {
    const copied = tilesOfText(JSON.stringify(tile('a', 3, 7)));
    const [, made] = pasteTiles(copied ?? [])([tile('b', 0, 0)]);
    expect(made).toMatchObject({ name: 'a', x: 3, y: 4 });
    expect(made?.id).not.toBe('a');
  });

  it.each(['text', '{}', '[]', '[{"x":1}]', 'null', '{"x":0,"y":0,"w":1,"h":1}'])(
    'pastes nothing of %s',
    (text) => expect(tilesOfText(text)).toBeUndefined(),
  );

  it('closes the gap of a removed tile', () => {
    const left = removeTile('a')([tile('a', 0, 0), tile('b', 0, 4)]);
    expect(left).toEqual([tile('b', 0, 0)]);
  });

  it('leaves the ids of new tiles to the server', () => {
    const id = 'f'.repeat(24);
    const draft = draftOf({
      id,
      name: 'x',
      tags: [],
      filters: [],
      savedQuery: '',
      savedQueryLanguage: 'lucene',
      createdAt: '',
      updatedAt: '',
      tiles: [tile(freshId(), 0, 4), tile(id, 0, 0)],
    });
    const [first, second] = bodyOf(draft).tiles ?? [];
    expect(first).toHaveProperty('id', id);
    expect(second).not.toHaveProperty('id');
  });
});
