import type { Client } from 'pg';
import type { Batch, TargetTable } from '../../../../ports/batch.ts';
import { ConnectionLost } from '../../../../ports/connector.ts';
import type { RelationShape } from '../tables/shapes.ts';
import { ChangeBatch } from './change-batch.ts';
import { completeRows } from './complete-rows.ts';
import { frame } from '../wire/frame-reader.ts';
import { lsnText, positionText, type Lsn, type StreamPosition } from '../wire/lsn.ts';
import {
  PgoutputReader,
  postgresEpochMs,
  type RelationMessage,
  type ReplicationEvent,
} from '../wire/pgoutput-reader.ts';
import { quoteName, quoteText } from '../wire/quote.ts';
import type { RawConnection } from '../wire/raw-connection.ts';
import { TypeChanged } from '../types/column-of.ts';
import { bytesOf } from '../rows/row-block.ts';

/** The partition of all changes, beside those of the snapshots. */
export const streamPartition = 'stream';

const skipAll = Number.MAX_SAFE_INTEGER;

function changesToSkip(commitLsn: Lsn, from: StreamPosition): number {
  if (commitLsn < from.lsn) {
    return skipAll;
  }
  return commitLsn === from.lsn ? from.changes : 0;
}

export interface ChangeStreamOptions {
  raw: RawConnection;
  client: Client;
  slot: string;
  publication: string;
  from: StreamPosition;
  /** A batch must end exactly here. */
  until: StreamPosition | undefined;
  /**
   * How to write rows of a relation. Undefined if it is not a table of the pipe. `outdated`: one of
   * its types has changed since the last call.
   */
  describe(relation: RelationMessage, outdated?: TypeChanged): Promise<RelationShape | undefined>;
  /** Resolves when no more rows of the table's snapshot can come. */
  snapshotFinished(target: TargetTable): Promise<void>;
  emit(batch: Batch): Promise<void>;
  /** Fields to add to every batch. */
  condition(): Pick<Batch, 'phase' | 'note' | 'remaining'>;
}

const statusMs = 5000;
const idleMs = 10_000;
/**
 * After this time without a message the client asks the server to reply. After the same time again
 * it gives the connection up: a dead connection is not always closed.
 */
const silenceMs = 15_000;
const batchBytesMax = 512 * 1024;

/**
 * Reads a replication slot and turns changes into batches. Positions follow the order of commits. A
 * batch may end anywhere inside a transaction.
 */
export class ChangeStream {
  readonly #options: ChangeStreamOptions;
  readonly #message = new PgoutputReader();
  readonly #relations = new Map<number, RelationShape | undefined>();
  readonly #messages = new Map<number, RelationMessage>();
  #batch = new ChangeBatch();
  /** The end of the last complete transaction. */
  #position: StreamPosition;
  #until: StreamPosition | undefined;
  /** Changes of the current transaction to skip; -1 between transactions. */
  #skip = -1;
  /** Changes of the current transaction read so far. */
  #change = 0;
  #version = '';
  #confirmed: Lsn;
  #idleSinceMs = 0;

  constructor(options: ChangeStreamOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#until = options.until;
    this.#confirmed = options.from.lsn;
  }

  /** Everything before the position is stored, so the server may discard its WAL. */
  confirm({ lsn }: StreamPosition): void {
    if (lsn <= this.#confirmed) {
      return;
    }
    this.#confirmed = lsn;
    this.#sendStatus();
  }

  /** Runs until the connection ends. @throws the error that ended it */
  async run(): Promise<never> {
    const { raw, slot, publication, from } = this.#options;
    const options = `proto_version '1', publication_names ${quoteText(quoteName(publication))}`;
    raw.send(`START_REPLICATION SLOT ${quoteName(slot)} LOGICAL ${lsnText(from.lsn)} (${options})`);
    while ((await raw.message()) !== frame.copyBoth) {}
    const timer = setInterval(() => {
      this.#checkSilence();
    }, statusMs);
    try {
      // Store the start as a position, so that the next reader starts here and not where the slot
      // is by then.
      await this.#emit(true);
      for (;;) {
        await this.#readChunk();
        if (this.#batch.rows > 0 && (raw.drained || this.#batch.bytes > batchBytesMax)) {
          await this.#emit();
        }
        await raw.more();
      }
    } finally {
      clearInterval(timer);
    }
  }

  async #readChunk(): Promise<void> {
    const { frames } = this.#options.raw;
    const message = this.#message;
    while (frames.next()) {
      if (frames.type === frame.error) {
        throw this.#options.raw.refusal();
      }
      if (frames.type !== frame.copyData) {
        continue;
      }
      const event = message.read(frames.buffer, frames.start, frames.end);
      try {
        if (event === 'row' && this.#until === undefined) {
          this.#row();
        } else {
          await this.#handle(event);
        }
      } catch (error) {
        if (!(error instanceof TypeChanged)) {
          throw error;
        }
        await this.#retryRow(error);
      }
    }
  }

  /**
   * Reads the row again until all its types are up to date. Each type is read once per number of
   * fields, so this ends.
   */
  async #retryRow(changed: TypeChanged): Promise<void> {
    const { relation } = this.#message;
    const described = this.#messages.get(relation);
    this.#relations.set(relation, described && (await this.#options.describe(described, changed)));
    this.#change--;
    try {
      this.#row();
    } catch (error) {
      if (!(error instanceof TypeChanged)) {
        throw error;
      }
      await this.#retryRow(error);
    }
  }

  async #handle(event: ReplicationEvent): Promise<void> {
    switch (event) {
      case 'row':
        await this.#cutAt(this.#message.commitLsn, this.#change);
        return this.#row();
      case 'begin':
        return this.#begin();
      case 'commit':
        // The server may send transactions from before the start again: skip them.
        if (this.#message.endLsn > this.#position.lsn) {
          this.#position = { lsn: this.#message.endLsn, changes: 0 };
        }
        this.#skip = -1;
        if (this.#until?.lsn === this.#position.lsn) {
          await this.#cutAt(this.#position.lsn, this.#position.changes);
        }
        return undefined;
      case 'relation':
        return this.#relation();
      case 'truncate':
        return this.#truncate();
      case 'keepalive':
        return this.#keepalive();
      case 'none':
        return undefined;
    }
  }

  async #begin(): Promise<void> {
    const { commitLsn } = this.#message;
    const { from } = this.#options;
    await this.#cutAt(commitLsn, 0);
    this.#skip = changesToSkip(commitLsn, from);
    this.#change = 0;
    this.#version = String(commitLsn);
  }

  #row(): void {
    const message = this.#message;
    if (this.#change++ < this.#skip) {
      return;
    }
    const relation = this.#relations.get(message.relation);
    if (relation && (relation.notBefore === undefined || message.commitLsn >= relation.notBefore)) {
      this.#batch.add(message, relation, this.#version);
    }
  }

  async #relation(): Promise<void> {
    const relation = this.#message.relationMessage();
    this.#messages.set(relation.oid, relation);
    this.#relations.set(relation.oid, await this.#options.describe(relation));
  }

  /**
   * Truncates each table in a step of its own. No rows share the step, so repeating it cannot remove
   * rows.
   */
  async #truncate(): Promise<void> {
    for (const oid of this.#message.truncated) {
      await this.#cutAt(this.#message.commitLsn, this.#change);
      const target = this.#relations.get(oid)?.shape.target;
      if (this.#change >= this.#skip && target?.engine === 'ReplacingMergeTree') {
        await this.#emit();
        await this.#options.snapshotFinished(target);
        await this.#options.emit({
          kind: 'table',
          action: 'truncate',
          target,
          partition: streamPartition,
          next: positionText({ lsn: this.#message.commitLsn, changes: this.#change + 1 }),
        });
      }
      this.#change++;
    }
  }

  /**
   * Between transactions the server reports how far it has decoded. The slot can then advance even
   * if no table of the pipe changes.
   */
  async #keepalive(): Promise<void> {
    const { endLsn, replyWanted } = this.#message;
    if (this.#skip < 0 && endLsn > this.#position.lsn) {
      await this.#cutAt(endLsn, 0);
      this.#position = { lsn: endLsn, changes: 0 };
      const nowMs = Date.now();
      if (replyWanted || nowMs - this.#idleSinceMs >= idleMs) {
        this.#idleSinceMs = nowMs;
        await this.#emit(true, replyWanted);
      }
    }
    if (replyWanted) {
      this.#sendStatus();
    }
  }

  /** Position of the next change. */
  #nextPosition(): StreamPosition {
    return this.#skip < 0 || this.#skip === skipAll
      ? this.#position
      : { lsn: this.#message.commitLsn, changes: Math.max(this.#change, this.#skip) };
  }

  /**
   * Ends a range that is read again (`until`) if the next change is at or past its end. The batch
   * gets exactly that position.
   */
  async #cutAt(lsn: Lsn, changes: number): Promise<void> {
    const until = this.#until;
    if (!until || lsn < until.lsn || (lsn === until.lsn && changes < until.changes)) {
      return;
    }
    this.#until = undefined;
    if (this.#position.lsn < until.lsn) {
      this.#position = until;
    }
    await this.#send(until, false);
  }

  async #emit(evenIfEmpty = false, flush = false): Promise<void> {
    if (evenIfEmpty || this.#batch.rows > 0) {
      await this.#send(this.#nextPosition(), flush);
    }
  }

  async #send(position: StreamPosition, flush: boolean): Promise<void> {
    const batch = this.#batch;
    // Expect the next batch to be about as large as this one.
    this.#batch = new ChangeBatch(Math.max(1024, Math.min(batchBytesMax, batch.bytes * 1.2)));
    if (batch.incomplete.length > 0) {
      await completeRows(this.#options.client, batch.incomplete);
    }
    const next = positionText(position);
    const parts = batch.parts(next);
    const bytes = bytesOf(parts);
    await this.#options.emit({
      kind: 'rows',
      partition: streamPartition,
      parts,
      rows: batch.rows,
      bytes,
      next,
      ...this.#options.condition(),
      ...(flush ? { flush } : {}),
    });
  }

  #checkSilence(): void {
    const { raw } = this.#options;
    if (raw.silentMs > 2 * silenceMs) {
      raw.cut(new ConnectionLost('the PostgreSQL server has not responded for 30 seconds'));
    } else {
      this.#sendStatus(raw.silentMs > silenceMs);
    }
  }

  #sendStatus(replyWanted = false): void {
    const status = Buffer.alloc(34);
    status[0] = 0x72;
    for (const place of [1, 9, 17]) {
      status.writeBigUInt64BE(this.#confirmed, place);
    }
    status.writeBigInt64BE(BigInt(Date.now() - postgresEpochMs) * 1000n, 25);
    status[33] = replyWanted ? 1 : 0;
    this.#options.raw.copyData(status);
  }
}
