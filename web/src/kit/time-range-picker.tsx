import { Calendar, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { keyLabel } from '../view/keys.ts';
import { parseRange, quickRanges, rangeLabel, type TimeRange } from '../view/time-range.ts';
import { usePref } from '../view/use-pref.ts';
import { zoneLabel, zoneName } from '../view/zone.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { MonthGrid } from './month-grid.tsx';
import { Popover } from './popover.tsx';
import { Tooltip } from './tooltip.tsx';
import styles from './time-range-picker.module.css';

interface TimeRangePickerProps {
  range: TimeRange;
  open: boolean;
  onOpenChange(open: boolean): void;
  onChange(range: TimeRange): void;
}

/** A time range as text, from a list, or from a calendar. */
export function TimeRangePicker({ range, open, onOpenChange, onChange }: TimeRangePickerProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const choose = (next: TimeRange): void => {
    onOpenChange(false);
    onChange(next);
  };
  return (
    <Popover
      label="Time range"
      open={open}
      onOpenChange={onOpenChange}
      align="end"
      trigger={
        <Button
          icon={<Calendar size={14} aria-hidden />}
          aria-keyshortcuts="t"
          aria-label={`Time range: ${rangeLabel(range, zone)}`}
          className={styles.trigger}
        >
          {rangeLabel(range, zone)}
        </Button>
      }
    >
      <div className={styles.picker}>
        <RangeText key={rangeLabel(range, zone)} range={range} zone={zone} onChoose={choose} />
        <div className={styles.columns}>
          <ul className={styles.quick} aria-label="Recent ranges">
            {quickRanges.map((quick) => (
              <li key={quick.label}>
                <button
                  type="button"
                  className={classNames(styles.item)}
                  aria-current={rangeLabel(range, zone) === quick.label}
                  onClick={() => choose(quick.range)}
                >
                  {quick.label}
                </button>
              </li>
            ))}
          </ul>
          <MonthGrid zone={zone} onChoose={choose} />
        </div>
        <p className={styles.zone}>
          Times are in {zone === 'UTC' ? zone : `${zone} (${zoneLabel(zone)})`}.
        </p>
      </div>
    </Popover>
  );
}

interface RangeTextProps {
  range: TimeRange;
  zone: string;
  onChoose(range: TimeRange): void;
}

function RangeText({ range, zone, onChoose }: RangeTextProps) {
  const [text, setText] = useState(() => rangeLabel(range, zone));
  const [isBroken, setBroken] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = parseRange(text, zone, Date.now());
    setBroken(parsed === undefined);
    if (parsed) {
      onChoose(parsed);
    }
  };
  return (
    <form onSubmit={submit} className={styles.text}>
      <input
        autoFocus
        aria-label="Time range as text"
        aria-invalid={isBroken}
        aria-describedby="range-forms"
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        className={styles.input}
      />
      <p id="range-forms" className={isBroken ? styles.error : styles.hint}>
        {isBroken ? 'Not understood. ' : ''}Write “past 45m”, “10:00 – 11:30” or “Mar 4 10:00 – Mar
        5”.
      </p>
    </form>
  );
}

interface RangeStepsProps {
  onStep(direction: -1 | 1): void;
}

/** Buttons to the range before and after. */
export function RangeSteps({ onStep }: RangeStepsProps) {
  return (
    <div className={styles.steps}>
      {([-1, 1] as const).map((direction) => {
        const label = direction < 0 ? 'Earlier range' : 'Later range';
        const Icon = direction < 0 ? ChevronLeft : ChevronRight;
        return (
          <Tooltip key={direction} text={label} shortcut={direction < 0 ? '[' : ']'}>
            <Button
              aria-label={`${label} (${keyLabel(direction < 0 ? '[' : ']')})`}
              onClick={() => onStep(direction)}
              className={styles.step}
            >
              <Icon size={14} aria-hidden />
            </Button>
          </Tooltip>
        );
      })}
    </div>
  );
}
