import { describe, expect, it } from 'vitest';
import { TableLocks } from './table-locks.ts';

/** Tasks that a test ends, and that record when they start. */
function works(locks: TableLocks) {
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
    shared: (name: string, on = 'table') => locks.shared(on, work(name)),
    exclusive: (name: string, on = 'table') => locks.exclusive(on, work(name)),
  };
}

describe('locks on a table', () => {
  it('shared tasks run together; an exclusive task waits for them, and they for it', async () => {
    const { settle, end, shared, exclusive } = works(new TableLocks());
    void shared('first');
    void shared('second');
    void exclusive('step');
    void shared('third');
    expect(await settle()).toEqual(['first', 'second']);
    end('first');
    expect(await settle()).toEqual(['first', 'second']);
    end('second');
    expect(await settle()).toEqual(['first', 'second', 'step']);
    end('step');
    expect(await settle()).toEqual(['first', 'second', 'step', 'third']);
  });

  it('exclusive tasks run one after the other, and a failure blocks no other task', async () => {
    const { settle, end, shared, exclusive } = works(new TableLocks());
    const failing = [shared('insert'), exclusive('one')];
    void exclusive('two');
    end('insert', await settle().then(() => new Error('refused')));
    await expect(failing[0]).rejects.toThrow('refused');
    expect(await settle()).toEqual(['insert', 'one']);
    end('one', new Error('refused too'));
    await expect(failing[1]).rejects.toThrow('refused too');
    expect(await settle()).toEqual(['insert', 'one', 'two']);
  });

  it('other tables do not wait', async () => {
    const { settle, exclusive, shared } = works(new TableLocks());
    void exclusive('long');
    void shared('other', 'another table');
    expect([...(await settle())].sort()).toEqual(['long', 'other']);
  });
});
