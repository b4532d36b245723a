import { Fault } from '../../contract/errors.ts';
import type { Pipe } from '../../contract/pipe/pipe.ts';
import type { SourceConfiguration } from '../../contract/pipe/sources.ts';
import type { Connector, ConnectorContext, ConnectorFactory } from '../../ports/connector.ts';
import { pause } from '../../ports/pause.ts';
import type { Backlog, PipeStatus } from '../../ports/pipe-store.ts';
import type { Lease, StoredDocument } from '../../ports/store.ts';
import { backOffMs } from './back-off.ts';
import {
  readerLimits,
  sourceConfiguration,
  sourceLimits,
  storedPipe,
  type StoredPipe,
} from './definition.ts';
import type { PipesDependencies } from './dependencies.ts';
import { advanceLifecycle, type PipeCondition, type PipeEvent } from './lifecycle.ts';
import { rangeLoader } from './load-range.ts';
import type { Loaded } from './load-records.ts';
import { prepareTable } from './prepare-table.ts';
import { readingCluster } from './reading-cluster.ts';
import { Reader, readerEvent } from './reader.ts';
import { sourceFields } from './source-fields.ts';

export interface WorkerOptions {
  deps: PipesDependencies;
  document: StoredDocument;
  status: PipeStatus;
  lease: Lease;
  replica: { index: number; count: number };
  onStored(loaded: Loaded): void;
}

/** So long may what was read still be stored after a stop was asked; then it is left to be read again. */
const drainMs = 20_000;

/** One reader's life: connect, read, and when that fails wait and connect again, until it is stopped, ends, or cannot go on. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #drain = new AbortController();
  readonly #halt = new AbortController();
  #condition: PipeCondition;
  #reports: Promise<void> = Promise.resolve();
  #reader: Reader | undefined;
  readonly done: Promise<void>;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#condition = { state: options.status.state, message: options.status.message };
    this.done = this.#live();
  }

  get heldBytes(): number {
    return this.#reader?.heldBytes ?? 0;
  }

  get backlog(): Backlog {
    return this.#reader?.backlog ?? { remaining: null, oldestAtMs: null };
  }

  /** Stores what was read, then ends. */
  stop(): Promise<void> {
    this.#drain.abort();
    const timer = setTimeout(() => {
      this.#halt.abort();
    }, drainMs);
    return this.done.finally(() => {
      clearTimeout(timer);
    });
  }

  /** Ends at once: somebody else has taken over. */
  halt(): void {
    this.#drain.abort();
    this.#halt.abort();
  }

  async #live(): Promise<void> {
    const { deps, document, status } = this.#options;
    for (let attempt = 0; !this.#drain.signal.aborted;) {
      let stored = false;
      try {
        if (
          (await this.#readOnce(() => {
            stored = true;
          })) === 'ended'
        ) {
          this.#on({ kind: 'ended' });
        }
        break;
      } catch (error) {
        const event = readerEvent(error);
        deps.log.warn(
          { err: error, pipeId: document.id, attempt },
          event.kind === 'failed' ? 'a pipe failed' : 'a pipe reader was interrupted; trying again',
        );
        await deps.store.pipes
          .noteError(status.workspaceId, status.pipeId, event.message)
          .catch(() => undefined);
        this.#on(event);
        if (event.kind === 'failed' || (error instanceof Fault && error.code === 'conflict')) {
          break;
        }
        attempt = stored ? 0 : attempt + 1;
        await pause(backOffMs(attempt, deps.random()), this.#drain.signal);
      }
    }
    await this.#reports;
  }

  async #readOnce(onStored: () => void): Promise<'ended' | 'drained'> {
    const { deps, document, status, lease, replica } = this.#options;
    const definition = storedPipe(document);
    const configuration = sourceConfiguration(deps.vault, document);
    await ensureTable(deps, definition);
    const limits = {
      ...readerLimits(definition.scaling, definition.settings.streaming_max_insert_wait_ms),
      ...sourceLimits(configuration, definition.settings),
    };
    const cluster =
      configuration.kind === 'objectStorage' &&
      definition.settings.object_storage_use_cluster_function
        ? await readingCluster(deps.telemetry)
        : undefined;
    const connector = makeConnector(deps, configuration, {
      pipeId: document.id,
      purpose: 'run',
      replica,
      bufferBytes: limits.budgetBytes,
      settings: definition.settings,
      fields: sourceFields(definition),
      ...(cluster === undefined ? {} : { cluster }),
      stored: async (partition) =>
        (await deps.store.pipes.partitions(status.workspaceId, status.pipeId)).find(
          (one) => one.partition === partition,
        )?.position ?? undefined,
      positions: async () =>
        new Map(
          (await deps.store.pipes.partitions(status.workspaceId, status.pipeId)).flatMap(
            ({ partition, position }) =>
              position === null ? [] : [[partition, position] as const],
          ),
        ),
      run: status.run,
    });
    try {
      await connector.check(this.#drain.signal);
      this.#on({ kind: 'opened' });
      this.#reader = new Reader({
        store: deps.store,
        connector,
        status,
        lease,
        limits,
        clock: deps.clock,
        log: deps.log,
        random: deps.random,
        ...rangeLoader(deps.telemetry, document.id, configuration.kind, definition),
        on: (event) => {
          if (event.kind !== 'stored') {
            return this.#on(event);
          }
          onStored();
          this.#options.onStored(event.loaded);
          this.#on({ kind: 'over' });
        },
      });
      return await this.#reader.run(this.#drain.signal, this.#halt.signal);
    } finally {
      await connector.close();
    }
  }

  /** State changes are written one after another; the latest that differs counts. */
  #on(event: PipeEvent): void {
    const next = advanceLifecycle(sourceKind(this.#options.document), this.#condition, event);
    if (!next) {
      return;
    }
    this.#condition = next;
    this.#reports = this.#report(this.#reports, next);
  }

  async #report(earlier: Promise<void>, { state, message }: PipeCondition): Promise<void> {
    await earlier;
    const { deps, status } = this.#options;
    try {
      await deps.store.pipes.report(
        status.workspaceId,
        status.pipeId,
        status.generation,
        state,
        message,
      );
    } catch (error) {
      deps.log.warn(
        { err: error, pipeId: status.pipeId },
        'the state of a pipe could not be recorded',
      );
    }
  }
}

const sourceKind = (document: StoredDocument): SourceConfiguration['kind'] =>
  Object.keys(
    (document.body as unknown as Pick<Pipe, 'source'>).source,
  )[0] as SourceConfiguration['kind'];

async function ensureTable(deps: PipesDependencies, { destination }: StoredPipe): Promise<void> {
  if (destination.table !== undefined && destination.columns !== undefined) {
    await prepareTable(deps.telemetry, {
      ...destination,
      table: destination.table,
      columns: destination.columns,
    });
  }
}

export function makeConnector(
  deps: PipesDependencies,
  { kind, settings }: SourceConfiguration,
  context: Omit<ConnectorContext, 'source' | 'log' | 'egress' | 'engineGuarded' | 'allowHttp'>,
): Connector {
  // The registry is keyed by kind, and `settings` came with that kind.
  const factory = deps.connectors[kind] as ConnectorFactory<typeof kind>;
  return factory({
    ...context,
    source: settings as never,
    log: deps.log.child({ pipeId: context.pipeId }),
    egress: deps.egress,
    engineGuarded: deps.telemetry.guardsEgress,
    allowHttp: deps.allowHttp,
  });
}
