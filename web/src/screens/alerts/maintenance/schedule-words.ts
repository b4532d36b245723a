import type { MaintenanceWindow } from '../../../api/queries/maintenance.ts';
import { formatClock, formatTime } from '../../../view/zone.ts';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * A cron expression of the usual shapes in words: `Every Sunday at 02:00`. Others stay as they are.
 */
export function cronWords(expression: string): string {
  const [minute = '', hour = '', date = '', month = '', weekday = '', ...more] = expression
    .trim()
    .split(/\s+/);
  const isTime = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour);
  if (!isTime || month !== '*' || more.length > 0) {
    return expression;
  }
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (date === '*' && weekday === '*') {
    return `Every day ${at}`;
  }
  if (date === '*') {
    const named = weekdayWords(weekday);
    return named === undefined ? expression : `Every ${named} ${at}`;
  }
  return weekday === '*' && /^\d{1,2}$/.test(date)
    ? `On day ${Number(date)} of each month ${at}`
    : expression;
}

/** `Saturday and Sunday` of `SAT,SUN`, `Monday to Friday` of `1-5`. */
function weekdayWords(text: string): string | undefined {
  const range = text.split('-').map(dayName);
  if (range.length === 2 && range.every((day) => day !== undefined)) {
    return range.join(' to ');
  }
  const list = text.split(',').map(dayName);
  return list.every((day) => day !== undefined) ? list.join(' and ') : undefined;
}

function dayName(text: string): string | undefined {
  if (/^[0-7]$/.test(text)) {
    return days[Number(text) % 7];
  }
  return days.find((day) => day.slice(0, 3).toUpperCase() === text.toUpperCase());
}

/** When a window is, in words. */
export function scheduleWords(
  { schedule }: Pick<MaintenanceWindow, 'schedule'>,
  zone: string,
): string {
  return schedule.type === 'cron'
    ? `${cronWords(schedule.expression)} for ${schedule.duration}, ${schedule.timeZone}`
    : spanWords(Date.parse(schedule.from), Date.parse(schedule.to), zone);
}

/** `Nov 23 22:00 – 23:30`, with the second day if it is another. */
export function spanWords(fromMs: number, toMs: number, zone: string): string {
  const isOneDay = formatTime(fromMs, zone, 'day') === formatTime(toMs, zone, 'day');
  const end = isOneDay ? formatClock(toMs, zone, 'minute') : formatTime(toMs, zone, 'minute');
  return `${formatTime(fromMs, zone, 'minute')} – ${end}`;
}

/** Where a window stands in the list. */
export type Section = 'now' | 'coming' | 'recurring' | 'past';

export const sections: readonly { section: Section; title: string }[] = [
  { section: 'now', title: 'Now' },
  { section: 'coming', title: 'Coming' },
  { section: 'recurring', title: 'Recurring' },
  { section: 'past', title: 'Past' },
];

export function sectionOf({ active, schedule, occurrence }: MaintenanceWindow): Section {
  if (active) {
    return 'now';
  }
  if (schedule.type === 'cron') {
    return 'recurring';
  }
  return occurrence ? 'coming' : 'past';
}

/** The next first; of those that are over, the last first. */
export function bySchedule(one: MaintenanceWindow, other: MaintenanceWindow): number {
  const isPast = sectionOf(one) === 'past' && sectionOf(other) === 'past';
  return isPast ? timeOf(other) - timeOf(one) : timeOf(one) - timeOf(other);
}

function timeOf({ schedule, occurrence }: MaintenanceWindow): number {
  const ended = schedule.type === 'once' ? schedule.to : '';
  return Date.parse(occurrence?.from ?? ended);
}
