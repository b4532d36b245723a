import type { ListedPipe, Pipe, PipeState } from '../api/queries/pipes.ts';

/** What needs a person first. The states of the contract are the words on screen. */
export const pipeStates = [
  'Failed',
  'Degraded',
  'Deleting',
  'Provisioning',
  'Setup',
  'Snapshot',
  'Stopping',
  'Pausing',
  'Running',
  'Stopped',
  'Paused',
  'Completed',
] as const satisfies readonly PipeState[];

const atWork: ReadonlySet<PipeState> = new Set([
  'Provisioning',
  'Setup',
  'Snapshot',
  'Running',
  'Degraded',
]);

export const canStart = ({ state }: Pick<Pipe, 'state'>): boolean =>
  !atWork.has(state) && state !== 'Deleting';
export const canStop = ({ state }: Pick<Pipe, 'state'>): boolean => atWork.has(state);

const passing: ReadonlySet<PipeState> = new Set([
  'Deleting',
  'Provisioning',
  'Setup',
  'Snapshot',
  'Stopping',
  'Pausing',
]);

/** Whether the state changes by itself soon. */
export const isPassing = ({ state }: Pick<Pipe, 'state'>): boolean => passing.has(state);

export const nameOf = ({ name }: Pick<Pipe, 'name'>): string =>
  name.trim() === '' ? 'Unnamed pipe' : name;

/** Worst first: by state, then pipes with bad records, then by name. */
export function byUrgency(one: ListedPipe, other: ListedPipe): number {
  return rank(one) - rank(other) || nameOf(one).localeCompare(nameOf(other));
}

const rank = ({ state, counts }: ListedPipe): number =>
  pipeStates.indexOf(state) * 2 + (counts.errors > 0 ? 0 : 1);

/** What happens now and what a person can do. */
export const nextSteps: Record<PipeState, string> = {
  Failed: 'The pipe has given up and does not try again. Correct the reason, then start it.',
  Degraded:
    'The pipe keeps trying and goes on by itself once it can. ' +
    'If the reason stays, correct it at the source, at the table or in the settings.',
  Deleting:
    'The server removes what the pipe made at its source, and keeps trying until it is gone. ' +
    'To give up, delete the pipe again and leave it there.',
  Provisioning: 'The server prepares the table and connects to the source. There is nothing to do.',
  Setup: 'The server prepares the replication at the source. There is nothing to do.',
  Snapshot: 'The pipe loads the rows that the source has now. Changes follow.',
  Stopping: 'The pipe stores the records that it has read, then it stops.',
  Pausing: 'The pipe stores the records that it has read, then it pauses.',
  Running: 'The pipe reads its source and stores what is new. There is nothing to do.',
  Stopped: 'The pipe reads nothing and keeps its position. Start it to go on from there.',
  Paused:
    'The pipe reads nothing and keeps its position. Start it to go on from there. ' +
    'Until then, the source keeps its log for the pipe.',
  Completed: 'The pipe has loaded everything that it was told to load. There is nothing to do.',
};
