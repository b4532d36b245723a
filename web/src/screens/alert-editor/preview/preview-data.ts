import type { AlertPreview } from '../../../api/queries/alert-preview.ts';
import { groupText } from '../../../alerting/words.ts';
import type { Mark } from '../../../charts/threshold-chart.tsx';
import type { TimeData, TimeSeries } from '../../../charts/time-data.ts';
import type { ColorBook } from '../../../view/series-colors.ts';
import type { Span } from '../../../view/time-range.ts';

type Window = AlertPreview['windows'][number];

/** What the chart of a preview shows. */
export interface PreviewData {
  data: TimeData;
  span: Span;
  /** Groups are lines; one value is bars. */
  kind: 'line' | 'bars';
  marks: Mark[];
  /** How often a group or the alert would have begun to fire. */
  firedCount: number;
  hasValues: boolean;
}

const groupsShown = 20;

export function previewData(preview: AlertPreview, book: ColorBook): PreviewData | undefined {
  const { windows, notifications } = preview;
  const [first] = windows;
  const last = windows.at(-1);
  if (!first || !last) {
    return undefined;
  }
  const startMs = Date.parse(first.windowStart);
  const bucketMs = Date.parse(first.windowEnd) - startMs;
  const isGrouped = windows.some(({ groups }) => groups !== undefined);
  const series = isGrouped ? groupSeries(windows, book) : stateSeries(windows);
  return {
    data: { timesMs: windows.map(({ windowStart }) => Date.parse(windowStart)), bucketMs, series },
    span: { startMs, endMs: Date.parse(last.windowEnd) },
    kind: isGrouped ? 'line' : 'bars',
    marks: marksOf(windows),
    firedCount: notifications.filter(({ reason }) => reason === 'fired').length,
    hasValues: windows.some(({ value, groups = [] }) =>
      [value, ...groups.map((group) => group.value)].some((one) => one !== null),
    ),
  };
}

const states = [
  { state: 'firing', name: 'Firing', color: 'var(--bar-error)' },
  { state: 'pending', name: 'Pending', color: 'var(--bar-warn)' },
  { state: 'inactive', name: 'Inactive', color: 'var(--bar-info)' },
] as const;

/** Bars in the colour of their state. */
function stateSeries(windows: readonly Window[]): TimeSeries[] {
  return states.map(({ state, name, color }) => ({
    name,
    color,
    isDashed: false,
    values: windows.map((window) => (window.state === state ? window.value : null)),
  }));
}

/** Lines of the groups with the greatest values. */
function groupSeries(windows: readonly Window[], book: ColorBook): TimeSeries[] {
  const sizes = new Map<string, number>();
  const values = windows.map(({ groups = [] }) => {
    const byName = new Map(groups.map(({ group, value }) => [groupText(group), value]));
    for (const [name, value] of byName) {
      sizes.set(name, Math.max(sizes.get(name) ?? 0, Math.abs(value ?? 0)));
    }
    return byName;
  });
  const names = [...sizes.keys()]
    .toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
    .slice(0, groupsShown);
  book.add(names);
  return names.map((name) => ({
    name,
    ...book.look(name),
    values: values.map((byName) => byName.get(name) ?? null),
  }));
}

function marksOf(windows: readonly Window[]): Mark[] {
  return windows.flatMap(({ state, windowStart }, index) =>
    state === 'inactive'
      ? []
      : [
          {
            startMs: Date.parse(windowStart),
            state,
            isStart: state === 'firing' && windows[index - 1]?.state !== 'firing',
          },
        ],
  );
}
