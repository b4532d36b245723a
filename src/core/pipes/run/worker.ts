import { Fault } from '../../../contract/errors.ts';
import type { PipeState } from '../../../contract/pipe/pipe.ts';
import { effectivePipeSettings } from '../../../contract/pipe/settings.ts';
import type { Connector, ConnectorContext } from '../../../ports/connector.ts';
import { pause } from '../../../ports/pause.ts';
import type { Position } from '../../../ports/batch.ts';
import type { Backlog, PipeStatus } from '../../../ports/store/pipe-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Lease } from '../../../ports/store/lease-store.ts';
import { backOffMs } from '../read/back-off.ts';
import { openSource } from '../definition.ts';
import type { PipesDependencies, PipeVerbDependencies } from '../dependencies.ts';
import { advanceLifecycle, type PipeCondition, type PipeEvent } from '../lifecycle.ts';
import type { KindStates } from '../kinds/source-kind.ts';
import { rangeLoader } from '../load/load-range.ts';
import type { Loaded } from '../load/records/load-records.ts';
import { readingCluster } from '../load/reading-cluster.ts';
import { prepareDestination } from './prepare-destination.ts';
import { StopSignals } from './stop-signals.ts';
import { readerEvent } from '../read/reader-errors.ts';
import { readerLimits } from '../read/reader-limits.ts';
import { Reader } from '../read/reader.ts';
import { sourceIn, type ConfiguredSource } from '../kinds/configured-source.ts';
import { sourceFields } from '../kinds/source-fields.ts';

export interface WorkerOptions {
  deps: PipesDependencies;
  document: StoredDocument<'pipe'>;
  status: PipeStatus;
  lease: Lease;
  replica: { index: number; count: number };
  onStored(loaded: Loaded): void;
  /** Called after a state was recorded. */
  onState(state: PipeState): void;
}

/**
 * Runs one reader: connects and reads. After an error it waits and connects again, until the reader
 * is stopped, the source ends, or the source fails for good.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #signals = new StopSignals();
  readonly #states: KindStates;
  #condition: PipeCondition;
  #reports: Promise<void> = Promise.resolve();
  #reader: Reader | undefined;
  readonly done: Promise<void>;

  constructor(options: WorkerOptions) {
    const { deps, document } = options;
    this.#options = options;
    this.#states = sourceIn(deps.kinds, document.body.source).rules.states;
    this.#condition = { state: options.status.state, message: options.status.message };
    this.done = this.#live();
  }

  get heldBytes(): number {
    return this.#reader?.heldBytes ?? 0;
  }

  get backlog(): Backlog {
    return this.#reader?.backlog ?? { remaining: null, oldestAtMs: null };
  }

  /** Stores the records already read, then ends. */
  stop(): Promise<void> {
    return this.#signals.stop(this.done);
  }

  /** Ends immediately, without storing anything: another process has the lease. */
  halt(): void {
    this.#signals.haltNow();
  }

  async #live(): Promise<void> {
    const { deps, document, status } = this.#options;
    for (let attempt = 0; !this.#signals.drain.aborted;) {
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
        // The source was asked to stop: what it says then is no error of the pipe.
        if (this.#signals.drain.aborted) {
          deps.log.debug({ err: error, pipeId: document.id }, 'pipe reader ended by a stop');
          break;
        }
        const event = readerEvent(error);
        deps.log.warn(
          { err: error, pipeId: document.id, attempt },
          event.kind === 'failed' ? 'pipe failed' : 'pipe reader interrupted; retrying',
        );
        await deps.store.pipes
          .noteError(status.workspaceId, status.pipeId, event.message)
          .catch(() => undefined);
        this.#on(event);
        if (event.kind === 'failed' || (error instanceof Fault && error.code === 'conflict')) {
          break;
        }
        attempt = stored ? 0 : attempt + 1;
        await pause(backOffMs(attempt, deps.random()), this.#signals.drain);
      }
    }
    await this.#reports;
  }

  async #readOnce(onStored: () => void): Promise<'ended' | 'drained'> {
    const { deps, document, status, lease, replica } = this.#options;
    const definition = document.body;
    const source = openSource(deps, document);
    const prepareTable = () => prepareDestination(deps, document);
    const prepared = await prepareTable();
    const settings = effectivePipeSettings(definition.settings);
    const limits = {
      ...readerLimits(definition.scaling, settings.streaming_max_insert_wait_ms),
      ...source.rules.limits(source.settings, settings),
    };
    const cluster = source.rules.readsWithCluster(settings)
      ? await readingCluster(deps.telemetry)
      : undefined;
    const connector = makeConnector(deps, source, {
      pipeId: document.id,
      purpose: 'run',
      replica,
      bufferBytes: limits.budgetBytes,
      settings,
      fields: sourceFields(definition),
      ...(cluster === undefined ? {} : { cluster }),
      stored: async (partition) => (await this.#positions()).get(partition),
      positions: () => this.#positions(),
      run: status.run,
    });
    try {
      await connector.check(this.#signals.drain);
      await deps.store.pipes.noteSourceOpened(status.workspaceId, status.pipeId);
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
        ...rangeLoader({
          telemetry: deps.telemetry,
          document,
          virtualFields: source.rules.virtualFields,
          limits,
          prepared,
          prepareTable,
        }),
        on: (event) => {
          if (event.kind !== 'stored') {
            return this.#on(event);
          }
          onStored();
          this.#options.onStored(event.loaded);
          this.#on({ kind: 'recovered' });
        },
      });
      return await this.#reader.run(this.#signals.drain, this.#signals.halt);
    } finally {
      await connector.close();
    }
  }

  /** The stored position of each partition of the pipe. */
  async #positions(): Promise<ReadonlyMap<string, Position>> {
    const { deps, status } = this.#options;
    const partitions = await deps.store.pipes.partitions(status.workspaceId, status.pipeId);
    return new Map(
      partitions.flatMap(({ partition, position }) =>
        position === null ? [] : [[partition, position] as const],
      ),
    );
  }

  /** Writes state changes one after another. */
  #on(event: PipeEvent): void {
    const next = advanceLifecycle(this.#states, this.#condition, event);
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
      const recorded = await deps.store.pipes.report(
        status.workspaceId,
        status.pipeId,
        status.generation,
        state,
        message,
      );
      if (recorded) {
        this.#options.onState(state);
      }
    } catch (error) {
      deps.log.warn({ err: error, pipeId: status.pipeId }, 'cannot save the state of a pipe');
    }
  }
}

export function makeConnector(
  deps: PipeVerbDependencies,
  { kind, settings }: Pick<ConfiguredSource, 'kind' | 'settings'>,
  context: Omit<
    ConnectorContext,
    'source' | 'log' | 'egress' | 'engineGuarded' | 'engineRelay' | 'allowHttp'
  >,
): Connector {
  const factory = deps.connectors[kind];
  if (factory === undefined) {
    throw new TypeError(`no connector for sources of kind ${kind}`);
  }
  return factory({
    ...context,
    source: settings,
    log: deps.log.child({ pipeId: context.pipeId }),
    egress: deps.egress,
    engineGuarded: deps.telemetry.guardsEgress,
    engineRelay: (origin) => deps.telemetry.relayFor(origin),
    allowHttp: deps.allowHttp,
  });
}
