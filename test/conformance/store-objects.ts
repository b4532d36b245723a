import { describe, expect, test } from 'vitest';
import type { LedgerEntry, ListedObject } from '../../src/ports/store/object-ledger.ts';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const listed = (key: string, etag = 'e1'): ListedObject => ({
  name: key,
  etag,
  bytes: 5_000_000_000,
  modifiedAtMs: 1_700_000_000_123,
});
const names = (planned: readonly LedgerEntry[] | undefined): string[] | undefined =>
  planned?.map((entry) => entry.name).sort();
const loaded = (key: string, rows: number) => ({
  name: key,
  state: 'loaded' as const,
  rows,
  reason: null,
});

export function objectTests(under: StoreUnderTest): void {
  describe('the ledger of objects', () => {
    const ledgerOf = async (pipe: string, partition = '0-0', node: 'a' | 'b' = 'a') =>
      under[node].pipes.objects((await under[node].pipes.claim('w', pipe, partition)).claim);

    test('a batch holds what was planned, with what the listing said of it', async () => {
      const ledger = await ledgerOf(name('pipe'));
      const both = ['a', 'b/ü'].map((key) => ({
        ...listed(key),
        state: 'planned',
        fingerprint: 'f',
        rows: 0,
        reason: null,
        tries: 0,
      }));
      expect(await ledger.plan('1', [listed('a'), listed('b/ü')], 'f')).toEqual(both);
      expect(await ledger.batch('1')).toEqual(both);
      expect(await ledger.batch('2')).toEqual([]);
      expect((await ledger.entries(['a', 'none'])).map((entry) => entry.name)).toEqual(['a']);
    });

    test('an object is in one batch at a time, and is planned again only after a change or a failure', async () => {
      const pipe = name('pipe');
      const [first, second] = [await ledgerOf(pipe), await ledgerOf(pipe, '0-1', 'b')];
      await first.plan(
        '1',
        ['loaded', 'refused', 'waiting', 'gone'].map((key) => listed(key)),
        'f',
      );
      expect(names(await second.plan('1', [listed('loaded', 'e2'), listed('new')], 'f'))).toEqual([
        'new',
      ]);
      await first.recordOutcomes('1', [
        loaded('loaded', 7),
        ...(['refused', 'waiting', 'gone'] as const).map((state) => ({
          name: state,
          state,
          rows: 0,
          reason: `is ${state}`,
        })),
      ]);
      expect(await first.waiting()).toBe(1);
      expect(await second.plan('2', [listed('loaded')], 'f')).toEqual([]);
      const planned = await second.plan(
        '2',
        [listed('loaded', 'e2'), listed('refused'), listed('waiting'), listed('gone')],
        'g',
      );
      expect(planned).toEqual(await second.batch('2'));
      expect(
        planned?.map((entry) => [
          entry.name,
          entry.tries,
          entry.etag,
          entry.fingerprint,
          entry.reason,
        ]),
      ).toEqual([
        ['gone', 0, 'e1', 'g', null],
        ['loaded', 0, 'e2', 'g', null],
        ['refused', 0, 'e1', 'g', null],
        ['waiting', 1, 'e1', 'g', null],
      ]);
    });

    test('of many that plan the same objects at once, each object goes to one', async () => {
      const pipe = name('pipe');
      const ledgers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          ledgerOf(pipe, `${index}-0`, index % 2 ? 'a' : 'b'),
        ),
      );
      const objects = Array.from({ length: 700 }, (_, index) => listed(`o${index}`));
      const planned = await Promise.all(ledgers.map((ledger) => ledger.plan('1', objects, 'f')));
      expect(planned.reduce((sum, some) => sum + (some?.length ?? 0), 0)).toBe(700);
      expect(new Set(planned.flatMap((some) => names(some) ?? [])).size).toBe(700);
    });

    test('thousands come out each in its own way, and none that is not of the batch', async () => {
      const pipe = name('pipe');
      const [ledger, other] = [await ledgerOf(pipe), await ledgerOf(pipe, '0-1')];
      const keys = Array.from(
        { length: 2500 },
        (_, index) => `o/${String(index).padStart(4, '0')} "'\\ü`,
      );
      expect(
        await ledger.plan(
          '1',
          keys.map((key) => listed(key)),
          'f',
        ),
      ).toHaveLength(2500);
      await other.plan('1', [listed('other')], 'f');
      await ledger.recordOutcomes('1', [
        ...keys.map((key, index) =>
          index % 2 === 0
            ? loaded(key, index)
            : { name: key, state: 'refused' as const, rows: 0, reason: `no ${index}\u0000` },
        ),
        loaded('other', 1),
        loaded('unknown', 1),
      ]);
      expect(
        (await ledger.batch('1')).map(({ state, rows, reason }) => [state, rows, reason]),
      ).toEqual(
        keys.map((_, index) =>
          index % 2 === 0 ? ['loaded', index, null] : ['refused', 0, `no ${index}\uFFFD`],
        ),
      );
      expect(
        (await ledger.entries(['other', 'unknown', ...keys]))
          .filter((entry) => entry.state === 'planned')
          .map((entry) => entry.name),
      ).toEqual(['other']);
      expect(await ledger.entries(['other', 'unknown', ...keys])).toHaveLength(2501);
    });

    test('whoever lost its claim writes nothing', async () => {
      const pipe = name('pipe');
      const old = await ledgerOf(pipe);
      await old.plan('1', [listed('a')], 'f');
      const current = await ledgerOf(pipe, '0-0', 'b');
      expect(await old.plan('2', [listed('b')], 'f')).toBeUndefined();
      expect(await old.recordOutcomes('1', [loaded('a', 1)])).toBe(false);
      expect((await current.batch('1')).map(({ state }) => state)).toEqual(['planned']);
      expect(await current.recordOutcomes('1', [loaded('a', 2)])).toBe(true);
      expect(await current.entries(['a', 'b'])).toMatchObject([
        { name: 'a', rows: 2, state: 'loaded' },
      ]);
    });

    test('partitions with something on its way are known, and everything goes with the pipe', async () => {
      const pipe = name('pipe');
      const { claim } = await under.a.pipes.claim('w', pipe, '3-1');
      await under.a.pipes.objects(claim).plan('1', [listed('a')], 'f');
      const ledger = await ledgerOf(pipe);
      expect(await ledger.unfinished()).toEqual(['3-1']);
      await under.a.pipes.objects(claim).recordOutcomes('1', [loaded('a', 1)]);
      expect(await ledger.unfinished()).toEqual([]);
      await under.a.pipes.intend(claim, { until: '1' });
      expect(await ledger.unfinished()).toEqual(['3-1']);
      await under.a.pipes.remove('w', pipe);
      expect(await ledger.entries(['a'])).toEqual([]);
    });
  });
}
