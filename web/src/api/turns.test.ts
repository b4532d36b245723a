import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const never = new AbortController().signal;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A call that a test ends. */
function held(name: string, started: string[]) {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const call = (): Promise<void> => {
    started.push(name);
    return done;
  };
  return { call, end: () => end() };
}

describe('Turns', () => {
  it('runs two at once, and of the rest the urgent one first', async () => {
    const turns = new Turns(2);
    const started: string[] = [];
    const calls = ['a', 'b', 'c', 'd'].map((name) => held(name, started));
    const all = calls.map(({ call }, index) => turns.take(call, () => index === 3, never));
    await settled();
    expect(started).toEqual(['a', 'b']);
    calls[0]?.end();
    await settled();
    expect(started).toEqual(['a', 'b', 'd']);
    for (const { end } of calls) {
      end();
    }
    await Promise.all(all);
    expect(started).toEqual(['a', 'b', 'd', 'c']);
  });

  it('does not start a call that was aborted while it waited, and goes on after a failure', async () => {
    const turns = new Turns(1);
    const started: string[] = [];
    const fails = turns.take(
      () => Promise.reject(new Error('no')),
      () => false,
      never,
    );
    const abort = new AbortController();
    const dropped = turns.take(held('dropped', started).call, () => false, abort.signal);
    const last = held('last', started);
    const ends = turns.take(last.call, () => false, never);
    abort.abort(new Error('gone'));
    await expect(fails).rejects.toThrow('no');
    await expect(dropped).rejects.toThrow('gone');
    await settled();
    expect(started).toEqual(['last']);
    last.end();
    await ends;
  });
});
