import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { commandPipes, type ListedPipe, type PipeState } from '../../api/queries/pipes.ts';
import { nameOf } from '../../pipes/states.ts';

type Command = 'start' | 'stop';

/** What came of a command for one pipe. */
export interface CommandLine {
  id: string;
  name: string;
  outcome: { state: PipeState } | { problem: string };
}

export interface Outcome {
  command: Command;
  lines: readonly CommandLine[];
}

export interface Commands {
  isBusy: boolean;
  /** Of the last command to several pipes, or of one that failed. */
  outcome: Outcome | undefined;
  forget(): void;
  send(pipes: readonly ListedPipe[], command: Command): void;
  sendOne(pipe: ListedPipe, command: Command): void;
}

/** Starts and stops pipes. Each has a result of its own. */
export function useCommands(): Commands {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async (pipes: readonly ListedPipe[], command: Command): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    const names = new Map(pipes.map((pipe) => [pipe.id, nameOf(pipe)]));
    const results = await commandPipes([...names.keys()], command);
    const lines = results.map(({ id, outcome: result }): CommandLine => {
      const name = names.get(id) ?? id;
      return {
        id,
        name,
        outcome: 'error' in result ? { problem: problemOf(result.error) } : result,
      };
    });
    setBusy(false);
    // The row itself shows what came of one that succeeded.
    const isSilent = lines.length === 1 && lines.every((line) => 'state' in line.outcome);
    setOutcome(isSilent ? undefined : { command, lines });
  };
  return {
    isBusy,
    outcome,
    forget: () => setOutcome(undefined),
    send: (pipes, command) => void send(pipes, command),
    sendOne: (pipe, command) => void send([pipe], command),
  };
}

/** Without the name of the field: there is only one. */
const problemOf = (error: Error): string =>
  (error instanceof ApiError ? error.issueAt('command') : undefined) ?? error.message;
