import { timeHint } from '../view/zone.ts';

interface TimeProps {
  ms: number;
  /** The time as it is shown, in the zone of the person. */
  children: string | string[];
}

/** A moment. The pointer over it says UTC, the time of this browser, and how long ago. */
export function Time({ ms, children }: TimeProps) {
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      // Only once it is asked for: tables show many times.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = timeHint(ms);
      }}
    >
      {children}
    </time>
  );
}
