import fc from 'fast-check';
import { expect, it } from 'vitest';
import { advance } from './advance.ts';
import { definitionOf } from '../alert-definition.ts';
import { calmOf } from './calm.ts';
import { readingsOf, type Reading } from './readings.ts';
import { runningAlert, type RunningAlert } from '../running-alert.ts';

const minuteMs = 60_000;
const beginMs = Date.parse('2026-03-14T12:00:00Z');
const anyReading: fc.Arbitrary<Reading> = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((value): Reading => ({ kind: 'value', value })),
  fc.constant<Reading>({ kind: 'none' }),
  fc.constant<Reading>({ kind: 'undecided' }),
);
const anyFields = fc.record({
  thresholdType: fc.constantFrom('above', 'below', 'equal', 'not_between' as const),
  threshold: fc.integer({ min: 0, max: 10 }),
  thresholdMax: fc.constant(11),
  numConsecutiveWindows: fc.integer({ min: 1, max: 3 }),
  noData: fc.constantFrom('zero', 'ok', 'firing', 'keep'),
  renotifyInterval: fc.constantFrom(null, '2m'),
  silencedUntil: fc.constantFrom(null, '2026-03-14T12:10:00Z'),
});

/** The outcome of each window, as the alert records and sends it. */
function run(
  fields: Parameters<typeof definitionOf>[0],
  readings: readonly Reading[],
  mayBeCalm: boolean,
): { outcomes: string[]; calm: number } {
  const alert: RunningAlert = runningAlert(
    {
      kind: 'alert',
      id: 'a'.repeat(24),
      workspaceId: 'w',
      version: 1,
      createdAtMs: 0,
      updatedAtMs: 0,
      sealed: null,
      body: fields as never,
    },
    undefined,
    1,
  );
  const outcomes: string[] = [];
  let calmCount = 0;
  readings.forEach((reading, index) => {
    const window = { startMs: beginMs + index * minuteMs, endMs: beginMs + (index + 1) * minuteMs };
    const calm = mayBeCalm ? calmOf(alert, '', reading, window) : undefined;
    if (calm !== undefined) {
      calmCount++;
      outcomes.push(`inactive ${calm} null`);
      Object.assign(alert, { lastEndMs: window.endMs, lastValue: calm });
      return;
    }
    const advanced = advance({
      definition: alert.definition,
      groupBy: '',
      groupByBefore: alert.groupBy,
      groups: alert.groups,
      readings: readingsOf(reading),
      window,
      nowMs: window.endMs,
      publicUrl: '',
    });
    outcomes.push(
      `${advanced.state} ${advanced.value} ${advanced.reason}`,
      ...advanced.events.map(({ event }) => `${event.id} ${event.data.reason}`),
    );
    Object.assign(alert, {
      lastEndMs: window.endMs,
      lineEndMs: window.endMs,
      recordedIntervalMs: minuteMs,
      state: advanced.state,
      lastValue: advanced.value,
      groupBy: '',
      groups: advanced.groups,
    });
  });
  return { outcomes, calm: calmCount };
}

it('skipping the steps of calm windows changes no state, value, reason or event', () => {
  let calm = 0;
  fc.assert(
    fc.property(
      anyFields,
      fc.array(anyReading, { minLength: 1, maxLength: 80 }),
      (fields, readings) => {
        const definition = {
          ...fields,
          source: 'search',
          interval: '1m',
          savedSearchId: 's',
        } as never;
        const quick = run(definition, readings, true);
        calm += quick.calm;
        expect(quick.outcomes).toEqual(run(definition, readings, false).outcomes);
      },
    ),
    { numRuns: 300 },
  );
  expect(calm).toBeGreaterThan(300);
});

it('a line of its own is due at least once in 32 windows', () => {
  const readings = Array.from({ length: 320 }, (): Reading => ({ kind: 'value', value: 0 }));
  const { calm } = run(
    { source: 'search', interval: '1m', savedSearchId: 's', thresholdType: 'above', threshold: 1 },
    readings,
    true,
  );
  expect(readings.length - calm).toBeGreaterThanOrEqual(10);
  expect(readings.length - calm).toBeLessThan(13);
});
