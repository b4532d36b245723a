import { describe, expect, it } from 'vitest';
import { RowCounter } from './row-counter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the counter of rows', () => {
  it.each<['csv' | 'ndjson', string, number]>([
    ['csv', '', 0],
    ['csv', 'a,b\r\n', 0],
    ['csv', 'a,b\r\n1,2\r\n', 1],
    ['csv', 'a\r\n"two\nlines"\r\n"say ""hi""\n"\r\n', 2],
    ['csv', '"odd\nname"\r\n1\r\n', 1],
    ['ndjson', '', 0],
    ['ndjson', '{"a":"x\\"\\n"}\n{}\n', 2],
  ])('%s %j has %d rows, however it is cut', (format, text, rows) => {
    const whole = bytes(text);
    for (let cut = 0; cut <= whole.length; cut++) {
      const counter = new RowCounter(format);
      counter.add(whole.subarray(0, cut));
      counter.add(whole.subarray(cut));
      expect(counter.rows).toBe(rows);
    }
  });
});
