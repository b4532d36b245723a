import type { StateLane, StateRun } from '../../charts/state-lanes.tsx';
import type { TimeData } from '../../charts/time-data.ts';
import { groupText } from '../../alerting/words.ts';
import type { AlertEvaluation, AlertState } from '../../api/queries/alerts.ts';
import { bucketStarts } from '../../view/buckets.ts';
import { aloneLook, type ColorBook } from '../../view/series-colors.ts';
import type { Span } from '../../view/time-range.ts';

/** What one group, or an alert without groups, was in one window. */
type Line = Pick<AlertEvaluation, 'state' | 'value'>;

export interface ShownGroup {
  key: string;
  group: readonly string[];
}

/** Groups that a chart can tell apart. */
export const groupsMax = 8;

const severity: Record<AlertState, number> = { firing: 2, pending: 1, inactive: 0 };

/** The groups of a history, those that fired most first. Empty: the alert has no groups. */
export function groupsOfHistory(evaluations: readonly AlertEvaluation[]): ShownGroup[] {
  const found = new Map<string, ShownGroup & { weight: number; top: number }>();
  for (const { groups = [] } of evaluations) {
    for (const { group, state, value } of groups) {
      const key = JSON.stringify(group);
      const known = found.get(key) ?? { key, group, weight: 0, top: 0 };
      known.weight += severity[state];
      known.top = Math.max(known.top, Math.abs(value ?? 0));
      found.set(key, known);
    }
  }
  return [...found.values()].toSorted(
    (one, other) =>
      other.weight - one.weight || other.top - one.top || one.key.localeCompare(other.key),
  );
}

/** The line of a group in a window; undefined if the window does not know it. */
export function lineOf(
  evaluation: AlertEvaluation,
  group: ShownGroup | undefined,
): Line | undefined {
  return group
    ? evaluation.groups?.find((one) => JSON.stringify(one.group) === group.key)
    : evaluation;
}

interface ShapeOptions {
  /** Newest first. */
  evaluations: readonly AlertEvaluation[];
  /** Empty: the alert has no groups. */
  groups: readonly ShownGroup[];
  span: Span;
}

/** Values over time: one line, or one for each group. */
export function timeDataOf(
  { evaluations, groups, span }: ShapeOptions,
  bucketMs: number,
  book: ColorBook,
): TimeData {
  const timesMs = bucketStarts(span, bucketMs);
  const first = timesMs[0] ?? 0;
  const all = groups.length === 0 ? [undefined] : groups;
  book.add(groups.map(({ group }) => groupText(group)));
  const series = all.map((group) => {
    const values: (number | null)[] = timesMs.map(() => null);
    for (const evaluation of evaluations.toReversed()) {
      const index = Math.floor((Date.parse(evaluation.windowStart) - first) / bucketMs);
      if (index >= 0 && index < values.length && !evaluation.skipped) {
        values[index] = lineOf(evaluation, group)?.value ?? null;
      }
    }
    const name = group ? groupText(group.group) : 'Value';
    return { name, ...(group ? book.look(name) : aloneLook), values };
  });
  return { timesMs, bucketMs, series };
}

/** States over time: one lane, or one for each group. */
export function lanesOf({ evaluations, groups, span }: ShapeOptions): StateLane[] {
  const all = groups.length === 0 ? [undefined] : groups;
  return all.map((group) => ({
    name: group ? groupText(group.group) : '',
    runs: runsOf(evaluations, group, span),
  }));
}

function runsOf(
  evaluations: readonly AlertEvaluation[],
  group: ShownGroup | undefined,
  span: Span,
): StateRun[] {
  const runs: StateRun[] = [];
  for (const evaluation of evaluations.toReversed()) {
    const line = lineOf(evaluation, group);
    if (!line) {
      continue;
    }
    const isSkipped = (evaluation.skipped ?? 0) > 0;
    const state = isSkipped ? 'skipped' : line.state;
    const startMs = Math.max(Date.parse(evaluation.windowStart), span.startMs);
    const endMs = Math.min(Date.parse(evaluation.windowEnd), span.endMs);
    const last = runs.at(-1);
    if (last?.state === state && last.endMs >= startMs) {
      last.endMs = Math.max(last.endMs, endMs);
    } else if (startMs < endMs) {
      runs.push({ startMs, endMs, state, word: isSkipped ? 'not evaluated' : state });
    }
  }
  return runs;
}

/** Since when something fires, as far as the evaluations tell. */
export interface FiringSince {
  sinceMs: number;
  /** It may have begun before the first of the evaluations. */
  isAtLeast: boolean;
}

/** @param newest evaluations, newest first. Undefined: it does not fire. */
export function firingSince(
  newest: readonly AlertEvaluation[],
  group?: ShownGroup,
): FiringSince | undefined {
  const calm = newest.findIndex(
    (evaluation) => !evaluation.skipped && lineOf(evaluation, group)?.state !== 'firing',
  );
  const firing = calm < 0 ? newest : newest.slice(0, calm);
  const first = firing.findLast(({ skipped }) => !skipped);
  return first && { sinceMs: Date.parse(first.windowEnd), isAtLeast: calm < 0 };
}
