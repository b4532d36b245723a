import type { Lease } from '../../../ports/store/lease-store.ts';
import type { PipeStatus } from '../../../ports/store/pipe-store.ts';
import type { PipesDependencies } from '../dependencies.ts';
import type { Loaded } from '../load/records/load-records.ts';
import { Replay } from './replay.ts';

export interface ReplaysOptions {
  deps: PipesDependencies;
  /** Unique name of this process. */
  holder: string;
  leaseMs: number;
  onStored(pipeId: string, loaded: Loaded): void;
}

interface Running {
  replay: Replay;
  lease: Lease;
  status: PipeStatus;
}

/** Keeps the replays of all pipes running. Each has one lease, so that one process runs it. */
export class Replays {
  readonly #options: ReplaysOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: ReplaysOptions) {
    this.#options = options;
  }

  has(pipeId: string): boolean {
    return this.#running.has(pipeId);
  }

  /** Starts the replays that callers asked for, and ends those of changed and deleted pipes. */
  async compare(statuses: ReadonlyMap<string, PipeStatus>): Promise<void> {
    for (const [pipeId, { replay, status }] of this.#running) {
      const wanted = statuses.get(pipeId);
      if (!wanted || wanted.wish === 'remove' || wanted.generation !== status.generation) {
        void replay.stop();
      }
    }
    for (const status of statuses.values()) {
      const isOpen = status.replay?.state === 'Pending' || status.replay?.state === 'Running';
      if (isOpen && status.wish !== 'remove' && !this.#running.has(status.pipeId)) {
        await this.#start(status);
      }
    }
  }

  async renew(): Promise<void> {
    const { deps, leaseMs } = this.#options;
    for (const running of this.#running.values()) {
      // The store does not answer: every write of the replay is fenced.
      const renewed = await deps.store.leases.renew(running.lease, leaseMs).catch(() => 'unknown');
      if (renewed === undefined) {
        running.replay.halt();
      } else if (typeof renewed !== 'string') {
        running.lease = renewed;
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ replay }) => replay.stop()));
  }

  async #start(listed: PipeStatus): Promise<void> {
    const { deps, holder, leaseMs, onStored } = this.#options;
    const { workspaceId, pipeId } = listed;
    const lease = await deps.store.leases.acquire(replayLease(pipeId), holder, leaseMs);
    if (!lease) {
      return;
    }
    // Another process may have ended the replay since the statuses were read.
    const status = await deps.store.pipes.status(workspaceId, pipeId);
    const document = await deps.store.documents.get(workspaceId, 'pipe', pipeId);
    const replay = status?.replay;
    if (!document || !replay || replay.endedAtMs !== null) {
      await deps.store.leases.release(lease);
      return;
    }
    const running = new Replay({
      deps,
      document,
      status,
      replay,
      lease,
      onStored: (loaded) => {
        onStored(pipeId, loaded);
      },
    });
    this.#running.set(pipeId, { replay: running, lease, status });
    void running.done.then(() => this.#forget(pipeId));
  }

  async #forget(pipeId: string): Promise<void> {
    const lease = this.#running.get(pipeId)?.lease;
    this.#running.delete(pipeId);
    if (lease) {
      await this.#options.deps.store.leases.release(lease).catch(() => undefined);
    }
  }
}

/** Also held by whoever removes the pipe. */
export const replayLease = (pipeId: string): string => `pipe/${pipeId}/replay`;
