import type { Claim, PipeReplayStatus, PipeStore } from '../../../ports/store/pipe-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

/** Replays of bad records: who asked, and how they stand. */
export function createReplays(session: Session): Pick<PipeStore, 'askReplay' | 'reportReplay'> {
  return {
    askReplay: async (workspaceId, pipeId, replay) =>
      (await session.run(setReplay, { workspaceId, pipeId, replay: JSON.stringify(replay) })) > 0,
    reportReplay: (claim: Claim, replay: PipeReplayStatus) =>
      session
        .run(setClaimedReplay, { ...claim, replay: JSON.stringify(replay) })
        .then((changes) => changes > 0),
  };
}

type Values = { workspaceId: string; pipeId: string; replay: string };

const setReplay = statement<Values>()((queries, { workspaceId, pipeId, replay }) =>
  queries
    .ofWorkspace(workspaceId)
    .updateTable('pipe_statuses')
    .set({ replay })
    .where('pipe_id', '=', pipeId),
);

const setClaimedReplay = statement<Values & { partition: string; epoch: number }>()(
  (queries, { workspaceId, pipeId, partition, epoch, replay }) =>
    queries
      .ofWorkspace(workspaceId)
      .updateTable('pipe_statuses')
      .set({ replay })
      .where('pipe_id', '=', pipeId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('pipe_partitions')
            .select('epoch')
            .where('workspace_id', '=', workspaceId)
            .where('pipe_id', '=', pipeId)
            .where('source_partition', '=', partition)
            .where('epoch', '=', epoch),
        ),
      ),
);
