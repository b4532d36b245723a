import { Calendar } from 'lucide-react';
import { useState } from 'react';
import { parseFuture } from '../view/future.ts';
import { formatAgo, formatTime, momentIn, partsIn, zoneLabel } from '../view/zone.ts';
import { IconButton } from './button.tsx';
import { Field } from './field.tsx';
import { MonthDays, type CalendarDay } from './month-grid.tsx';
import { Popover } from './popover.tsx';
import styles from './moment-field.module.css';

interface MomentFieldProps {
  label: string;
  /** Undefined: the text is not understood. */
  ms: number | undefined;
  zone: string;
  error?: string | undefined;
  /** A time without a day is the next one after this moment. */
  afterMs?: number | undefined;
  autoFocus?: boolean;
  onChange(ms: number | undefined): void;
}

/** A moment as text, or from a calendar. Below it stands what was understood. */
export function MomentField({ label, ms, zone, error, afterMs, ...props }: MomentFieldProps) {
  // What the person wrote stands as it is until another value comes from outside.
  const [written, setWritten] = useState({ text: textOf(ms, zone), ms });
  const [isOpen, setOpen] = useState(false);
  const text = written.ms === ms ? written.text : textOf(ms, zone);
  const write = (next: string, nextMs: number | undefined): void => {
    setWritten({ text: next, ms: nextMs });
    props.onChange(nextMs);
  };
  const chooseDay = (day: CalendarDay): void => {
    const { hour, minute } = ms === undefined ? { hour: 0, minute: 0 } : partsIn(ms, zone);
    const chosen = momentIn({ ...day, hour, minute, second: 0 }, zone);
    setOpen(false);
    write(textOf(chosen, zone), chosen);
  };
  const problem =
    ms === undefined ? 'is not understood: write “18:00”, “tomorrow 9:00” or “4h”' : error;
  return (
    <div className={styles.moment}>
      <Field
        label={label}
        autoComplete="off"
        autoFocus={props.autoFocus}
        spellCheck={false}
        value={text}
        error={problem}
        hint={ms === undefined ? undefined : understood(ms, zone)}
        onChange={({ target: { value } }) =>
          write(value, parseFuture(value, zone, Date.now(), afterMs))
        }
      />
      <Popover
        label={`Day of ${label}`}
        open={isOpen}
        onOpenChange={setOpen}
        align="end"
        trigger={
          <IconButton
            label={`Choose the day of ${label}`}
            look="normal"
            className={styles.calendar}
          >
            <Calendar size={14} aria-hidden />
          </IconButton>
        }
      >
        <div className={styles.month}>
          <MonthDays
            zone={zone}
            aroundMs={ms}
            isPressed={(day) => ms !== undefined && isOnDay(ms, day, zone)}
            onDay={chooseDay}
          />
        </div>
      </Popover>
    </div>
  );
}

const textOf = (ms: number | undefined, zone: string): string =>
  ms === undefined ? '' : formatTime(ms, zone, 'minute');

/** `Nov 23 09:00 UTC+1, in 14 h` */
const understood = (ms: number, zone: string): string =>
  `${formatTime(ms, zone, 'minute')} ${zoneLabel(zone, ms)}, ${formatAgo(ms)}`;

function isOnDay(ms: number, day: CalendarDay, zone: string): boolean {
  const at = partsIn(ms, zone);
  return at.year === day.year && at.month === day.month && at.day === day.day;
}
