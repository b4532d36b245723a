import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThresholdType } from '../../../contract/alert/alert.ts';
import { breaches } from './breach.ts';
import type { Reading } from './readings.ts';
import { dismiss, step, worst, type GroupState, type StepConfig } from './step.ts';

const m = 60_000;
const base: StepConfig = {
  thresholdType: 'above',
  threshold: 10,
  thresholdMax: null,
  numConsecutiveWindows: 1,
  noData: 'zero',
  renotifyIntervalMs: null,
  silenced: false,
  goneAfterMs: null,
};

/**
 * Readings one after the other, one window each: a number, `.` no data, `?` undecided; `s`/`S`
 * begins and ends a silence.
 */
function run(config: Partial<StepConfig>, readings: string): string {
  let group: GroupState | undefined;
  let silenced = false;
  let endMs = 0;
  return readings
    .split(' ')
    .flatMap((word) => {
      if (word === 's' || word === 'S') {
        silenced = word === 's';
        return [];
      }
      endMs += m;
      const result = step(
        group,
        reading(word),
        { ...base, ...config, silenced: silenced || (config.silenced ?? false) },
        endMs,
      );
      group = result.next;
      return [
        `${result.state[0]}${result.notification ? `!${result.notification.reason}` : ''}${group ? '' : '∅'}`,
      ];
    })
    .join(' ');
}

function reading(word: string): Reading {
  if (word === '.') {
    return { kind: 'none' };
  }
  return word === '?' ? { kind: 'undecided' } : { kind: 'value', value: Number(word) };
}

describe('the next state of an alert', () => {
  it.each<[string, Partial<StepConfig>, string, string]>([
    [
      'fires at the threshold and resolves below it, once each',
      {},
      '9 10 11 12 9 9',
      'i f!fired f f i!resolved i',
    ],
    [
      'below fires below the threshold only',
      { thresholdType: 'below' },
      '10 9 9 10',
      'i f!fired f i!resolved',
    ],
    [
      'waits for enough windows in a row',
      { numConsecutiveWindows: 3 },
      '10 10 9 10 10 10 10 9',
      'p p i p p f!fired f i!resolved',
    ],
    [
      'no notification for what was only pending',
      { numConsecutiveWindows: 2 },
      '10 9 10 9',
      'p i p i',
    ],
    [
      'reminds after renotifyInterval, counted from the last notification',
      { renotifyIntervalMs: 2 * m },
      '10 10 10 10 10 9',
      'f!fired f f!still_firing f f!still_firing i!resolved',
    ],
    [
      'NULL and NaN decide nothing',
      { numConsecutiveWindows: 2 },
      '? 10 ? 10 ? 9 ?',
      'i p p f!fired f i!resolved i',
    ],
    ['no data reads as zero', {}, '10 . . 10', 'f!fired i!resolved∅ i∅ f!fired'],
    [
      'no data reads as zero: below fires on silence of the sender',
      { thresholdType: 'below' },
      '10 . . 10',
      'i f!fired f i!resolved',
    ],
    [
      'no data is ok',
      { thresholdType: 'below', noData: 'ok' },
      '9 . . 9',
      'f!fired i!resolved∅ i∅ f!fired',
    ],
    ['no data fires', { noData: 'firing' }, '1 . . 1', 'i f!fired f i!resolved'],
    [
      'no data fires only after enough windows',
      { noData: 'firing', numConsecutiveWindows: 2 },
      '. . 1',
      'p f!fired i!resolved',
    ],
    ['no data keeps the state', { noData: 'keep' }, '10 . . 9 .', 'f!fired f f i!resolved i∅'],
    [
      'a silence suppresses sending, not evaluation; what is still true afterwards is said then',
      {},
      's 10 10 S 10 9',
      'f f f!silence_ended i!resolved',
    ],
    ['what began and ended in a silence is never said', {}, 's 10 9 S 9', 'f i i'],
    [
      'an end that fell into a silence is said after it',
      {},
      '10 s 9 9 S 9 9',
      'f!fired i i i!silence_ended i',
    ],
    [
      'a firing that came back within a silence is the same incident',
      {},
      '10 s 9 10 S 10 9',
      'f!fired i f f i!resolved',
    ],
    [
      'no reminder in a silence, one after it',
      { renotifyIntervalMs: m },
      '10 s 10 10 S 10',
      'f!fired f f f!still_firing',
    ],
    [
      'a group gone for good ends its incident',
      { noData: 'keep', goneAfterMs: 3 * m },
      '10 . . . .',
      'f!fired f f i!group_gone∅ i∅',
    ],
    [
      'a group gone for good ends even where no data fires',
      { noData: 'firing', goneAfterMs: 2 * m },
      '1 . .',
      'i f!fired i!group_gone∅',
    ],
  ])('%s', (_, config, readings, expected) => {
    expect(run(config, readings)).toBe(expected);
  });

  it.each<[ThresholdType, boolean[]]>([
    ['above', [false, true, true, true, true]],
    ['below', [true, false, false, false, false]],
    ['above_exclusive', [false, false, true, true, true]],
    ['below_or_equal', [true, true, false, false, false]],
    ['equal', [false, true, false, false, false]],
    ['not_equal', [true, false, true, true, true]],
    ['between', [false, true, true, true, false]],
    ['not_between', [true, false, false, false, true]],
  ])('%s of 10 (to 20) judges 9.9, 10, 15, 20, 20.1', (thresholdType, expected) => {
    expect(
      [9.9, 10, 15, 20, 20.1].map((value) =>
        breaches(value, { thresholdType, threshold: 10, thresholdMax: 20 }),
      ),
    ).toEqual(expected);
  });

  it('a change of numConsecutiveWindows takes effect at the next window and resets nothing', () => {
    const pending = step(
      undefined,
      { kind: 'value', value: 10 },
      { ...base, numConsecutiveWindows: 5 },
      m,
    ).next;
    expect(
      step(pending, { kind: 'value', value: 10 }, { ...base, numConsecutiveWindows: 2 }, 2 * m)
        .state,
    ).toBe('firing');
    const firing = step(undefined, { kind: 'value', value: 10 }, base, m).next;
    expect(
      step(firing, { kind: 'value', value: 10 }, { ...base, numConsecutiveWindows: 5 }, 2 * m)
        .state,
    ).toBe('firing');
  });
});

describe('the incident of an alert', () => {
  it('a firing and its resolution carry the same incident, the next firing another', () => {
    let group: GroupState | undefined;
    const incidents = [10, 9, 10, 9].map((value, index) => {
      const result = step(group, { kind: 'value', value }, base, (index + 1) * m);
      group = result.next;
      return result.notification!.incidentMs;
    });
    expect(incidents).toEqual([m, m, 3 * m, 3 * m]);
  });

  it('a dismissed group tells its receivers that it ended', () => {
    const firing = step(undefined, { kind: 'value', value: 10 }, base, m).next!;
    expect(dismiss(firing, base, 2 * m)).toMatchObject({
      next: undefined,
      state: 'inactive',
      notification: { reason: 'group_by_changed', incidentMs: m },
    });
    expect(dismiss(firing, { ...base, silenced: true }, 2 * m).notification).toBeUndefined();
  });

  it('an alert shows the worst of its groups', () => {
    expect(worst(['inactive', 'firing', 'pending'])).toBe('firing');
    expect(worst(['inactive', 'pending'])).toBe('pending');
    expect(worst([])).toBe('inactive');
  });

  it('receivers always hear alternately of a begin and an end, and every transition has its reason', () => {
    const readingOf: fc.Arbitrary<Reading> = fc.oneof(
      fc.record({ kind: fc.constant('value' as const), value: fc.integer({ min: 5, max: 15 }) }),
      fc.constant({ kind: 'none' as const }),
      fc.constant({ kind: 'undecided' as const }),
    );
    const configOf = fc.record({
      noData: fc.constantFrom('zero', 'ok', 'firing', 'keep'),
      numConsecutiveWindows: fc.integer({ min: 1, max: 3 }),
      silenced: fc.boolean(),
      goneAfterMs: fc.constantFrom(null, 2 * m),
      thresholdType: fc.constantFrom('above', 'below'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(readingOf, configOf), { maxLength: 40 }), (windows) => {
        let group: GroupState | undefined;
        let announced: 'firing' | 'inactive' = 'inactive';
        for (const [index, [reading, config]] of windows.entries()) {
          const before = group?.state ?? 'inactive';
          const result = step(
            group,
            reading,
            { ...base, ...config } as StepConfig,
            (index + 1) * m,
          );
          group = result.next;
          expect(result.transition?.to ?? before).toBe(result.state);
          if (result.transition) {
            expect(result.transition.from).toBe(before);
          }
          if (!result.notification) {
            continue;
          }
          expect(config.silenced).toBe(false);
          expect(result.notification.state).not.toBe(announced);
          expect(result.notification.state).toBe(result.state);
          announced = result.notification.state;
        }
      }),
    );
  });
});
