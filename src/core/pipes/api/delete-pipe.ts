import type { deletePipe } from '../../../contract/pipe/pipe.ts';
import { pause } from '../../../ports/pause.ts';
import type { ChangeOutcome } from '../../verb/change.ts';
import { untilSettled } from '../../verb/crud.ts';
import type { ChangeCall } from '../../verb/verb.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { createdAtSource } from '../deletion.ts';
import { checkVersion, pipeDocument } from './stored-versions.ts';

type Deletion = ChangeCall<typeof deletePipe>;

/** Time that the response waits for the clean-up of the source. */
const cleanUpWaitMs = 2000;
const lookEveryMs = 25;

/**
 * Deletes a pipe. If it may have created objects at its source, it stays in the state `Deleting`
 * until a supervisor has removed them, or a caller gives up with `force`.
 * @param deleted called after the change and before the wait for the clean-up
 */
export async function deletePipeDocument(
  deps: PipeVerbDependencies,
  { principal, params: { pipeId: id }, query, ifMatch, commit, signal }: Deletion,
  deleted: () => void,
): Promise<ChangeOutcome<undefined>> {
  const abandonsSource = query.force === 'true';
  let objects: string[] = [];
  const outcome = await commit(id, (parts) =>
    untilSettled('pipe', async () => {
      const document = await pipeDocument(parts, principal, id);
      checkVersion(document, ifMatch);
      const status = await parts.pipes.status(document.workspaceId, id);
      // A source that has never answered has nothing of the pipe.
      objects = status?.sourceOpened === true ? createdAtSource(deps.kinds, document) : [];
      if (objects.length > 0 && !abandonsSource) {
        if (status?.wish !== 'remove') {
          await parts.pipes.ask(document.workspaceId, id, { wish: 'remove', state: 'Deleting' });
        }
        return { value: undefined };
      }
      const { workspaceId, version, body, sealed } = document;
      await parts.pipes.markDeleted(workspaceId, id, { body, sealed, abandonsSource });
      const removed = await parts.documents.remove(workspaceId, 'pipe', id, version);
      return removed ? { value: undefined } : undefined;
    }),
  );
  deleted();
  if (objects.length === 0) {
    return outcome;
  }
  if (abandonsSource) {
    return { ...outcome, notice: abandonedMessage(objects) };
  }
  const notice = await pendingNotice(deps, principal.workspace.id, id, { objects, signal });
  return { ...outcome, ...(notice === undefined ? {} : { notice }) };
}

/** Undefined as soon as the source is clean; what remains to be done if it is not clean in time. */
async function pendingNotice(
  { store }: PipeVerbDependencies,
  workspaceId: string,
  id: string,
  { objects, signal }: { objects: string[]; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const ended = signal ?? new AbortController().signal;
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const status = await store.pipes.status(workspaceId, id);
    if (!status) {
      return undefined;
    }
    if (waitedMs >= cleanUpWaitMs || ended.aborted) {
      return status.message ?? runningMessage(objects);
    }
    await pause(lookEveryMs, ended);
  }
}

const runningMessage = (objects: readonly string[]): string =>
  `The server is still removing ${objects.join(' and ')} at the source. ` +
  'The state of the pipe is Deleting until they are gone.';

const abandonedMessage = (objects: readonly string[]): string =>
  `The server did not remove ${objects.join(' and ')} at the source. Remove them yourself.`;
