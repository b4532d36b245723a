import { Button } from '../../../kit/button.tsx';
import { Choices } from '../../../kit/choices.tsx';
import { Field } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { MomentField } from '../../../kit/moment-field.tsx';
import type { Span } from '../../../view/time-range.ts';
import { zoneLabel, zones } from '../../../view/zone.ts';
import type { WindowDraft } from './draft.ts';
import { cronWords, spanWords } from './schedule-words.ts';
import styles from './maintenance.module.css';

type Occurrences = (
  schedule: Pick<WindowDraft, 'expression' | 'timeZone' | 'duration'>,
  count: number,
) => Span[];

interface ScheduleFieldsProps {
  draft: WindowDraft;
  /** The zone of the person. */
  zone: string;
  issueAt(path: string): string | undefined;
  /** Absent while the rules are loaded. */
  occurrences: Occurrences | undefined;
  onChange(part: Partial<WindowDraft>): void;
}

/** Once from a time to another, or recurring. */
export function ScheduleFields(props: ScheduleFieldsProps) {
  const { draft, onChange } = props;
  return (
    <div className={styles.group}>
      <Choices
        label="Time"
        value={draft.type}
        choices={[
          { value: 'once', label: 'Once' },
          { value: 'cron', label: 'Recurring' },
        ]}
        onChange={(type) => onChange({ type })}
      />
      {draft.type === 'once' ? <OnceFields {...props} /> : <CronFields {...props} />}
    </div>
  );
}

function OnceFields({ draft, zone, issueAt, onChange }: ScheduleFieldsProps) {
  return (
    <div className={styles.columns}>
      <MomentField
        label="Begin"
        ms={draft.fromMs}
        zone={zone}
        error={issueAt('schedule.from')}
        onChange={(fromMs) => onChange({ fromMs })}
      />
      <MomentField
        label="End"
        ms={draft.toMs}
        zone={zone}
        afterMs={draft.fromMs}
        error={issueAt('schedule.to')}
        onChange={(toMs) => onChange({ toMs })}
      />
    </div>
  );
}

const examples = ['0 2 * * *', '0 2 * * SUN', '0 22 * * MON-FRI', '0 3 1 * *'];
const shownOccurrences = 3;

function CronFields({ draft, zone, issueAt, occurrences, onChange }: ScheduleFieldsProps) {
  const { expression, timeZone, duration } = draft;
  return (
    <>
      <Field
        label="Begin, as a cron expression"
        name="schedule"
        hint="Minute, hour, day of the month, month, day of the week."
        autoComplete="off"
        spellCheck={false}
        value={expression}
        error={issueAt('schedule.expression')}
        onChange={({ target }) => onChange({ expression: target.value })}
      />
      <ul className={styles.examples} aria-label="Examples">
        {examples.map((example) => (
          <li key={example}>
            <Button
              size="small"
              aria-pressed={example === expression}
              onClick={() => onChange({ expression: example })}
            >
              {cronWords(example)}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.columns}>
        <div className={styles.labelled}>
          <span className={styles.label} aria-hidden>
            Time zone
          </span>
          <Listbox
            label="Time zone"
            value={timeZone}
            choices={zoneChoices(timeZone)}
            onChange={(next) => onChange({ timeZone: next })}
          />
        </div>
        <Field
          label="Length"
          hint="Such as 30m, 2h or 1d (at most 7d)."
          autoComplete="off"
          value={duration}
          error={issueAt('schedule.duration')}
          onChange={({ target }) => onChange({ duration: target.value })}
        />
      </div>
      <Next
        spans={occurrences?.(
          { expression: expression.trim(), timeZone, duration },
          shownOccurrences,
        )}
        zone={timeZone}
        ownZone={zone}
      />
    </>
  );
}

function zoneChoices(current: string): { value: string; label: string }[] {
  const all = [
    { value: 'UTC', label: 'UTC' },
    ...zones().map(({ zone, title }) => ({ value: zone, label: title })),
  ];
  return all.some(({ value }) => value === current)
    ? all
    : [{ value: current, label: current }, ...all];
}

interface NextProps {
  spans: readonly Span[] | undefined;
  /** Of the expression. */
  zone: string;
  /** Of the person. */
  ownZone: string;
}

/** The next three times, in the zone of the expression and in that of the person. */
function Next({ spans, zone, ownZone }: NextProps) {
  if (!spans || spans.length === 0) {
    return null;
  }
  return (
    <div className={styles.next}>
      <h3>Next times</h3>
      <ol aria-label="Next times">
        {spans.map(({ startMs, endMs }) => (
          <li key={startMs}>
            {spanWords(startMs, endMs, zone)} {zoneLabel(zone, startMs)}
            {zone !== ownZone && (
              <span className={styles.about}>
                {' '}
                ({spanWords(startMs, endMs, ownZone)} {zoneLabel(ownZone, startMs)} for you)
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
