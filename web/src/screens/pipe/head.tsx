import { Link } from '@tanstack/react-router';
import { ChevronLeft, Pause, Play } from 'lucide-react';
import { commandOnePipe, type Pipe } from '../../api/queries/pipes.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { kindOf, kindWords, sourceText, targetText } from '../../pipes/kinds.ts';
import { PipeMenu } from '../../pipes/pipe-menu.tsx';
import { usePipeRights } from '../../pipes/rights.ts';
import { StateMark } from '../../pipes/state-mark.tsx';
import { canStart, canStop, nameOf } from '../../pipes/states.ts';
import { useKeys } from '../../view/keys.ts';
import styles from './pipe.module.css';

interface HeadProps {
  pipe: Pipe;
  onDeleted(): void;
}

/** Name and state of a pipe, and what is done with it. */
export function Head({ pipe, onDeleted }: HeadProps) {
  const { isBusy, error, run } = useAction();
  const { canChange, reason } = usePipeRights();
  const stops = canStop(pipe);
  const isPossible = stops || canStart(pipe);
  const send = (command: 'start' | 'stop'): void =>
    void run(async () => {
      await commandOnePipe(pipe.id, command);
    });
  const onKey = (command: 'start' | 'stop', can: boolean): void => {
    if (reason !== undefined) {
      toast(reason);
    } else if (!can) {
      toast(`“${nameOf(pipe)}” is ${pipe.state}.`);
    } else if (!isBusy) {
      send(command);
    }
  };
  useKeys({
    s: () => onKey('start', canStart(pipe)),
    'shift+s': () => onKey('stop', stops),
  });
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <Link to="/pipes" className={styles.back} aria-label="Pipes">
            <ChevronLeft size={16} aria-hidden />
          </Link>
          <h1 title={nameOf(pipe)}>{nameOf(pipe)}</h1>
          <StateMark state={pipe.state} />
        </div>
        <div className={styles.tools}>
          <Button
            icon={stops ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
            aria-keyshortcuts={stops ? 'Shift+S' : 's'}
            disabled={!canChange || isBusy || !isPossible}
            title={reason}
            onClick={() => send(stops ? 'stop' : 'start')}
          >
            {stops ? 'Stop' : 'Start'}
          </Button>
          <PipeMenu pipe={pipe} onDeleted={onDeleted} />
        </div>
      </header>
      <p className={styles.way}>
        {kindWords[kindOf(pipe)]} <b>{sourceText(pipe)}</b> into <b>{targetText(pipe)}</b>
      </p>
      <ErrorText error={error} />
    </>
  );
}
