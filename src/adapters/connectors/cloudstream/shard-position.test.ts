import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstStart,
  formatPosition,
  isAfter,
  parsePosition,
  type ShardPosition,
} from './shard-position.ts';

describe('the position in a shard', () => {
  const position = fc.oneof(
    fc
      .bigInt({ min: 0n, max: 10n ** 56n })
      .map((number): ShardPosition => ({ kind: 'after', sequenceNumber: String(number) })),
    fc.nat().map((timeMs): ShardPosition => ({ kind: 'time', timeMs })),
    fc.constant<ShardPosition>({ kind: 'ended' }),
    fc.nat().map((sinceMs): ShardPosition => ({ kind: 'ended', sinceMs })),
  );

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(position, (one) => {
        expect(parsePosition(formatPosition(one))).toEqual(one);
      }),
    );
  });

  it('is later where its number is larger, however many digits it has', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 60n });
    fc.assert(
      fc.property(
        digits,
        digits,
        (one, other) => isAfter(String(one), String(other)) === one > other,
      ),
    );
  });
});

describe('where a shard begins that was never read', () => {
  const ended: ShardPosition = { kind: 'ended' };
  it.each([
    ['nothing said', {}, [], { kind: 'oldest' }],
    ['the oldest', { iteratorType: 'TRIM_HORIZON' }, [ended], { kind: 'oldest' }],
    ['a moment', { timestamp: 1_700_000_000 }, [], { kind: 'time', timeMs: 1_700_000_000_000 }],
    [
      'a moment, after its parents',
      { timestamp: 1_700_000_000 },
      [ended],
      { kind: 'time', timeMs: 1_700_000_000_000 },
    ],
    ['the newest', { iteratorType: 'LATEST' }, [], { kind: 'time', timeMs: 5000 }],
    [
      'the newest, after a parent that was read',
      { iteratorType: 'LATEST' },
      [ended],
      { kind: 'oldest' },
    ],
    [
      'the newest, after a parent that gave nothing since',
      { iteratorType: 'LATEST' },
      [{ kind: 'ended', sinceMs: 3000 }],
      { kind: 'time', timeMs: 3000 },
    ],
    [
      'the newest, after two such parents',
      { iteratorType: 'LATEST' },
      [
        { kind: 'ended', sinceMs: 3000 },
        { kind: 'ended', sinceMs: 2000 },
      ],
      { kind: 'time', timeMs: 2000 },
    ],
  ] as const)('%s', (_title, source, parents, start) => {
    expect(firstStart(source, parents, 5000)).toEqual(start);
  });
});
