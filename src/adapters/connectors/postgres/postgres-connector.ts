import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type {
  Batch,
  Connector,
  ConnectorContext,
  From,
  Position,
} from '../../../ports/connector.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import { BatchQueue } from '../batch-queue.ts';
import { ChangeStream, streamPartition } from './change-stream.ts';
import { lsnText, parsePosition } from './lsn.ts';
import { noLogicalDecoding, postgresError } from './postgres-errors.ts';
import { checkPublication, dropPublication, makePublication } from './publication.ts';
import { queryOf } from './query-of.ts';
import { readSample } from './sample.ts';
import { Server } from './server.ts';
import { Shapes } from './shapes.ts';
import {
  createSlot,
  dropSlot,
  exportSnapshot,
  readSlot,
  requireSlot,
  type ExportedSnapshot,
} from './slot.ts';
import { SnapshotSession } from './snapshot-session.ts';
import { StoredPositions } from './stored-positions.ts';
import { TableStates } from './table-states.ts';
import { readTables, type SourceTable } from './tables.ts';

type Context = ConnectorContext<'postgres'>;

/** How often it is looked how much log the server keeps, and whether the publication still holds the tables. */
const watchMs = 10_000;
const retainedLogWarningDefaultBytes = 4 * 2 ** 30;
const rangeBytesMax = 8 * 2 ** 20;

export interface PostgresOptions {
  /** From so much log on that the server keeps for the pipe, its state message says so. 4 GiB unless given. */
  retainedLogWarningBytes?: number;
}

/** Reads tables of a PostgreSQL server: as they are in a snapshot, then every change of them. */
export function postgresConnector(
  context: Context,
  { retainedLogWarningBytes = retainedLogWarningDefaultBytes }: PostgresOptions = {},
): Connector {
  return new PostgresConnector(context, retainedLogWarningBytes);
}

class PostgresConnector implements Connector {
  readonly #context: Context;
  readonly #retainedLogWarningBytes: number;
  readonly #server: Server;
  readonly #stored = new StoredPositions();
  readonly #settings: NonNullable<Context['source']['settings']>;
  /** What the pipe made itself, and takes away again. */
  readonly #own: string;
  #queue: BatchQueue<Batch> | undefined;
  #stream: ChangeStream | undefined;
  #watch: NodeJS.Timeout | undefined;
  #retainedBytes: number | undefined;
  #note: string | undefined;

  constructor(context: Context, retainedLogWarningBytes: number) {
    this.#context = context;
    this.#retainedLogWarningBytes = retainedLogWarningBytes;
    this.#server = new Server(context);
    this.#settings = context.source.settings ?? {};
    this.#own = `sightline_${context.pipeId.replaceAll('-', '')}`;
  }

  get #mode(): 'cdc' | 'snapshot' | 'cdc_only' {
    return this.#settings.replicationMode ?? 'cdc';
  }

  get #slot(): string {
    return this.#settings.replicationSlotName ?? this.#own;
  }

  get #publication(): string {
    return this.#settings.publicationName ?? this.#own;
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#told(async () => {
      const client = await this.#server.client();
      signal.throwIfAborted();
      await this.#checkServer(client);
      const tables = await readTables(queryOf(client), this.#context.source.tableMappings);
      // Finds out what cannot be kept up to date.
      const shapes = new Shapes(queryOf(client), tables, this.#settings);
      for (const table of tables) {
        shapes.ofTable(table);
      }
      if (this.#mode !== 'snapshot' && this.#settings.publicationName !== undefined) {
        await checkPublication(client, this.#publication, tables, {
          whole: this.#mode !== 'cdc_only',
        });
      }
      if (
        this.#mode !== 'snapshot' &&
        this.#settings.replicationSlotName !== undefined &&
        !(await readSlot(client, this.#slot))
      ) {
        throw new SourceFailed(
          `the replication slot ${this.#slot} is not there: make it with pg_create_logical_replication_slot('${this.#slot}', 'pgoutput'), or leave replicationSlotName out`,
        );
      }
      await client.end();
    });
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const { bufferBytes, purpose } = this.#context;
    const queue = (this.#queue = new BatchQueue<Batch>(bufferBytes / 4));
    const stop = (): void => {
      this.#pause();
    };
    signal.addEventListener('abort', stop, { once: true });
    const guarded: From = async (partition) =>
      from(partition).catch((reason: unknown) => {
        throw new FromFailed(reason);
      });
    try {
      if (signal.aborted) {
        return;
      }
      void this.#fill(queue, () =>
        purpose === 'sample'
          ? readSample(this.#server, this.#context, queue)
          : this.#run(guarded, queue),
      );
      yield* queue;
    } catch (error) {
      throw this.#explained(error);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pause();
    }
  }

  async #fill(queue: BatchQueue<Batch>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      queue.end();
    } catch (error) {
      queue.fail(error);
    }
  }

  commit(partition: string, position: Position): Promise<void> {
    if (partition === streamPartition) {
      this.#stream?.confirm(parsePosition(position));
    }
    this.#stored.note(partition, position);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#pause();
    this.#server.close();
    return Promise.resolve();
  }

  async remove(): Promise<void> {
    await this.#told(async () => {
      if (this.#mode === 'snapshot') {
        return;
      }
      const client = await this.#server.client();
      if (this.#slot === this.#own) {
        await dropSlot(client, this.#own);
      }
      if (this.#publication === this.#own) {
        await dropPublication(client, this.#own);
      }
      await client.end();
    });
  }

  async #checkServer(client: Client): Promise<void> {
    const {
      rows: [server],
    } = await client.query<{ version: number; level: string; recovery: boolean }>(
      "SELECT current_setting('server_version_num')::int AS version, current_setting('wal_level') AS level, pg_is_in_recovery() AS recovery",
    );
    const major = Math.floor(server!.version / 10_000);
    if (major < 13) {
      throw new SourceFailed(`PostgreSQL ${major} is too old: 13 or newer is needed`);
    }
    if (this.#mode === 'snapshot') {
      return;
    }
    if (server!.level !== 'logical') {
      throw new SourceFailed(noLogicalDecoding);
    }
    if (this.#settings.enableFailoverSlots === true && major < 17) {
      throw new SourceFailed(
        `enableFailoverSlots needs PostgreSQL 17 or newer; this server is ${major}: turn it off, or upgrade`,
      );
    }
  }

  async #run(from: From, queue: BatchQueue<Batch>): Promise<void> {
    const client = await this.#server.client();
    const query = queryOf(client);
    const tables = await readTables(query, this.#context.source.tableMappings);
    const positions = (await this.#context.positions?.()) ?? new Map<string, Position>();
    const states = new TableStates({
      client,
      from,
      positions,
      run: this.#context.run ?? 1,
      tables,
    });
    const exported =
      this.#mode === 'snapshot'
        ? undefined
        : await this.#prepareReplication(client, tables, positions.get(streamPartition));
    const pending = await states.pending();
    const snapshot =
      pending.length === 0 || this.#mode === 'cdc_only'
        ? undefined
        : (exported ?? (await this.#takeSnapshot()));
    await states.plan(
      this.#mode === 'cdc_only'
        ? undefined
        : {
            parallelism: this.#parallelism,
            rowsPerPartition: this.#rowsPerPartition,
            at: snapshot?.at,
          },
    );
    const shapes = new Shapes(query, tables, this.#settings);
    for (const { mapping } of tables) {
      shapes.setGeneration(mapping.targetTable, states.generation(mapping.targetTable));
    }
    const emit = emitter(queue, () => this.#condition(states));
    for (const batch of await states.announce()) {
      await emit(batch);
    }
    const snapshots = this.#readSnapshots(client, { states, shapes, snapshot, from, emit });
    if (this.#mode === 'snapshot') {
      return snapshots;
    }
    this.#startWatch(client, tables, queue);
    await Promise.all([snapshots, this.#readStream(client, { states, shapes, from, emit })]);
  }

  /** Publication before slot: what is decoded must know it. Answers the snapshot of a slot that was made just now. */
  async #prepareReplication(
    client: Client,
    tables: readonly SourceTable[],
    position: Position | undefined,
  ): Promise<ExportedSnapshot | undefined> {
    if (this.#publication === this.#own) {
      await makePublication(client, this.#own, tables);
    } else {
      await checkPublication(client, this.#publication, tables, {
        whole: this.#mode !== 'cdc_only',
      });
    }
    const slot = await readSlot(client, this.#slot);
    if (position !== undefined || this.#slot !== this.#own) {
      requireSlot(slot, this.#slot);
      return undefined;
    }
    if (slot?.status === 'kept') {
      return undefined;
    }
    if (slot) {
      await dropSlot(client, this.#own);
    }
    const raw = await this.#server.raw(true);
    return createSlot(raw, this.#own, {
      temporary: false,
      failover: this.#settings.enableFailoverSlots === true,
    });
  }

  async #takeSnapshot(): Promise<ExportedSnapshot> {
    if (this.#mode === 'snapshot') {
      return exportSnapshot(await this.#server.raw(false));
    }
    return createSlot(
      await this.#server.raw(true),
      `${this.#own}_${randomBytes(4).toString('hex')}`,
      { temporary: true, failover: false },
    );
  }

  async #readSnapshots(
    client: Client,
    { states, shapes, snapshot, from, emit }: Running & { snapshot: ExportedSnapshot | undefined },
  ): Promise<void> {
    const waiting = [...states.unfinished()];
    const session =
      snapshot &&
      new SnapshotSession({
        server: this.#server,
        client,
        snapshot,
        from,
        emit,
        parallelism: this.#parallelism,
        rowsPerRange: this.#rowsPerPartition,
        bytesPerRange: Math.max(
          2 ** 20,
          Math.min(rangeBytesMax, this.#context.bufferBytes / (4 * this.#parallelism)),
        ),
        stored: (partition, position) => this.#stored.reached(partition, position),
      });
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const shape = shapes.ofTable(next.table);
        await session?.readTable(shape, next.plan);
        const { control, done } = states.finish(next.table);
        await emit({
          kind: 'table',
          action: 'publish',
          target: shape.target,
          partition: control,
          next: done,
        });
        await this.#stored.reached(control, done);
        const { first } = states;
        states.finished(next.table);
        // Nothing else may come for a while that would say that the initial snapshot is over.
        if (first && !states.first) {
          await emit({
            kind: 'rows',
            partition: control,
            parts: [],
            rows: 0,
            bytes: 0,
            next: done,
            flush: true,
          });
        }
      }
    };
    try {
      await Promise.all(
        Array.from(
          { length: Math.max(1, this.#settings.snapshotNumberOfParallelTables ?? 1) },
          work,
        ),
      );
    } finally {
      session?.close();
      snapshot?.close();
    }
  }

  async #readStream(client: Client, { states, shapes, from, emit }: Running): Promise<void> {
    const opening = await from(streamPartition);
    if (!opening) {
      return;
    }
    const slot = requireSlot(await readSlot(client, this.#slot), this.#slot);
    const stream = (this.#stream = new ChangeStream({
      raw: await this.#server.raw(true),
      client,
      slot: this.#slot,
      publication: this.#publication,
      from: parsePosition(opening.position ?? lsnText(slot.confirmed)),
      until: opening.until === undefined ? undefined : parsePosition(opening.until),
      describe: async (relation, outdated) => {
        if (outdated) {
          shapes.outdated(outdated);
        }
        const described = await shapes.ofRelation(relation);
        return (
          described && {
            ...described,
            notBefore: states.copiedUpTo(described.shape.mapping.targetTable),
          }
        );
      },
      settled: ({ table }) => states.settled(table),
      emit,
      condition: () => this.#condition(states),
    }));
    await stream.run();
  }

  get #parallelism(): number {
    return this.#settings.initialLoadParallelism ?? 4;
  }

  get #rowsPerPartition(): number {
    return this.#settings.snapshotNumRowsPerPartition ?? 100_000;
  }

  #condition(states: TableStates): Pick<Batch, 'phase' | 'note' | 'remaining'> {
    return {
      phase: states.first ? 'Snapshot' : 'Running',
      ...(this.#note === undefined ? {} : { note: this.#note }),
      ...(this.#retainedBytes === undefined ? {} : { remaining: this.#retainedBytes }),
    };
  }

  /** Nobody else says that a table was taken out of the publication: its changes would just not come. */
  #startWatch(client: Client, tables: readonly SourceTable[], queue: BatchQueue<Batch>): void {
    const look = async (): Promise<void> => {
      const slot = requireSlot(await readSlot(client, this.#slot), this.#slot);
      await checkPublication(client, this.#publication, tables, {
        whole: this.#mode !== 'cdc_only',
      });
      this.#retainedBytes = slot.retainedBytes;
      this.#note =
        slot.status === 'endangered'
          ? 'the server is about to give up log that the pipe still needs: raise max_slot_wal_keep_size there, or the pipe has to be resynced'
          : slot.retainedBytes > this.#retainedLogWarningBytes
            ? `the server keeps ${sizeText(slot.retainedBytes)} of log for this pipe: a transaction may be open there for long, or the pipe is behind`
            : undefined;
    };
    const run = (): void => {
      look().catch((error: unknown) => {
        queue.fail(error);
      });
    };
    clearInterval(this.#watch);
    this.#watch = setInterval(run, watchMs);
    run();
  }

  #pause(): void {
    clearInterval(this.#watch);
    this.#queue?.close();
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    if (error instanceof FromFailed) {
      return error.reason;
    }
    const { database, credentials } = this.#context.source;
    return postgresError(error, {
      database,
      username: credentials?.username ?? 'postgres',
      publication: this.#publication,
      slot: this.#slot,
    });
  }
}

const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;

interface Running {
  states: TableStates;
  shapes: Shapes;
  from: From;
  emit(batch: Batch): Promise<void>;
}

/** Carries what the runner's own `from` threw to the runner, unchanged. */
class FromFailed extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('the runner refused a partition');
    this.reason = reason;
  }
}

/** Hands batches on; nothing is done any more after the reader has stopped. */
function emitter(
  queue: BatchQueue<Batch>,
  condition: () => Pick<Batch, 'phase' | 'note'>,
): (batch: Batch) => Promise<void> {
  return async (batch) => {
    await queue.put(
      { phase: condition().phase, ...batch } as Batch,
      batch.kind === 'rows' ? batch.bytes : 0,
    );
    if (queue.closed) {
      await new Promise(() => undefined);
    }
  };
}
