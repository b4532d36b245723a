import { expect, test } from 'vitest';
import { createIds } from './ids.ts';

test('object ids are 24 lower-case hex digits, and grow while the clock runs, stands and goes back', () => {
  const clock = {
    nowMs: 1_700_000_000_000,
    now() {
      return this.nowMs;
    },
  };
  const ids = createIds(clock);
  const made: string[] = [];
  for (const stepMs of [0, 1, 0, -5000, 3, 100_000]) {
    clock.nowMs += stepMs;
    for (let count = 0; count < 70_000; count += stepMs === 0 ? 1 : 10_000) {
      made.push(ids.object());
    }
  }
  expect(made.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  expect(made.every((id, index) => index === 0 || id > (made[index - 1] ?? ''))).toBe(true);
});

test('object ids of two processes differ in the same millisecond', () => {
  const clock = { now: () => 1_700_000_000_000 };
  const [one, two] = [createIds(clock), createIds(clock)];
  expect(
    new Set(Array.from({ length: 1000 }, () => [one.object(), two.object()]).flat()).size,
  ).toBe(2000);
});

test('uuids are version 4', () => {
  expect(createIds({ now: () => 0 }).uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
