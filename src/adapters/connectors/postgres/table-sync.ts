import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Batch, Position } from '../../../ports/batch.ts';
import type { ConnectorContext, From } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { exportSnapshot, type ExportedSnapshot } from './snapshot/exported-snapshot.ts';
import { SnapshotSession } from './snapshot/snapshot-session.ts';
import { TableStates } from './snapshot/table-states.ts';
import type { SourceSettings } from './source-settings.ts';
import { SourceWatch } from './source-watch.ts';
import { StoredPositions } from './stored-positions.ts';
import { ChangeStream, streamPartition } from './stream/change-stream.ts';
import { checkPublication, makePublication } from './stream/publication.ts';
import { createSlot, dropSlot, readSlot, requireSlot } from './stream/slot.ts';
import { Shapes } from './tables/shapes.ts';
import { readTables, type SourceTable } from './tables/tables.ts';
import { lsnText, parsePosition } from './wire/lsn.ts';
import { queryOf } from './wire/query-of.ts';
import type { Server } from './wire/server.ts';

const rangeBytesMax = 8 * 2 ** 20;
const blockBytesMax = 64 * 2 ** 20;

export interface TableSyncOptions {
  context: ConnectorContext<'postgres'>;
  server: Server;
  settings: SourceSettings;
  retainedLogWarningBytes: number;
}

/** What the parts of one run share. */
interface Run {
  client: Client;
  states: TableStates;
  shapes: Shapes;
  from: From;
  emit(batch: Batch): Promise<void>;
}

/** Copies the pipe's tables from a snapshot and follows their changes. */
export class TableSync {
  readonly #context: ConnectorContext<'postgres'>;
  readonly #server: Server;
  readonly #settings: SourceSettings;
  readonly #watch: SourceWatch;
  readonly #positions = new StoredPositions();
  #stream: ChangeStream | undefined;

  constructor({ context, server, settings, retainedLogWarningBytes }: TableSyncOptions) {
    this.#context = context;
    this.#server = server;
    this.#settings = settings;
    this.#watch = new SourceWatch({ settings, retainedLogWarningBytes });
  }

  /** The runner has stored everything of the partition up to `position`. */
  stored(partition: string, position: Position): void {
    if (partition === streamPartition) {
      this.#stream?.confirm(parsePosition(position));
    }
    this.#positions.note(partition, position);
  }

  /** Stops the regular checks. The run itself ends with its queue and its connections. */
  stop(): void {
    this.#watch.stop();
  }

  /** Ends after the snapshot in mode `snapshot`; otherwise only with an error. */
  async run(from: From, queue: BatchQueue<Batch>): Promise<void> {
    const { mode, parallelism, rowsPerPartition } = this.#settings;
    const client = await this.#server.client();
    const query = queryOf(client);
    const tables = await readTables(query, this.#context.source.tableMappings);
    const positions = (await this.#context.positions?.()) ?? new Map<string, Position>();
    const run = this.#context.run ?? 1;
    const states = new TableStates({ client, from, positions, run, tables });
    const exported =
      mode === 'snapshot'
        ? undefined
        : await this.#prepareReplication(client, tables, positions.get(streamPartition));
    const pending = await states.pending();
    const needsSnapshot = pending.length > 0 && mode !== 'cdc_only';
    const snapshot = needsSnapshot ? (exported ?? (await this.#takeSnapshot())) : undefined;
    await states.plan(
      mode === 'cdc_only' ? undefined : { parallelism, rowsPerPartition, lsn: snapshot?.lsn },
    );
    const shapes = new Shapes(query, tables, this.#context.source.settings);
    for (const { mapping } of tables) {
      shapes.setGeneration(mapping.targetTable, states.generation(mapping.targetTable));
    }
    const emit = emitter(queue, () => this.#condition(states));
    for (const batch of await states.announce()) {
      await emit(batch);
    }
    const parts: Run = { client, states, shapes, from, emit };
    const snapshots = this.#readSnapshots(parts, snapshot);
    if (mode === 'snapshot') {
      return snapshots;
    }
    if (!queue.closed) {
      this.#watch.start(client, tables, (error) => {
        queue.fail(error);
      });
    }
    await Promise.all([snapshots, this.#readStream(parts)]);
  }

  /**
   * Prepares the publication, then the slot: a slot decodes changes only by a publication that
   * already exists. Returns the snapshot that belongs to the slot if the slot is new.
   */
  async #prepareReplication(
    client: Client,
    tables: readonly SourceTable[],
    position: Position | undefined,
  ): Promise<ExportedSnapshot | undefined> {
    const { mode, ownName, publication, slot: slotName, failoverSlot } = this.#settings;
    if (publication === ownName) {
      await makePublication(client, ownName, tables);
    } else {
      await checkPublication(client, publication, tables, { copied: mode !== 'cdc_only' });
    }
    const slot = await readSlot(client, slotName);
    if (position !== undefined || slotName !== ownName) {
      requireSlot(slot, slotName);
      return undefined;
    }
    if (slot?.status === 'kept') {
      return undefined;
    }
    if (slot) {
      await dropSlot(client, ownName);
    }
    const raw = await this.#server.raw(true);
    return createSlot(raw, ownName, { temporary: false, failover: failoverSlot });
  }

  async #takeSnapshot(): Promise<ExportedSnapshot> {
    const { mode, ownName } = this.#settings;
    if (mode === 'snapshot') {
      return exportSnapshot(await this.#server.raw(false));
    }
    return createSlot(
      await this.#server.raw(true),
      `${ownName}_${randomBytes(4).toString('hex')}`,
      { temporary: true, failover: false },
    );
  }

  async #readSnapshots(run: Run, snapshot: ExportedSnapshot | undefined): Promise<void> {
    const unfinished = [...run.states.unfinished()];
    const session = snapshot && this.#snapshotSession(run, snapshot);
    const { states, shapes, emit } = run;
    const work = async (): Promise<void> => {
      for (let next = unfinished.shift(); next; next = unfinished.shift()) {
        const shape = shapes.ofTable(next.table);
        await session?.readTable(shape, next.plan);
        const { partition, done } = states.finish(next.table);
        await emit({
          kind: 'table',
          action: 'publish',
          target: shape.target,
          partition,
          next: done,
        });
        await this.#positions.reached(partition, done);
        const { initial } = states;
        states.markFinished(next.table);
        // The stream may be silent for a while: an empty batch reports the end of the snapshot.
        if (initial && !states.initial) {
          await emit({
            kind: 'rows',
            partition,
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
      await Promise.all(Array.from({ length: this.#settings.parallelTables }, work));
    } finally {
      session?.close();
      snapshot?.close();
    }
  }

  #snapshotSession({ client, from, emit }: Run, snapshot: ExportedSnapshot): SnapshotSession {
    const { parallelism, rowsPerPartition } = this.#settings;
    const blockBytes = Math.floor(this.#context.bufferBytes / 4);
    return new SnapshotSession({
      server: this.#server,
      client,
      snapshot,
      from,
      emit,
      parallelism,
      rowsPerRange: rowsPerPartition,
      bytesPerRange: Math.max(2 ** 20, Math.min(rangeBytesMax, blockBytes / parallelism)),
      blockBytesMax: Math.min(blockBytesMax, blockBytes),
      stored: (partition, position) => this.#positions.reached(partition, position),
    });
  }

  async #readStream({ client, states, shapes, from, emit }: Run): Promise<void> {
    const opening = await from(streamPartition);
    if (!opening) {
      return;
    }
    const { slot: slotName, publication } = this.#settings;
    const slot = requireSlot(await readSlot(client, slotName), slotName);
    const stream = (this.#stream = new ChangeStream({
      raw: await this.#server.raw(true),
      client,
      slot: slotName,
      publication,
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
      snapshotFinished: ({ table }) => states.whenFinished(table),
      emit,
      condition: () => this.#condition(states),
    }));
    await stream.run();
  }

  #condition(states: TableStates): Pick<Batch, 'phase' | 'note' | 'remaining'> {
    const { note, retainedBytes } = this.#watch;
    return {
      phase: states.initial ? 'Snapshot' : 'Running',
      ...(note === undefined ? {} : { note }),
      ...(retainedBytes === undefined ? {} : { remaining: retainedBytes }),
    };
  }
}

/** Puts batches into the queue. Never resolves once the reader has stopped, so that work stops. */
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
