import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { TimeRange } from '../view/time-range.ts';
import { momentIn, monthNames, partsIn } from '../view/zone.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './time-range-picker.module.css';

interface MonthGridProps {
  zone: string;
  onChoose(range: TimeRange): void;
}

export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** Days of a month: the first click chooses the first day, the second the last. */
export function MonthGrid({ zone, onChoose }: MonthGridProps) {
  const [first, setFirst] = useState<CalendarDay>();
  const choose = (day: CalendarDay): void => {
    if (!first) {
      setFirst(day);
      return;
    }
    const [start, end] = [first, day].sort((a, b) => startOf(a, zone) - startOf(b, zone));
    if (start && end) {
      onChoose({ from: startOf(start, zone), to: startOf({ ...end, day: end.day + 1 }, zone) });
    }
  };
  return (
    <div className={styles.month}>
      <MonthDays
        zone={zone}
        isPressed={(day) => first !== undefined && startOf(first, zone) === startOf(day, zone)}
        onDay={choose}
      />
      <p className={styles.hint}>
        {first ? 'Choose the last day.' : 'Choose the first day, then the last.'}
      </p>
    </div>
  );
}

interface MonthDaysProps {
  zone: string;
  /** A moment of the month that is shown first; absent: now. */
  aroundMs?: number | undefined;
  isPressed(day: CalendarDay): boolean;
  onDay(day: CalendarDay): void;
}

/** The days of a month, and the way to other months. */
export function MonthDays({ zone, aroundMs, isPressed, onDay }: MonthDaysProps) {
  const today = partsIn(Date.now(), zone);
  const [shown, setShown] = useState(() => partsIn(aroundMs ?? Date.now(), zone));
  const move = (months: number): void =>
    setShown((now) => {
      const at = new Date(Date.UTC(now.year, now.month - 1 + months, 1));
      return { ...now, year: at.getUTCFullYear(), month: at.getUTCMonth() + 1 };
    });
  const { year, month } = shown;
  const leading = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const title = `${monthNames[month - 1]} ${year}`;
  const isToday = (day: number): boolean =>
    day === today.day && month === today.month && year === today.year;
  return (
    <>
      <div className={styles.monthHead}>
        <IconButton label="Previous month" size="small" onClick={() => move(-1)}>
          <ChevronLeft size={14} aria-hidden />
        </IconButton>
        <span aria-live="polite">{title}</span>
        <IconButton label="Next month" size="small" onClick={() => move(1)}>
          <ChevronRight size={14} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.days} role="group" aria-label={title}>
        {weekdays.map((name) => (
          <span key={name} className={styles.weekday} aria-hidden>
            {name}
          </span>
        ))}
        {Array.from({ length: leading }, (_, index) => (
          <span key={`before-${index}`} />
        ))}
        {Array.from({ length }, (_, index) => (
          <button
            key={index}
            type="button"
            aria-label={`${title.slice(0, 3)} ${index + 1} ${year}`}
            aria-pressed={isPressed({ year, month, day: index + 1 })}
            className={classNames(styles.day, isToday(index + 1) && styles.today)}
            onClick={() => onDay({ year, month, day: index + 1 })}
          >
            {index + 1}
          </button>
        ))}
      </div>
    </>
  );
}

function startOf({ year, month, day }: CalendarDay, zone: string): number {
  const at = new Date(Date.UTC(year, month - 1, day));
  return momentIn(
    {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: 0,
      minute: 0,
      second: 0,
    },
    zone,
  );
}
