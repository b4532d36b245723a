import { describe, expect, it } from 'vitest';
import type { Connector, ConnectorContext, From } from '../../ports/connector.ts';
import { whenNeeded } from './when-needed.ts';

const items = { kind: 'topics' as const, items: [], hasMore: false };

/** A source of numbered batches that notes what was asked of it. */
function noting(calls: string[]): Connector {
  return {
    async *read(_, signal) {
      try {
        for (let n = 0; !signal.aborted; n++) {
          yield { kind: 'records', partition: '0', next: String(n), bytes: 0, records: [] };
        }
      } finally {
        calls.push('left');
      }
    },
    commit: async (partition, position) => void calls.push(`commit ${partition} ${position}`),
    check: async () => void calls.push('check'),
    explorer: async () => {
      calls.push('explorer');
      return { check: async () => {}, list: async () => items, sample: async () => undefined };
    },
    close: async () => void calls.push('close'),
  };
}

describe('a connector that is loaded when it is needed', () => {
  const context = {} as ConnectorContext;
  const from: From = () => Promise.resolve({});
  const setUp = () => {
    const calls: string[] = [];
    let loads = 0;
    const factory = whenNeeded<string>(async () => {
      loads++;
      return () => noting(calls);
    });
    return { calls, factory, loads: () => loads };
  };

  it('loads nothing until it is used, not for being closed either', async () => {
    const { calls, factory, loads } = setUp();
    const connector = factory(context);
    await connector.close();
    expect([loads(), calls]).toEqual([0, []]);
  });

  it('loads once for all connectors, and hands everything on', async () => {
    const { calls, factory, loads } = setUp();
    const [first, second] = [factory(context), factory(context)];
    await Promise.all([
      first.check(AbortSignal.timeout(1000)),
      second.check(AbortSignal.timeout(1000)),
    ]);
    await first.commit('0', '7');
    await first.remove?.();
    const explorer = await first.explorer();
    expect(await explorer.list(() => {}, AbortSignal.timeout(1000))).toBe(items);
    await first.close();
    expect([loads(), calls]).toEqual([1, ['check', 'check', 'commit 0 7', 'explorer', 'close']]);
  });

  it('ends the reading of the one behind it when nobody takes any more', async () => {
    const { calls, factory } = setUp();
    const seen: string[] = [];
    for await (const { next } of factory(context).read(from, new AbortController().signal)) {
      seen.push(next);
      if (seen.length === 3) {
        break;
      }
    }
    expect([seen, calls]).toEqual([['0', '1', '2'], ['left']]);
  });

  it('tells every user when it cannot be loaded, and can still be closed', async () => {
    const connector = whenNeeded<string>(() => Promise.reject(new Error('no such file')))(context);
    await expect(connector.check(AbortSignal.timeout(1000))).rejects.toThrow('no such file');
    await connector.close();
  });
});
