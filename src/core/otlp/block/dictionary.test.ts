import { expect, test } from 'vitest';
import { BlockMemory } from './block-memory.ts';
import { Dictionary } from './dictionary.ts';

const find = (dictionary: Dictionary, text: string): number => {
  const bytes = Buffer.from(`<${text}>`);
  return dictionary.indexOf(bytes, 1, bytes.length - 1);
};

/** Its texts in their order. */
function textsOf({ texts: { buffer, pos } }: Dictionary): string[] {
  const texts: string[] = [];
  for (let at = 0; at < pos;) {
    const length = buffer[at]!;
    texts.push(buffer.toString('utf8', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return texts;
}

test('a text has the number under which it was listed first', () => {
  const dictionary = new Dictionary(new BlockMemory());
  const texts = Array.from({ length: 70_000 }, (_, index) => `kéy.${(index * 7919) % 70_000}`);
  const numbers = texts.map((text) => find(dictionary, text));
  expect(texts.map((text) => find(dictionary, text))).toEqual(numbers);
  const listed = textsOf(dictionary);
  expect(numbers.map((number) => listed[number])).toEqual(texts);
});

test('invalid UTF-8 becomes U+FFFD, once in the list', () => {
  const dictionary = new Dictionary(new BlockMemory());
  const broken = Buffer.of(0x61, 0xff, 0xc3);
  const numbers = [1, 2].map(() => dictionary.indexOf(broken, 0, broken.length));
  expect([...numbers, find(dictionary, 'a\uFFFD\uFFFD')]).toEqual([0, 0, 0]);
  expect(textsOf(dictionary)).toEqual(['a\uFFFD\uFFFD']);
});

test('texts chosen to collide keep their numbers or are listed again', () => {
  const dictionary = new Dictionary(new BlockMemory());
  const texts: string[] = [];
  for (let index = 0; texts.length < 200; index++) {
    if ((hashOf(String(index)) & 0x3ff) === 0) {
      texts.push(String(index));
    }
  }
  const numbers = [...texts, ...texts].map((text) => find(dictionary, text));
  const listed = textsOf(dictionary);
  expect(numbers.map((number) => listed[number])).toEqual([...texts, ...texts]);
  expect(listed.length).toBeGreaterThan(texts.length);
});

test('a dictionary that starts again is empty, with its memory kept or not', () => {
  const dictionary = new Dictionary(new BlockMemory());
  for (const release of [false, true]) {
    for (let index = 0; index < 1000; index++) {
      find(dictionary, `k${index}`);
    }
    dictionary.reset(release);
    dictionary.texts.reset(release);
    expect([find(dictionary, 'k7'), find(dictionary, 'k5'), find(dictionary, 'k7')]).toEqual([
      0, 1, 0,
    ]);
    expect(dictionary.size).toBe(2);
    dictionary.reset(release);
    dictionary.texts.reset(release);
  }
});

/** The dictionary's own hash, to find texts that collide. */
function hashOf(text: string): number {
  let hash = -2128831035;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, 16777619);
  }
  return hash ^ (hash >>> 15);
}
