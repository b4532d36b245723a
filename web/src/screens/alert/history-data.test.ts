import { describe, expect, it } from 'vitest';
import { ColorBook } from '../../view/series-colors.ts';
import type { AlertEvaluation, AlertState } from '../../api/queries/alerts.ts';
import { firingSince, groupsOfHistory, lanesOf, timeDataOf } from './history-data.ts';

const minute = 60_000;
const base = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number): string => new Date(base + minutes * minute).toISOString();

/** The evaluation of the window that begins so many minutes after twelve. */
const window = (
  start: number,
  state: AlertState,
  value: number | null,
  more: Partial<AlertEvaluation> = {},
): AlertEvaluation => ({
  windowStart: at(start),
  windowEnd: at(start + 1),
  evaluatedAt: at(start + 1),
  state,
  value,
  reason: null,
  durationMs: 1,
  rowsRead: 1,
  ...more,
});

/** Newest first, as the API has them. */
const history = [
  window(4, 'firing', 9),
  window(3, 'firing', 8),
  window(2, 'pending', 7),
  window(0, 'inactive', null),
];
const span = { startMs: base, endMs: base + 6 * minute };

describe('history of an alert', () => {
  it('is a line with gaps where there is no value', () => {
    const { timesMs, series } = timeDataOf(
      { evaluations: history, groups: [], span },
      minute,
      new ColorBook(),
    );
    expect(timesMs).toHaveLength(6);
    expect(series.map(({ name, values }) => [name, values])).toEqual([
      ['Value', [null, null, 7, 8, 9, null]],
    ]);
  });

  it('is a lane of states, with a gap where nothing was evaluated', () => {
    const [lane] = lanesOf({ evaluations: history, groups: [], span });
    expect(
      lane?.runs.map(({ state, startMs, endMs }) => [state, startMs - base, endMs - base]),
    ).toEqual([
      ['inactive', 0, minute],
      ['pending', 2 * minute, 3 * minute],
      ['firing', 3 * minute, 5 * minute],
    ]);
  });

  it('says which windows were skipped, and draws no value for them', () => {
    const skipped = window(0, 'inactive', 3, { windowEnd: at(5), skipped: 5, reason: 'skipped' });
    const options = { evaluations: [skipped], groups: [], span };
    expect(lanesOf(options)[0]?.runs).toEqual([
      { startMs: base, endMs: base + 5 * minute, state: 'skipped', word: 'not evaluated' },
    ]);
    expect(timeDataOf(options, minute, new ColorBook()).series[0]?.values).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });

  it('has groups, those that fire first', () => {
    const line = (group: string, state: AlertState, value: number) => ({
      group: [group],
      state,
      value,
      reason: null,
    });
    const grouped = [
      window(1, 'firing', 20, {
        groups: [line('calm', 'inactive', 99), line('cart', 'firing', 20), line('', 'pending', 8)],
      }),
      window(0, 'inactive', 1, { groups: [line('calm', 'inactive', 1)] }),
    ];
    const groups = groupsOfHistory(grouped);
    expect(groups.map(({ group }) => group)).toEqual([['cart'], [''], ['calm']]);
    const lanes = lanesOf({ evaluations: grouped, groups, span });
    expect(lanes.map(({ name, runs }) => [name, runs.map(({ state }) => state)])).toEqual([
      ['cart', ['firing']],
      ['(empty)', ['pending']],
      ['calm', ['inactive']],
    ]);
    expect(firingSince(grouped, groups[0])).toEqual({
      sinceMs: base + 2 * minute,
      isAtLeast: false,
    });
    expect(firingSince(grouped, groups[2])).toBeUndefined();
  });

  it('knows since when it fires', () => {
    expect(firingSince(history)).toEqual({ sinceMs: base + 4 * minute, isAtLeast: false });
    expect(firingSince(history.slice(0, 2))).toEqual({
      sinceMs: base + 4 * minute,
      isAtLeast: true,
    });
    expect(firingSince([])).toBeUndefined();
  });
});
