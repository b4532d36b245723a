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

interface Day {
  year: number;
  month: number;
  day: number;
}

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** Days of a month: the first click chooses the first day, the second the last. */
export function MonthGrid({ zone, onChoose }: MonthGridProps) {
  const today = partsIn(Date.now(), zone);
  const [shown, setShown] = useState({ year: today.year, month: today.month });
  const [first, setFirst] = useState<Day>();
  const move = (months: number): void =>
    setShown(({ year, month }) => {
      const at = new Date(Date.UTC(year, month - 1 + months, 1));
      return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1 };
    });
  const choose = (day: Day): void => {
    if (!first) {
      setFirst(day);
      return;
    }
    const [start, end] = [first, day].sort((a, b) => startOf(a, zone) - startOf(b, zone));
    if (start && end) {
      onChoose({ from: startOf(start, zone), to: startOf({ ...end, day: end.day + 1 }, zone) });
    }
  };
  const leading = (new Date(Date.UTC(shown.year, shown.month - 1, 1)).getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(shown.year, shown.month, 0)).getUTCDate();
  const title = `${monthNames[shown.month - 1]} ${shown.year}`;
  return (
    <div className={styles.month}>
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
        {Array.from({ length }, (_, index) => {
          const day = { ...shown, day: index + 1 };
          const isToday =
            day.year === today.year && day.month === today.month && day.day === today.day;
          return (
            <button
              key={day.day}
              type="button"
              aria-label={`${title.slice(0, 3)} ${day.day} ${day.year}`}
              aria-pressed={first !== undefined && startOf(first, zone) === startOf(day, zone)}
              className={classNames(styles.day, isToday && styles.today)}
              onClick={() => choose(day)}
            >
              {day.day}
            </button>
          );
        })}
      </div>
      <p className={styles.hint}>
        {first ? 'Choose the last day.' : 'Choose the first day, then the last.'}
      </p>
    </div>
  );
}

function startOf({ year, month, day }: Day, zone: string): number {
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
