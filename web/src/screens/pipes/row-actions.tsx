import { Pause, Play } from 'lucide-react';
import type { ListedPipe } from '../../api/queries/pipes.ts';
import { IconButton } from '../../kit/button.tsx';
import { ActionsCell } from '../../kit/list-table.tsx';
import { PipeMenu } from '../../pipes/pipe-menu.tsx';
import { usePipeRights } from '../../pipes/rights.ts';
import { canStart, canStop, nameOf } from '../../pipes/states.ts';
import styles from './pipes.module.css';

interface RowActionsProps {
  pipe: ListedPipe;
  isBusy: boolean;
  onCommand(command: 'start' | 'stop'): void;
}

/** What is done from the list: start or stop, and what is rarer. */
export function RowActions({ pipe, isBusy, onCommand }: RowActionsProps) {
  const { canChange, reason } = usePipeRights();
  const stops = canStop(pipe);
  const isOff = !canChange || isBusy || !(stops || canStart(pipe));
  return (
    <ActionsCell>
      <IconButton
        label={`${stops ? 'Stop' : 'Start'} ${nameOf(pipe)}`}
        shortcut={stops ? 'shift+s' : 's'}
        disabled={isOff}
        title={reason}
        onClick={() => onCommand(stops ? 'stop' : 'start')}
      >
        {stops ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </IconButton>
      <span className={styles.rare}>
        <PipeMenu pipe={pipe} />
      </span>
    </ActionsCell>
  );
}
