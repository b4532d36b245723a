import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import {
  isReplaying,
  pipeReplayQuery,
  replayPipe,
  type Pipe,
  type PipeReplay,
} from '../../api/queries/pipes.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { usePipeRights } from '../../pipes/rights.ts';
import { formatCount } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneName } from '../../view/zone.ts';
import styles from './pipe.module.css';

interface ReplayProps {
  pipe: Pipe;
  /** There are records that a replay would try. */
  isPossible: boolean;
}

/** Stores bad records once more, and says how the last such replay stands. */
export function Replay({ pipe, isPossible }: ReplayProps) {
  const { data: replay } = useQuery(pipeReplayQuery(pipe.id));
  const { canChange, reason } = usePipeRights();
  const { isBusy, error, run } = useAction();
  const [zonePref] = usePref('zone');
  const isRunning = replay !== undefined && isReplaying(replay);
  const status = replay && statusText(replay, zoneName(zonePref));
  if (!isPossible && status === undefined) {
    return null;
  }
  return (
    <>
      <div className={styles.recordsHead}>
        <span className={styles.quiet} role="status">
          {status ??
            'After you changed the pipe or its table, a replay stores these records once more.'}
        </span>
        {isPossible && (
          <Button
            size="small"
            icon={<RotateCw size={14} aria-hidden />}
            disabled={!canChange || isBusy || isRunning}
            title={reason}
            onClick={() => void run(() => replayPipe(pipe.id))}
          >
            Replay
          </Button>
        )}
      </div>
      <ErrorText error={error} />
    </>
  );
}

/** How the replay stands, as a sentence. Undefined: there was none. */
function statusText(replay: PipeReplay, zone: string): string | undefined {
  const { state, endedAt, replayed, refused, message } = replay;
  const counts = `${formatCount(replayed)} stored, ${formatCount(refused)} refused again`;
  if (state === 'None') {
    return undefined;
  }
  if (isReplaying(replay)) {
    return message === null
      ? `The replay runs: ${counts}.`
      : `The replay waits: ${message}. ${counts}.`;
  }
  const time = endedAt === null ? '' : ` at ${formatTime(Date.parse(endedAt), zone, 'second')}`;
  return state === 'Failed'
    ? `The last replay failed${time}: ${message}. ${counts}.`
    : `The last replay ended${time}: ${counts}.`;
}
