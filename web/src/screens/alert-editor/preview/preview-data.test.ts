import { describe, expect, it } from 'vitest';
import type { AlertPreview } from '../../../api/queries/alert-preview.ts';
import { ColorBook } from '../../../view/series-colors.ts';
import { previewData } from './preview-data.ts';

type Window = AlertPreview['windows'][number];

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 20, 12);
const at = (minute: number): string => new Date(startMs + minute * minuteMs).toISOString();

const windowAt = (minute: number, state: Window['state'], value: number | null): Window => ({
  windowStart: at(minute),
  windowEnd: at(minute + 1),
  state,
  value,
  reason: null,
});

const previewOf = (windows: Window[], reasons: string[] = []): AlertPreview => ({
  windows,
  notifications: reasons.map((reason) => ({
    windowEnd: at(1),
    state: 'firing',
    reason,
    group: [],
    value: 1,
    title: 'Errors',
  })),
  state: 'inactive',
});

describe('data of a preview', () => {
  it('has a bar for each window in the colour of its state, and marks where firing begins', () => {
    const shown = previewData(
      previewOf([
        windowAt(0, 'inactive', 1),
        windowAt(1, 'pending', 8),
        windowAt(2, 'firing', 9),
        windowAt(3, 'firing', null),
      ]),
      new ColorBook(),
    );
    expect(shown).toMatchObject({
      kind: 'bars',
      hasValues: true,
      span: { startMs, endMs: startMs + 4 * minuteMs },
    });
    expect(shown?.data.series.map(({ name, values }) => [name, values])).toEqual([
      ['Firing', [null, null, 9, null]],
      ['Pending', [null, 8, null, null]],
      ['Inactive', [1, null, null, null]],
    ]);
    expect(shown?.marks.map(({ state, isStart }) => [state, isStart])).toEqual([
      ['pending', false],
      ['firing', true],
      ['firing', false],
    ]);
  });

  it('counts how often it fired, without reminders and ends', () => {
    const windows = [windowAt(0, 'firing', 9)];
    const reasons = ['fired', 'still_firing', 'still_firing', 'resolved', 'fired'];
    expect(previewData(previewOf(windows, reasons), new ColorBook())?.firedCount).toBe(2);
  });

  it('has a line for each group, the greatest first', () => {
    const groups = [
      { group: ['cart'], state: 'inactive' as const, value: 2, reason: null },
      { group: [''], state: 'firing' as const, value: 9, reason: null },
    ];
    const shown = previewData(
      previewOf([{ ...windowAt(0, 'firing', 9), groups }]),
      new ColorBook(),
    );
    expect(shown?.kind).toBe('line');
    expect(shown?.data.series.map(({ name, values }) => [name, values])).toEqual([
      ['(empty)', [9]],
      ['cart', [2]],
    ]);
  });

  it('is nothing without a window, and says that windows have no data', () => {
    expect(previewData(previewOf([]), new ColorBook())).toBeUndefined();
    const empty = previewOf([windowAt(0, 'inactive', null)]);
    expect(previewData(empty, new ColorBook())?.hasValues).toBe(false);
  });
});
