import { Pause, Play } from 'lucide-react';
import { commandOnePipe, type Pipe } from '../../api/queries/pipes.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { ObjectHead } from '../../kit/object-head.tsx';
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
      <ObjectHead
        back={{ to: '/pipes', label: 'Pipes' }}
        name={nameOf(pipe)}
        marks={<StateMark state={pipe.state} />}
      >
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
      </ObjectHead>
      <p className={styles.way}>
        {kindWords[kindOf(pipe)]} <b>{sourceText(pipe)}</b> into <b>{targetText(pipe)}</b>
      </p>
      <ErrorText error={error} />
    </>
  );
}
