import { listedMax, type PipesStatus } from '../../../contract/status.ts';
import type { PipeStatus } from '../../../ports/store/pipe-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';

type Failing = PipesStatus['failing'][number];

/** The worst first. */
const failingStates = [
  'Failed',
  'Degraded',
  'Deleting',
] as const satisfies readonly Failing['state'][];

/** The pipes of a workspace that do not work, deleted ones that cannot be removed too. */
export async function pipesHealth(
  store: Pick<StoreReader, 'documents' | 'pipes'>,
  workspaceId: string,
): Promise<PipesStatus> {
  const [{ total }, statuses] = await Promise.all([
    store.documents.list(workspaceId, 'pipe', { limit: 1, offset: 0 }),
    store.pipes.statuses(workspaceId),
  ]);
  const failing = failingStates.flatMap((state) =>
    statuses
      .filter((status) => status.state === state && isFailing(status))
      .toSorted((a, b) => a.changedAtMs - b.changedAtMs)
      .map((status) => ({ ...status, state })),
  );
  const listed = failing.slice(0, listedMax);
  const documents = await store.documents.getMany(
    workspaceId,
    'pipe',
    listed.map(({ pipeId }) => pipeId),
  );
  const names = new Map(documents.map(({ id, body }) => [id, body.name]));
  return {
    total,
    failingCount: failing.length,
    failing: await Promise.all(
      listed.map(async ({ pipeId, state, message, changedAtMs }) => ({
        id: pipeId,
        name:
          names.get(pipeId) ??
          (await store.pipes.deletedPipe(workspaceId, pipeId))?.body.name ??
          '',
        state,
        message: message ?? '',
        since: new Date(changedAtMs).toISOString(),
      })),
    ),
  };
}

/** A deleted pipe without a message is about to be removed. */
const isFailing = ({ state, message }: PipeStatus): boolean =>
  state !== 'Deleting' || message !== null;
