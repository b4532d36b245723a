import { describe, expect, it } from 'vitest';
import { confirmWord } from './confirm-word.ts';

describe('confirmWord', () => {
  it.each(['Orders', 'orders of the shop', 'Bestellungen-2', 'été'])('is the name %s', (name) => {
    expect(confirmWord({ name }, 'delete')).toBe(name);
  });

  it.each([' orders', 'two  spaces', '<b>bold</b>', 'a'.repeat(41), '', 'tab\there', 'x\u202Ey'])(
    'is the action instead of %j',
    (name) => {
      expect(confirmWord({ name }, 'delete')).toBe('delete');
    },
  );
});
