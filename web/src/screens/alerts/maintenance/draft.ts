import type { MaintenanceInput, MaintenanceWindow } from '../../../api/queries/maintenance.ts';

/** What stands in the form of a window, understood or not. */
export interface WindowDraft {
  name: string;
  type: 'once' | 'cron';
  /** Undefined: the text is not understood. */
  fromMs: number | undefined;
  toMs: number | undefined;
  expression: string;
  timeZone: string;
  duration: string;
  covers: 'all' | 'some';
  ids: readonly string[];
  tags: readonly string[];
}

const hourMs = 3_600_000;

/** From the next full hour on, for one hour. */
export function newDraft(zone: string, nowMs: number): WindowDraft {
  const fromMs = Math.ceil(nowMs / hourMs) * hourMs;
  return {
    name: '',
    type: 'once',
    fromMs,
    toMs: fromMs + hourMs,
    expression: '0 2 * * SUN',
    timeZone: zone,
    duration: '2h',
    covers: 'all',
    ids: [],
    tags: [],
  };
}

export function draftOf(
  { name, schedule, alerts }: MaintenanceWindow,
  zone: string,
  nowMs: number,
): WindowDraft {
  const { all, ids, tags } = alerts;
  const base: WindowDraft = {
    ...newDraft(zone, nowMs),
    name,
    covers: all ? 'all' : 'some',
    ids,
    tags,
  };
  return schedule.type === 'once'
    ? { ...base, fromMs: Date.parse(schedule.from), toMs: Date.parse(schedule.to) }
    : { ...base, ...schedule };
}

/** The body of the API. A time that is not understood is absent, which the rules refuse. */
export function inputOf(draft: WindowDraft): MaintenanceInput {
  const { name, type, fromMs, toMs, expression, timeZone, duration, covers, ids, tags } = draft;
  const schedule =
    type === 'once'
      ? { type, from: isoOf(fromMs), to: isoOf(toMs) }
      : { type, expression: expression.trim(), timeZone, duration: duration.trim() };
  return {
    name: name.trim(),
    schedule: schedule as MaintenanceInput['schedule'],
    alerts:
      covers === 'all'
        ? { all: true, ids: [], tags: [] }
        : { all: false, ids: [...ids], tags: [...tags] },
  };
}

const isoOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();
