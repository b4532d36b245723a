import { ConnectionLost, SourceFailed, type Connector } from '../../../ports/connector.ts';
import type { DeletedPipe, PipeStatus } from '../../../ports/store/pipe-store.ts';
import { backOffMs } from '../read/back-off.ts';
import { openSource } from '../definition.ts';
import { createdAtSource, deletionMessage } from '../deletion.ts';
import type { PipesDependencies } from '../dependencies.ts';
import { dropStages } from '../load/staged/stage-names.ts';
import { shardsOf } from '../tables/shards.ts';
import { makeConnector } from './worker.ts';

/**
 * Removes deleted pipes: first what they created at their source, then everything that the store has
 * of them. The store keeps a pipe whose source cannot be cleaned up, so that this or another process
 * tries again, after a restart too.
 */
export class PipeRemoval {
  readonly #deps: PipesDependencies;
  /** Failed attempts by pipe, and when the next one is due. */
  readonly #retries = new Map<string, { attempt: number; notBeforeMs: number }>();

  constructor(deps: PipesDependencies) {
    this.#deps = deps;
  }

  isDue(pipeId: string): boolean {
    return performance.now() >= (this.#retries.get(pipeId)?.notBeforeMs ?? 0);
  }

  /** Returns false if the pipe remains. Call this while no process has a reader of the pipe. */
  async remove({ workspaceId, pipeId }: PipeStatus): Promise<boolean> {
    const { store, telemetry, log } = this.#deps;
    const status = await store.pipes.status(workspaceId, pipeId);
    const pipe = status && (await this.#deletedPipe(status));
    if (pipe) {
      for (const shard of shardsOf(telemetry).all()) {
        await dropStages(shard, pipe.body.destination.database, pipeId);
      }
      if (!(await this.#cleanUpSource(status, pipe))) {
        return false;
      }
    }
    await store.transaction(async ({ documents, pipes }) => {
      await documents.remove(workspaceId, 'pipe', pipeId);
      await pipes.remove(workspaceId, pipeId);
    });
    this.#retries.delete(pipeId);
    log.info({ pipeId, workspaceId }, 'pipe deleted');
    return true;
  }

  /** A caller that gives up the clean-up removes the document, and leaves a copy. */
  async #deletedPipe({ workspaceId, pipeId }: PipeStatus): Promise<DeletedPipe | undefined> {
    const { documents, pipes } = this.#deps.store;
    return (
      (await pipes.deletedPipe(workspaceId, pipeId)) ??
      (await documents.get(workspaceId, 'pipe', pipeId))
    );
  }

  /** Returns false if the source did not allow the clean-up. */
  async #cleanUpSource(status: PipeStatus, pipe: DeletedPipe): Promise<boolean> {
    const { kinds, log } = this.#deps;
    const { pipeId } = status;
    const objects = createdAtSource(kinds, { id: pipeId, ...pipe });
    if (pipe.abandonsSource === true) {
      log.warn({ pipeId, objects }, 'source of deleted pipe is not cleaned up: a caller gave up');
      return true;
    }
    if (!status.sourceOpened) {
      return true;
    }
    try {
      await this.#removeAtSource(pipeId, pipe);
      return true;
    } catch (error) {
      const attempt = this.#noteFailure(pipeId);
      log.warn(
        { err: error, pipeId, objects, attempt },
        'cannot clean up source of deleted pipe; retrying',
      );
      await this.#report(status, deletionMessage(objects, reasonOf(error)));
      return false;
    }
  }

  async #removeAtSource(pipeId: string, pipe: DeletedPipe): Promise<void> {
    let connector: Connector | undefined;
    try {
      connector = makeConnector(this.#deps, openSource(this.#deps, { id: pipeId, ...pipe }), {
        pipeId,
        purpose: 'run',
        replica: { index: 0, count: 1 },
        bufferBytes: 0,
        settings: {},
      });
      await connector.remove?.();
    } finally {
      await connector?.close().catch(() => undefined);
    }
  }

  #noteFailure(pipeId: string): number {
    const attempt = this.#retries.get(pipeId)?.attempt ?? 0;
    const notBeforeMs = performance.now() + backOffMs(attempt, this.#deps.random());
    this.#retries.set(pipeId, { attempt: attempt + 1, notBeforeMs });
    return attempt;
  }

  async #report(
    { workspaceId, pipeId, generation, message }: PipeStatus,
    next: string,
  ): Promise<void> {
    if (next !== message) {
      const { pipes } = this.#deps.store;
      await pipes.report(workspaceId, pipeId, generation, 'Deleting', next);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ConnectionLost || error instanceof SourceFailed
    ? error.message
    : 'an unexpected error occurred; see the server log';
}
