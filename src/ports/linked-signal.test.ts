import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { LinkedSignal } from './linked-signal.ts';

test('aborts with the first source, for its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const linked = new LinkedSignal(one.signal, undefined, other.signal);
  other.abort('over');
  one.abort('too late');
  expect(linked.signal).toMatchObject({ aborted: true, reason: 'over' });
});

test('is aborted at once if a source is', () => {
  const linked = new LinkedSignal(new AbortController().signal, AbortSignal.abort('gone'));
  expect(linked.signal).toMatchObject({ aborted: true, reason: 'gone' });
});

test('leaves its sources when it is released', () => {
  const source = new AbortController();
  const linked = new LinkedSignal(source.signal);
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
  linked.release();
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
  source.abort();
  expect(linked.signal.aborted).toBe(false);
});
