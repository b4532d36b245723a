import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Work that ends when it is told to, and notes when it begins. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (failure) => {
        if (failure) {
          reject(failure);
        } else {
          resolve();
        }
      });
    });
  const settle = async (): Promise<string[]> => {
    for (let tick = 0; tick < 20; tick++) {
      await Promise.resolve();
    }
    return begun;
  };
  return {
    settle,
    end: (name: string, failure?: Error) => ends.get(name)!(failure),
    beside: (name: string, on = 'table') => turns.beside(on, work(name)),
    alone: (name: string, on = 'table') => turns.alone(on, work(name)),
  };
}

describe('turns on a table', () => {
  it('inserts run beside one another; a step waits for them, and they for it', async () => {
    const { settle, end, beside, alone } = works(new Turns());
    void beside('first');
    void beside('second');
    void alone('step');
    void beside('third');
    expect(await settle()).toEqual(['first', 'second']);
    end('first');
    expect(await settle()).toEqual(['first', 'second']);
    end('second');
    expect(await settle()).toEqual(['first', 'second', 'step']);
    end('step');
    expect(await settle()).toEqual(['first', 'second', 'step', 'third']);
  });

  it('steps come one after the other, and what fails holds nobody up', async () => {
    const { settle, end, beside, alone } = works(new Turns());
    const failing = [beside('insert'), alone('one')];
    void alone('two');
    end('insert', await settle().then(() => new Error('refused')));
    await expect(failing[0]).rejects.toThrow('refused');
    expect(await settle()).toEqual(['insert', 'one']);
    end('one', new Error('refused too'));
    await expect(failing[1]).rejects.toThrow('refused too');
    expect(await settle()).toEqual(['insert', 'one', 'two']);
  });

  it('other tables do not wait', async () => {
    const { settle, alone, beside } = works(new Turns());
    void alone('long');
    void beside('other', 'another table');
    expect([...(await settle())].sort()).toEqual(['long', 'other']);
  });
});
