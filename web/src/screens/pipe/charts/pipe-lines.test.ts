import { describe, expect, it } from 'vitest';
import type { PipePoint } from '../../../api/queries/pipes.ts';
import { chartsOf } from './pipe-lines.ts';

const startMs = Date.parse('2026-11-20T12:00:00Z');
const minuteMs = 60_000;

const point = (minute: number, figures: Partial<PipePoint>): PipePoint => ({
  at: new Date(startMs + minute * minuteMs).toISOString(),
  rows: 0,
  bytes: 0,
  errors: 0,
  lag: null,
  retainedBytes: null,
  oldestUnprocessedAt: null,
  ...figures,
});

const valuesOf = (title: string, points: PipePoint[], minutes = 4) => {
  const span = { startMs, endMs: startMs + minutes * minuteMs };
  return chartsOf({ span, points }).find((one) => one.title === title)?.data.series[0]?.values;
};

describe('lines of a pipe', () => {
  it('draw rows and bytes a second from counters', () => {
    const points = [
      point(0, { rows: 60 }),
      point(1, { rows: 180, bytes: 600 }),
      point(2, { rows: 180, bytes: 600 }),
    ];
    expect(valuesOf('Rows', points)).toEqual([2, 0, null, null]);
    expect(valuesOf('Data', points)).toEqual([10, 0, null, null]);
  });

  it('leave a gap where a minute is missing, and where a resync set a counter back', () => {
    const points = [
      point(0, { rows: 60 }),
      point(2, { rows: 900 }),
      point(3, { rows: 6 }),
      point(4, { rows: 66 }),
    ];
    expect(valuesOf('Rows', points, 5)).toEqual([null, null, null, 1, null]);
  });

  it('draw the lag that the source reports', () => {
    expect(valuesOf('Records that wait', [point(0, { lag: 5 }), point(1, {})])).toEqual([
      5,
      null,
      null,
      null,
    ]);
    expect(valuesOf('Records that wait', [point(0, {}), point(1, {})])).toBeUndefined();
    const log = [point(0, { retainedBytes: 4096 })];
    expect(valuesOf('Log that the database keeps', log)).toEqual([4096, null, null, null]);
  });

  it('draw how long the oldest record has waited', () => {
    const oldestUnprocessedAt = new Date(startMs + 30_000).toISOString();
    expect(
      valuesOf('Wait of the oldest record', [point(0, {}), point(1, { oldestUnprocessedAt })]),
    ).toEqual([0, 30, null, null]);
  });

  it('are none without points', () => {
    expect(chartsOf({ span: { startMs, endMs: startMs + minuteMs }, points: [] })).toEqual([]);
  });
});
