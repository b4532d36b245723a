import { Button } from './button.tsx';
import { Notice } from './state.tsx';
import { usePref } from '../view/use-pref.ts';
import { formatClock, zoneName } from '../view/zone.ts';

interface StaleNoteProps {
  error: Error;
  /** Of when the shown data is. */
  atMs: number;
  onRetry(): void;
}

/** The data on screen is old: a refresh failed. */
export function StaleNote({ error, atMs, onRetry }: StaleNoteProps) {
  const [zonePref] = usePref('zone');
  return (
    <Notice
      action={
        <Button size="small" look="plain" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      As of {formatClock(atMs, zoneName(zonePref))}: {error.message}
    </Notice>
  );
}
