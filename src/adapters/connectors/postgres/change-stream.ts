import type { Client } from 'pg';
import { ConnectionLost, type Batch, type TargetTable } from '../../../ports/connector.ts';
import { ChangeBatch, type RelationShape } from './change-batch.ts';
import { completeRows } from './complete-rows.ts';
import { frame } from './frame-reader.ts';
import { lsnText, positionText, type Lsn, type StreamPosition } from './lsn.ts';
import {
  PgoutputReader,
  postgresEpochMs,
  type RelationMessage,
  type ReplicationEvent,
} from './pgoutput-reader.ts';
import { quoteName, quoteText } from './quote.ts';
import type { RawConnection } from './raw-connection.ts';
import { TypeChanged } from './types/column-of.ts';

export const streamPartition = 'stream';

export interface ChangeStreamOptions {
  raw: RawConnection;
  client: Client;
  slot: string;
  publication: string;
  from: StreamPosition;
  /** A batch must end exactly here. */
  until: StreamPosition | undefined;
  /** How a relation is written; undefined: it is not the pipe's. `outdated`: it was asked before, and a type has changed since. */
  describe(relation: RelationMessage, outdated?: TypeChanged): Promise<RelationShape | undefined>;
  /** Resolves when rows of an earlier moment can no longer come for this table. */
  settled(target: TargetTable): Promise<void>;
  emit(batch: Batch): Promise<void>;
  /** What goes along with every batch. */
  condition(): Pick<Batch, 'phase' | 'note' | 'remaining'>;
}

const statusMs = 5000;
const idleMs = 10_000;
/** After so long without a word the server is asked for one; after so long again it counts as gone: a line may be dead without being cut. */
const silenceMs = 15_000;
const batchBytesMax = 512 * 1024;

/** Reads a replication slot and turns changes into batches. Positions are in the order of commits; large transactions are cut anywhere. */
export class ChangeStream {
  readonly #options: ChangeStreamOptions;
  readonly #message = new PgoutputReader();
  readonly #relations = new Map<number, RelationShape | undefined>();
  readonly #messages = new Map<number, RelationMessage>();
  #batch = new ChangeBatch();
  #at: StreamPosition;
  #until: StreamPosition | undefined;
  /** Changes of the running transaction that were stored before; -1: no transaction runs. */
  #skip = -1;
  #change = 0;
  #version = '';
  #confirmed: Lsn;
  #idleSinceMs = 0;

  constructor(options: ChangeStreamOptions) {
    this.#options = options;
    this.#at = options.from;
    this.#until = options.until;
    this.#confirmed = options.from.lsn;
  }

  /** Everything before is stored: the server may forget it. */
  confirm({ lsn }: StreamPosition): void {
    if (lsn <= this.#confirmed) {
      return;
    }
    this.#confirmed = lsn;
    this.#sendStatus();
  }

  /** Until the connection ends. @throws what it ended with. */
  async run(): Promise<never> {
    const { raw, slot, publication, from } = this.#options;
    raw.ask(
      `START_REPLICATION SLOT ${quoteName(slot)} LOGICAL ${lsnText(from.lsn)} (proto_version '1', publication_names ${quoteText(quoteName(publication))})`,
    );
    while ((await raw.message()) !== frame.copyBoth) {}
    const timer = setInterval(() => {
      this.#listen();
    }, statusMs);
    try {
      // Where it begins is a position too: the next reader begins there, not at what the slot says then.
      await this.#emit(true);
      for (;;) {
        await this.#takeChunk();
        if (this.#batch.rows > 0 && (raw.drained || this.#batch.bytes > batchBytesMax)) {
          await this.#emit();
        }
        await raw.more();
      }
    } finally {
      clearInterval(timer);
    }
  }

  async #takeChunk(): Promise<void> {
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
        await this.#rowAgain(error);
      }
    }
  }

  /** Until all its types are known as they are; each of them is looked up once for a number of fields. */
  async #rowAgain(changed: TypeChanged): Promise<void> {
    const { relation } = this.#message;
    this.#relations.set(
      relation,
      await this.#options.describe(this.#messages.get(relation)!, changed),
    );
    this.#change--;
    try {
      this.#row();
    } catch (error) {
      if (!(error instanceof TypeChanged)) {
        throw error;
      }
      await this.#rowAgain(error);
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
        // Transactions from before the beginning come again, and are passed over.
        if (this.#message.endLsn > this.#at.lsn) {
          this.#at = { lsn: this.#message.endLsn, changes: 0 };
        }
        this.#skip = -1;
        if (this.#until?.lsn === this.#at.lsn) {
          await this.#cutAt(this.#at.lsn, this.#at.changes);
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
    this.#skip =
      commitLsn < from.lsn ? Number.MAX_SAFE_INTEGER : commitLsn === from.lsn ? from.changes : 0;
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

  /** Each table is one step of its own: nothing shares a range with it that a repetition of it could take away. */
  async #truncate(): Promise<void> {
    for (const oid of this.#message.truncated) {
      await this.#cutAt(this.#message.commitLsn, this.#change);
      const target = this.#relations.get(oid)?.shape.target;
      if (this.#change >= this.#skip && target?.engine === 'ReplacingMergeTree') {
        await this.#emit();
        await this.#options.settled(target);
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

  /** Between transactions the server tells how far it has looked: so the slot moves on although nothing of ours was written. */
  async #keepalive(): Promise<void> {
    const { endLsn, replyWanted } = this.#message;
    if (this.#skip < 0 && endLsn > this.#at.lsn) {
      await this.#cutAt(endLsn, 0);
      this.#at = { lsn: endLsn, changes: 0 };
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

  /** Where the next change would be. */
  #here(): StreamPosition {
    return this.#skip < 0
      ? this.#at
      : this.#skip === Number.MAX_SAFE_INTEGER
        ? this.#at
        : { lsn: this.#message.commitLsn, changes: Math.max(this.#change, this.#skip) };
  }

  /** What comes is at or past the end of a range that is read again: the range ends there, by the same name. */
  async #cutAt(lsn: Lsn, changes: number): Promise<void> {
    const until = this.#until;
    if (!until || lsn < until.lsn || (lsn === until.lsn && changes < until.changes)) {
      return;
    }
    this.#until = undefined;
    if (this.#at.lsn < until.lsn) {
      this.#at = until;
    }
    await this.#send(until, false);
  }

  async #emit(evenIfEmpty = false, flush = false): Promise<void> {
    if (evenIfEmpty || this.#batch.rows > 0) {
      await this.#send(this.#here(), flush);
    }
  }

  async #send(position: StreamPosition, flush: boolean): Promise<void> {
    const batch = this.#batch;
    // What comes next is about as much as what came.
    this.#batch = new ChangeBatch(Math.max(1024, Math.min(batchBytesMax, batch.bytes * 1.2)));
    if (batch.incomplete.length > 0) {
      await completeRows(this.#options.client, batch.incomplete);
    }
    const next = positionText(position);
    const parts = batch.parts(next);
    const bytes = parts.reduce((sum, { data }) => sum + data.length, 0);
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

  #listen(): void {
    const { raw } = this.#options;
    if (raw.silentMs > 2 * silenceMs) {
      raw.cut(new ConnectionLost('the PostgreSQL server has not answered for half a minute'));
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
