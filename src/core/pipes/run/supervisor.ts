import type { PipeState } from '../../../contract/pipe/pipe.ts';
import type { Backlog, PipeStatus } from '../../../ports/store/pipe-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Lease } from '../../../ports/store/lease-store.ts';
import { addBacklogs } from '../read/backlog.ts';
import type { PipesDependencies } from '../dependencies.ts';
import type { Loaded } from '../load/records/load-records.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import type { LagMeasure } from '../kinds/source-kind.ts';
import { isAtWork, stateAfterEnding } from '../lifecycle.ts';
import { replayLease, Replays } from '../replay/replays.ts';
import { Sampler } from '../series/sampler.ts';
import { PipeRemoval } from './removal.ts';
import { Worker } from './worker.ts';

export interface SupervisorOptions {
  deps: PipesDependencies;
  /** Unique name of this process. */
  holder: string;
  /** Time between two comparisons of wanted and running readers, in milliseconds. */
  tickMs?: number;
  /** A process that does not renew its leases for this long loses its readers, in milliseconds. */
  leaseMs?: number;
}

interface Running {
  replica: number;
  worker: Worker;
  lease: Lease;
  status: PipeStatus;
  stopping: boolean;
}

/** What the readers of one process have done for a pipe since the process started. */
export interface PipeFigures {
  pipeId: string;
  workspaceId: string;
  readers: number;
  heldBytes: number;
  /** Records that wait in the partitions that this process reads. */
  backlog: Backlog;
  /** What `backlog.remaining` counts. */
  lag: LagMeasure;
  rows: number;
  bytes: number;
  errors: number;
  batches: number;
}

const replicasMax = 40;

/**
 * Keeps the readers of all pipes running. Processes share the readers by leases: each reader has one.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #running = new Map<string, Running>();
  readonly #figures = new Map<string, PipeFigures>();
  /** The state of each pipe that this process reported last, and of which generation. */
  readonly #reported = new Map<string, { generation: number; state: PipeState }>();
  /** Removals that run: a source that does not answer must not hold up other pipes. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #removal: PipeRemoval;
  /** Number of pipes in deletion at the last comparison. */
  #deleting = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  readonly #sampler: Sampler;
  readonly #replays: Replays;
  #ticking: Promise<void> | undefined;
  /** A pipe was changed during a comparison, which may have read the old state. */
  #isOutdated = false;
  #stopped = false;

  constructor(options: SupervisorOptions) {
    this.#options = { tickMs: 1000, leaseMs: 15_000, ...options };
    this.#removal = new PipeRemoval(options.deps);
    const { deps, holder, leaseMs } = this.#options;
    this.#replays = new Replays({
      deps,
      holder,
      leaseMs,
      onStored: (pipeId, loaded) => {
        this.#count(pipeId, loaded);
      },
    });
    this.#sampler = new Sampler(options.deps, (pipeId) => this.#running.has(leaseName(pipeId, 0)));
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.tick();
    }, this.#options.tickMs);
    this.#renewal = setInterval(() => {
      void this.#renew();
    }, this.#options.leaseMs / 4);
    this.#sampler.start();
    void this.tick();
  }

  /** Readers store the records they have read, then release their leases. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#sampler.stop();
    await Promise.all(this.#removals.values());
    await this.#replays.stop();
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
    clearInterval(this.#renewal);
  }

  /** Stores the figures of the pipes whose first reader is here, as those of a minute. */
  sample(nowMs: number): Promise<void> {
    return this.#sampler.sample(nowMs);
  }

  /** Figures of this process, for /metrics. */
  figures(): PipeFigures[] {
    const readers = [...this.#running.values()];
    return [...this.#figures.values()].map((figures) => {
      const own = readers.filter(({ status }) => status.pipeId === figures.pipeId);
      return {
        ...figures,
        readers: own.length,
        heldBytes: own.reduce((sum, { worker }) => sum + worker.heldBytes, 0),
        backlog: addBacklogs(own.map(({ worker }) => worker.backlog)),
      };
    });
  }

  /** Number of deleted pipes, of all processes, that are not removed yet. For /metrics. */
  get deleting(): number {
    return this.#deleting;
  }

  /** Compares now instead of at the next tick. Does nothing before `start`. */
  wake(): void {
    if (!this.#timer || this.#stopped) {
      return;
    }
    if (this.#ticking) {
      this.#isOutdated = true;
    } else {
      void this.tick();
    }
  }

  /** Compares wanted and running readers. Only one comparison runs at a time. */
  tick(): Promise<void> {
    this.#ticking ??= this.#compare()
      .catch((error: unknown) => {
        this.#options.deps.log.warn(
          { err: error },
          'cannot compare wanted and running pipes; retrying',
        );
      })
      .finally(() => {
        this.#ticking = undefined;
        if (this.#isOutdated) {
          this.#isOutdated = false;
          this.wake();
        }
      });
    return this.#ticking;
  }

  async #compare(): Promise<void> {
    const { store } = this.#options.deps;
    const statuses = new Map(
      (await store.pipes.everyStatus()).map((status) => [status.pipeId, status]),
    );
    this.#deleting = [...statuses.values()].filter(({ wish }) => wish === 'remove').length;
    for (const [name, running] of this.#running) {
      const wanted = statuses.get(running.status.pipeId);
      if (wanted?.wish !== 'run' || wanted.generation !== running.status.generation) {
        void this.#end(name);
      }
    }
    await this.#replays.compare(statuses);
    for (const status of statuses.values()) {
      if (this.#stopped) {
        return;
      }
      if (status.wish === 'run') {
        await this.#startReaders(status);
      } else if (status.wish === 'remove') {
        this.#beginRemoval(status);
      } else if (stateAfterEnding(status.state) !== undefined) {
        await this.#putToRest(status);
      }
    }
  }

  #beginRemoval(status: PipeStatus): void {
    const { pipeId } = status;
    if (this.#removals.has(pipeId) || !this.#removal.isDue(pipeId)) {
      return;
    }
    const removal = this.#putToRest(status)
      .catch((error: unknown) => {
        this.#options.deps.log.warn(
          { err: error, pipeId },
          'cannot remove a deleted pipe; retrying',
        );
      })
      .finally(() => {
        this.#removals.delete(pipeId);
      });
    this.#removals.set(pipeId, removal);
  }

  async #startReaders(status: PipeStatus): Promise<void> {
    if (!isAtWork(status.state)) {
      return;
    }
    const { store } = this.#options.deps;
    const document = await store.documents.get(status.workspaceId, 'pipe', status.pipeId);
    if (!document) {
      return;
    }
    const { replicas } = document.body.scaling;
    for (let index = 0; index < replicas && !this.#stopped; index++) {
      const name = leaseName(status.pipeId, index);
      if (this.#running.has(name)) {
        continue;
      }
      const lease = await store.leases.acquire(name, this.#options.holder, this.#options.leaseMs);
      if (lease) {
        this.#options.deps.log.info({ pipeId: status.pipeId, replica: index }, 'pipe lease won');
        this.#begin(name, document, status, lease, { index, count: replicas });
      }
    }
  }

  #begin(
    name: string,
    document: StoredDocument<'pipe'>,
    status: PipeStatus,
    lease: Lease,
    replica: { index: number; count: number },
  ): void {
    const { deps } = this.#options;
    const figures = this.#figures.get(status.pipeId) ?? {
      pipeId: status.pipeId,
      workspaceId: status.workspaceId,
      lag: sourceIn(deps.kinds, document.body.source).rules.lag,
      readers: 0,
      heldBytes: 0,
      backlog: addBacklogs([]),
      rows: 0,
      bytes: 0,
      errors: 0,
      batches: 0,
    };
    this.#figures.set(status.pipeId, figures);
    if (replica.index === 0) {
      this.#sampler.add(status);
    }
    const worker = new Worker({
      deps,
      document,
      status,
      lease,
      replica,
      onStored: (loaded) => {
        this.#count(status.pipeId, loaded);
      },
      onState: (state) => this.#noteState(status, state),
    });
    this.#running.set(name, { replica: replica.index, worker, lease, status, stopping: false });
    void worker.done.then(() => this.#end(name));
  }

  #count(pipeId: string, { rows, bytes, errors }: Loaded): void {
    const figures = this.#figures.get(pipeId);
    if (figures) {
      figures.rows += rows;
      figures.bytes += bytes;
      figures.errors += errors;
      figures.batches++;
    }
  }

  /** Lets a reader store the records it has read, then releases its lease. */
  async #end(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (!running) {
      return;
    }
    if (running.stopping) {
      return running.worker.done;
    }
    running.stopping = true;
    await running.worker.stop();
    await this.#options.deps.store.leases.release(running.lease).catch(() => undefined);
    if (this.#running.get(name) === running) {
      this.#running.delete(name);
    }
  }

  async #renew(): Promise<void> {
    const { deps, leaseMs } = this.#options;
    await this.#replays.renew();
    await Promise.all(
      [...this.#running.values()].map(async (running) => {
        try {
          const renewed = await deps.store.leases.renew(running.lease, leaseMs);
          if (renewed) {
            running.lease = renewed;
          } else {
            deps.log.info(
              { pipeId: running.status.pipeId, replica: running.replica },
              'pipe lease lost',
            );
            running.worker.halt();
          }
        } catch {
          // The store does not answer. No other process can take the lease meanwhile, and every
          // write of the reader is fenced.
        }
      }),
    );
  }

  /**
   * Records that a pipe rests, or removes a deleted pipe, once no process has a reader of it: this
   * process then gets the leases of all readers.
   */
  async #putToRest(status: PipeStatus): Promise<void> {
    if ([...this.#running.values()].some((running) => running.status.pipeId === status.pipeId)) {
      return;
    }
    if (status.wish === 'remove' && this.#replays.has(status.pipeId)) {
      return;
    }
    const { store } = this.#options.deps;
    const leases: Lease[] = [];
    try {
      const { holder, leaseMs } = this.#options;
      for (const name of leasesOf(status)) {
        const lease = await store.leases.acquire(name, holder, leaseMs);
        if (!lease) {
          return;
        }
        leases.push(lease);
      }
      const rest = stateAfterEnding(status.state);
      if (status.wish === 'remove') {
        if (await this.#removal.remove(status)) {
          this.#reported.delete(status.pipeId);
        }
      } else if (
        rest !== undefined &&
        (await store.pipes.report(status.workspaceId, status.pipeId, status.generation, rest, null))
      ) {
        this.#noteState(status, rest);
      }
    } finally {
      await Promise.all(leases.map((lease) => store.leases.release(lease)));
    }
  }

  /** One line for each transition, however many readers of the pipe run here and report it. */
  #noteState({ pipeId, workspaceId, generation, ...status }: PipeStatus, state: PipeState): void {
    const reported = this.#reported.get(pipeId);
    const from = reported?.generation === generation ? reported.state : status.state;
    this.#reported.set(pipeId, { generation, state });
    if (from !== state) {
      this.#options.deps.log.info({ pipeId, workspaceId, from, state }, 'pipe state changed');
    }
  }
}

const leaseName = (pipeId: string, index: number): string => `pipe/${pipeId}/${index}`;

/** The leases of everybody who may work for a pipe. A pipe that rests may have a replay. */
const leasesOf = ({ pipeId, wish }: PipeStatus): string[] => [
  ...Array.from({ length: replicasMax }, (_, index) => leaseName(pipeId, index)),
  ...(wish === 'remove' ? [replayLease(pipeId)] : []),
];
