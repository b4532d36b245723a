import type { PipeState } from '../../contract/pipe/pipe.ts';
import type { KindStates } from './kinds/source-kind.ts';

/** What can happen to a pipe: a command of a caller, or something that a reader reports. */
export type PipeEvent =
  | { kind: 'start requested' }
  | { kind: 'stop requested' }
  | { kind: 'opened' }
  | { kind: 'phase'; phase: 'Snapshot' | 'Running'; note?: string | undefined }
  | { kind: 'trouble'; message: string }
  | { kind: 'recovered' }
  | { kind: 'failed'; message: string }
  | { kind: 'ended' }
  | { kind: 'stopped' };

export interface PipeCondition {
  state: PipeState;
  message: string | null;
}

const atWork: ReadonlySet<PipeState> = new Set([
  'Provisioning',
  'Setup',
  'Snapshot',
  'Running',
  'Degraded',
]);

/**
 * The next condition, or undefined if the event changes nothing. The table of all transitions is in
 * docs/rules/pipes.md.
 */
export function advanceLifecycle(
  states: KindStates,
  now: PipeCondition,
  event: PipeEvent,
): PipeCondition | undefined {
  const next = decide(states, now, event);
  return next === undefined || (next.state === now.state && next.message === now.message)
    ? undefined
    : next;
}

function decide(
  states: KindStates,
  { state }: PipeCondition,
  event: PipeEvent,
): PipeCondition | undefined {
  if (event.kind === 'start requested') {
    return { state: 'Provisioning', message: null };
  }
  if (event.kind === 'stop requested') {
    return atWork.has(state)
      ? { state: stateWhileEnding[states.resting], message: null }
      : atRest(states, state);
  }
  if (event.kind === 'stopped') {
    return state === 'Pausing' || state === 'Stopping'
      ? { state: states.resting, message: null }
      : undefined;
  }
  if (!atWork.has(state)) {
    return undefined;
  }
  switch (event.kind) {
    case 'opened':
      return state === 'Provisioning' ? { state: states.opened, message: null } : undefined;
    case 'phase':
      return { state: event.phase, message: event.note ?? null };
    case 'recovered':
      return state === 'Degraded' ? { state: 'Running', message: null } : undefined;
    case 'trouble':
      return { state: 'Degraded', message: event.message };
    case 'failed':
      return { state: 'Failed', message: event.message };
    case 'ended':
      return { state: 'Completed', message: null };
  }
}

const stateWhileEnding = { Stopped: 'Stopping', Paused: 'Pausing' } as const;

/** A second stop changes nothing; a pipe that failed or completed can be put to rest. */
function atRest(states: KindStates, state: PipeState): PipeCondition | undefined {
  return state === 'Failed' || state === 'Completed'
    ? { state: states.resting, message: null }
    : undefined;
}

/** The state of a pipe whose last reader has ended; undefined unless it is being stopped. */
export function stateAfterEnding(state: PipeState): KindStates['resting'] | undefined {
  if (state === 'Stopping') {
    return 'Stopped';
  }
  return state === 'Pausing' ? 'Paused' : undefined;
}

/** Whether a pipe in this state has readers. */
export function isAtWork(state: PipeState): boolean {
  return atWork.has(state);
}
