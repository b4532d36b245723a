import type { PipeState } from '../../contract/pipe/pipe.ts';
import type { SourceKindName } from '../../contract/pipe/sources.ts';

/** What can happen to a pipe. */
export type PipeEvent =
  | { kind: 'start asked' }
  | { kind: 'stop asked' }
  | { kind: 'opened' }
  | { kind: 'phase'; phase: 'Snapshot' | 'Running'; note?: string | undefined }
  | { kind: 'trouble'; message: string }
  | { kind: 'over' }
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

/** The next condition, or undefined where the event changes nothing. Its table is in docs/rules/pipes.md. */
export function advanceLifecycle(
  kind: SourceKindName,
  now: PipeCondition,
  event: PipeEvent,
): PipeCondition | undefined {
  const next = decide(kind, now, event);
  return next === undefined || (next.state === now.state && next.message === now.message)
    ? undefined
    : next;
}

function decide(
  kind: SourceKindName,
  { state }: PipeCondition,
  event: PipeEvent,
): PipeCondition | undefined {
  if (event.kind === 'start asked') {
    return { state: 'Provisioning', message: null };
  }
  if (event.kind === 'stop asked') {
    return atWork.has(state)
      ? { state: kind === 'postgres' ? 'Pausing' : 'Stopping', message: null }
      : resting(kind, state);
  }
  if (event.kind === 'stopped') {
    return state === 'Pausing' || state === 'Stopping'
      ? { state: restOf(kind), message: null }
      : undefined;
  }
  if (!atWork.has(state)) {
    return undefined;
  }
  switch (event.kind) {
    case 'opened':
      return state === 'Provisioning'
        ? { state: kind === 'postgres' ? 'Setup' : 'Running', message: null }
        : undefined;
    case 'phase':
      return { state: event.phase, message: event.note ?? null };
    case 'over':
      return state === 'Degraded' ? { state: 'Running', message: null } : undefined;
    case 'trouble':
      return { state: 'Degraded', message: event.message };
    case 'failed':
      return { state: 'Failed', message: event.message };
    case 'ended':
      return { state: 'Completed', message: null };
  }
}

const restOf = (kind: SourceKindName): PipeState => (kind === 'postgres' ? 'Paused' : 'Stopped');

/** Asking twice changes nothing; a pipe that failed or completed can be put to rest. */
function resting(kind: SourceKindName, state: PipeState): PipeCondition | undefined {
  return state === 'Failed' || state === 'Completed'
    ? { state: restOf(kind), message: null }
    : undefined;
}

/** Whether a pipe in this state has readers. */
export function isAtWork(state: PipeState): boolean {
  return atWork.has(state);
}
