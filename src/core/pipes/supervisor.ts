import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { Connector } from '../../ports/connector.ts';
import type { Backlog, PipeStatus } from '../../ports/pipe-store.ts';
import type { Lease, StoredDocument } from '../../ports/store.ts';
import { addBacklogs } from './backlog.ts';
import { kindOf, sourceConfiguration, storedPipe } from './definition.ts';
import type { PipesDependencies } from './dependencies.ts';
import { isAtWork } from './lifecycle.ts';
import { dropStages } from './stage.ts';
import { makeConnector, Worker } from './worker.ts';

export interface SupervisorOptions {
  deps: PipesDependencies;
  /** This process, unlike any other. */
  holder: string;
  /** How often the wanted set is compared with the running one. */
  tickMs: number;
  /** A process that is silent for so long has lost its readers. */
  leaseMs: number;
}

interface Running {
  worker: Worker;
  lease: Lease;
  status: PipeStatus;
  stopping: boolean;
}

/** What one process has done since it began, for its metrics page. */
export interface PipeReading {
  pipeId: string;
  workspaceId: string;
  readers: number;
  heldBytes: number;
  /** What waits in the partitions that are read here. */
  backlog: Backlog;
  kind: SourceKindName;
  rows: number;
  bytes: number;
  errors: number;
  batches: number;
}

const replicasMax = 40;

/** Keeps the readers of all pipes running, shared with every other process by leases: one reader has one lease. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #running = new Map<string, Running>();
  readonly #readings = new Map<string, PipeReading>();
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  /** Something was asked while a comparison was under way, which may have read before it. */
  #askedMeanwhile = false;
  #stopped = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.tick();
    }, this.#options.tickMs);
    this.#renewal = setInterval(() => {
      void this.#renew();
    }, this.#options.leaseMs / 4);
    void this.tick();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
    clearInterval(this.#renewal);
  }

  readings(): PipeReading[] {
    const readers = [...this.#running.values()];
    return [...this.#readings.values()].map((reading) => {
      const own = readers.filter(({ status }) => status.pipeId === reading.pipeId);
      return {
        ...reading,
        readers: own.length,
        heldBytes: own.reduce((sum, { worker }) => sum + worker.heldBytes, 0),
        backlog: addBacklogs(own.map(({ worker }) => worker.backlog)),
      };
    });
  }

  /** Something was asked of a pipe: compares now rather than at the next tick. Nothing before the start. */
  wake(): void {
    if (!this.#timer || this.#stopped) {
      return;
    }
    if (this.#ticking) {
      this.#askedMeanwhile = true;
    } else {
      void this.tick();
    }
  }

  /** One comparison of wanted and running; never two at the same time. */
  tick(): Promise<void> {
    this.#ticking ??= this.#compare()
      .catch((error: unknown) => {
        this.#options.deps.log.warn(
          { err: error },
          'pipes could not be looked after; trying again',
        );
      })
      .finally(() => {
        this.#ticking = undefined;
        if (this.#askedMeanwhile) {
          this.#askedMeanwhile = false;
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
    for (const [name, running] of this.#running) {
      const wanted = statuses.get(running.status.pipeId);
      if (wanted?.wish !== 'run' || wanted.generation !== running.status.generation) {
        void this.#end(name);
      }
    }
    for (const status of statuses.values()) {
      if (this.#stopped) {
        return;
      }
      if (status.wish === 'run') {
        await this.#startReaders(status);
      } else if (
        status.wish === 'remove' ||
        status.state === 'Stopping' ||
        status.state === 'Pausing'
      ) {
        await this.#putToRest(status);
      }
    }
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
    const { replicas } = storedPipe(document).scaling;
    for (let index = 0; index < replicas && !this.#stopped; index++) {
      const name = leaseName(status.pipeId, index);
      if (this.#running.has(name)) {
        continue;
      }
      const lease = await store.leases.acquire(name, this.#options.holder, this.#options.leaseMs);
      if (lease) {
        this.#begin(name, document, status, lease, { index, count: replicas });
      }
    }
  }

  #begin(
    name: string,
    document: StoredDocument,
    status: PipeStatus,
    lease: Lease,
    replica: { index: number; count: number },
  ): void {
    const { deps } = this.#options;
    const reading = this.#readings.get(status.pipeId) ?? {
      pipeId: status.pipeId,
      workspaceId: status.workspaceId,
      kind: kindOf(document),
      readers: 0,
      heldBytes: 0,
      backlog: addBacklogs([]),
      rows: 0,
      bytes: 0,
      errors: 0,
      batches: 0,
    };
    this.#readings.set(status.pipeId, reading);
    const worker = new Worker({
      deps,
      document,
      status,
      lease,
      replica,
      onStored: ({ rows, bytes, errors }) => {
        reading.rows += rows;
        reading.bytes += bytes;
        reading.errors += errors;
        reading.batches++;
      },
    });
    this.#running.set(name, { worker, lease, status, stopping: false });
    void worker.done.then(() => this.#end(name));
  }

  /** Lets a reader store what it has, then gives its lease back. */
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
    await Promise.all(
      [...this.#running.values()].map(async (running) => {
        try {
          const renewed = await deps.store.leases.renew(running.lease, leaseMs);
          if (renewed) {
            running.lease = renewed;
          } else {
            running.worker.halt();
          }
        } catch {
          // The store is away. Nobody else can take the lease meanwhile, and every write of the reader is fenced anyway.
        }
      }),
    );
  }

  /** When no process has a reader of it left: says so, or clears away what a deleted pipe leaves. */
  async #putToRest(status: PipeStatus): Promise<void> {
    if ([...this.#running.values()].some((running) => running.status.pipeId === status.pipeId)) {
      return;
    }
    const { store } = this.#options.deps;
    const leases: Lease[] = [];
    try {
      for (let index = 0; index < replicasMax; index++) {
        const lease = await store.leases.acquire(
          leaseName(status.pipeId, index),
          this.#options.holder,
          this.#options.leaseMs,
        );
        if (!lease) {
          return;
        }
        leases.push(lease);
      }
      if (status.wish === 'remove') {
        await this.#remove(status);
      } else {
        await store.pipes.report(
          status.workspaceId,
          status.pipeId,
          status.generation,
          status.state === 'Pausing' ? 'Paused' : 'Stopped',
          null,
        );
      }
    } finally {
      await Promise.all(leases.map((lease) => store.leases.release(lease)));
    }
  }

  async #remove(status: PipeStatus): Promise<void> {
    const { deps } = this.#options;
    const parting = await deps.store.pipes.parting(status.workspaceId, status.pipeId);
    if (parting) {
      await this.#removeAtSource(status.pipeId, parting);
      await dropStages(deps.telemetry, storedPipe(parting).destination.database, status.pipeId);
    }
    await deps.store.pipes.remove(status.workspaceId, status.pipeId);
  }

  /** Once: a source that is away keeps what the pipe made there, and the log says so. */
  async #removeAtSource(
    pipeId: string,
    parting: { body: StoredDocument['body']; sealed: string | null },
  ): Promise<void> {
    const { deps } = this.#options;
    let connector: Connector | undefined;
    try {
      const source = sourceConfiguration(deps.vault, { id: pipeId, ...parting });
      connector = makeConnector(deps, source, {
        pipeId,
        purpose: 'run',
        replica: { index: 0, count: 1 },
        bufferBytes: 0,
        settings: {},
      });
      await connector.remove?.();
    } catch (error) {
      deps.log.warn(
        { err: error, pipeId },
        'what a deleted pipe had made at its source could not be removed',
      );
    } finally {
      await connector?.close().catch(() => undefined);
    }
  }
}

const leaseName = (pipeId: string, index: number): string => `pipe/${pipeId}/${index}`;
