import { Fault, invalid, notFound } from '../../../contract/errors.ts';
import {
  getPipeReplay,
  replayPipeErrors,
  type PipeReplay,
} from '../../../contract/pipe/pipe-replay.ts';
import type { PipeReplayStatus, PipeStatus } from '../../../ports/store/pipe-store.ts';
import { changeVerb, readVerb } from '../../verb/verb.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import { pipeDocument } from './stored-versions.ts';

/** The verbs of replays. `changed` is called after each request. */
export function replayVerbs(deps: PipeVerbDependencies, changed: () => void) {
  const { store, kinds, clock } = deps;
  return {
    replayPipeErrors: changeVerb(replayPipeErrors, async ({ principal, params, commit }) => {
      const outcome = await commit(params.pipeId, async (parts) => {
        const { workspaceId, id, body } = await pipeDocument(parts, principal, params.pipeId);
        const { kind, rules } = sourceIn(kinds, body.source);
        if (!rules.canReplay) {
          const message = `replay is for pipes that read records; the source of this one is ${kind}`;
          throw invalid([{ path: 'pipeId', message }]);
        }
        refuseNow(await parts.pipes.status(workspaceId, id));
        const replay: PipeReplayStatus = {
          state: 'Pending',
          requestedAtMs: clock.now(),
          endedAtMs: null,
          replayed: 0,
          refused: 0,
          message: null,
        };
        await parts.pipes.askReplay(workspaceId, id, replay);
        return { value: replayOf(replay) };
      });
      changed();
      return outcome;
    }),
    getPipeReplay: readVerb(getPipeReplay, async ({ principal, params }) => {
      const { workspaceId, id } = await pipeDocument(store, principal, params.pipeId);
      const status = await store.pipes.status(workspaceId, id);
      return { value: status?.replay ? replayOf(status.replay) : none };
    }),
  };
}

function refuseNow(status: PipeStatus | undefined): void {
  if (!status) {
    throw notFound('pipe');
  }
  if (status.wish === 'remove') {
    throw new Fault('conflict', 'the pipe is being deleted. Create a new pipe instead.');
  }
  if (status.replay?.endedAtMs === null) {
    throw new Fault('conflict', 'a replay of the pipe is running. Wait until it has ended.');
  }
}

const none: PipeReplay = {
  state: 'None',
  requestedAt: null,
  endedAt: null,
  replayed: 0,
  refused: 0,
  message: null,
};

const replayOf = ({ requestedAtMs, endedAtMs, ...replay }: PipeReplayStatus): PipeReplay => ({
  ...replay,
  requestedAt: new Date(requestedAtMs).toISOString(),
  endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
});
