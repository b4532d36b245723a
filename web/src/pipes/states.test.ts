import { describe, expect, it } from 'vitest';
import { PipeState } from '../../../src/contract/pipe/pipe.ts';
import type { ListedPipe } from '../api/queries/pipes.ts';
import { byUrgency, canStart, canStop, isPassing, pipeStates } from './states.ts';

const pipe = (name: string, state: PipeState, errors = 0): ListedPipe =>
  ({ name, state, counts: { errors } }) as ListedPipe;

describe('states of pipes', () => {
  it('are all those of the contract', () => {
    expect(pipeStates.toSorted()).toEqual(PipeState.options.toSorted());
  });

  it('are sorted by what needs a person first, then by name', () => {
    const pipes = [
      pipe('b', 'Running'),
      pipe('a', 'Running'),
      pipe('c', 'Running', 3),
      pipe('d', 'Completed', 9),
      pipe('e', 'Degraded'),
      pipe('f', 'Failed'),
    ];
    expect(pipes.toSorted(byUrgency).map(({ name }) => name)).toEqual([...'fecabd']);
  });

  it('never offer to start and to stop at once, and a pipe that is being deleted neither', () => {
    for (const state of PipeState.options) {
      expect([canStart({ state }), canStop({ state })]).not.toEqual([true, true]);
    }
    expect([canStart({ state: 'Deleting' }), canStop({ state: 'Deleting' })]).toEqual([
      false,
      false,
    ]);
    expect(PipeState.options.filter((state) => canStop({ state }))).toEqual([
      'Provisioning',
      'Setup',
      'Snapshot',
      'Running',
      'Degraded',
    ]);
  });

  it('pass by themselves, or stay until somebody acts', () => {
    expect(PipeState.options.filter((state) => !isPassing({ state })).toSorted()).toEqual([
      'Completed',
      'Degraded',
      'Failed',
      'Paused',
      'Running',
      'Stopped',
    ]);
  });
});
