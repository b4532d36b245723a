/** What a replication connection gives next. `row`: an insert, update or delete. */
export type ReplicationEvent =
  | 'begin'
  | 'commit'
  | 'row'
  | 'relation'
  | 'truncate'
  | 'keepalive'
  | 'none';

/** A column as a relation message describes it. */
export interface RelationColumn {
  name: string;
  typeOid: number;
  typmod: number;
}

export interface RelationMessage {
  oid: number;
  schema: string;
  table: string;
  columns: RelationColumn[];
}

const nullMark = 0x6e;
const unchangedMark = 0x75;

/** What stands for a value that is not there; real places are never negative. */
export const isNull = -1;
/** A large value (TOAST) that the update did not touch: it is not sent. */
export const isUnchanged = -2;

/** Where the values of one row are in the message: `places[2 * column]` and the end beside it. */
export class TuplePlaces {
  count = 0;
  unchanged = false;
  places = new Int32Array(64);

  /** Reads a tuple and answers where it ends. */
  read(buffer: Buffer, at: number): number {
    const count = (this.count = buffer.readUInt16BE(at));
    if (this.places.length < count * 2) {
      this.places = new Int32Array(count * 2);
    }
    const { places } = this;
    this.unchanged = false;
    let to = at + 2;
    for (let column = 0; column < count; column++) {
      const mark = buffer[to++]!;
      if (mark === nullMark || mark === unchangedMark) {
        places[column * 2] = mark === nullMark ? isNull : isUnchanged;
        this.unchanged ||= mark === unchangedMark;
        continue;
      }
      const length =
        (buffer[to]! << 24) | (buffer[to + 1]! << 16) | (buffer[to + 2]! << 8) | buffer[to + 3]!;
      places[column * 2] = to + 4;
      places[column * 2 + 1] = to + 4 + length;
      to += 4 + length;
    }
    return to;
  }
}

/** Reads the messages of a replication connection (pgoutput, protocol version 1) where they lie: nothing is copied, and only what is looked at is decoded. */
export class PgoutputReader {
  /** Of the message: the bytes its places count in. */
  buffer: Buffer = Buffer.alloc(0);
  kind: 'insert' | 'update' | 'delete' = 'insert';
  relation = 0;
  readonly before = new TuplePlaces();
  /** `before` holds the whole row (replica identity full) or only its key; undefined: there is none. */
  beforeKind: 'full' | 'key' | undefined;
  readonly after = new TuplePlaces();
  /** Of a transaction: where its commit record is, and its id. */
  commitLsn = 0n;
  transaction = 0;
  committedAtMs = 0;
  /** Of a commit: where the log goes on. Of a keepalive: up to where the server has looked. */
  endLsn = 0n;
  replyWanted = false;
  truncated: number[] = [];

  /** Looks at the payload of one CopyData message. */
  read(buffer: Buffer, start: number, end: number): ReplicationEvent {
    this.buffer = buffer;
    if (buffer[start] === 0x6b) {
      this.endLsn = buffer.readBigUInt64BE(start + 1);
      this.replyWanted = buffer[start + 17] === 1;
      return 'keepalive';
    }
    const at = start + 25;
    switch (buffer[at]) {
      case 0x49:
        return this.#insert(at + 1);
      case 0x55:
        return this.#update(at + 1);
      case 0x44:
        return this.#delete(at + 1);
      case 0x42:
        return this.#begin(at + 1);
      case 0x43:
        this.endLsn = buffer.readBigUInt64BE(at + 10);
        return 'commit';
      case 0x52:
        this.relation = at;
        return 'relation';
      case 0x54:
        return this.#truncate(at + 1, end);
      // Origin, type and logical messages.
      default:
        return 'none';
    }
  }

  /** Of the relation message just read. */
  relationMessage(): RelationMessage {
    const { buffer } = this;
    let at = this.relation + 5;
    const text = (): string => {
      const end = buffer.indexOf(0, at);
      const value = buffer.toString('utf8', at, end);
      at = end + 1;
      return value;
    };
    const oid = buffer.readUInt32BE(this.relation + 1);
    const schema = text() || 'pg_catalog';
    const table = text();
    const count = buffer.readUInt16BE(at + 1);
    at += 3;
    const columns = Array.from({ length: count }, (): RelationColumn => {
      at += 1;
      const name = text();
      at += 8;
      return { name, typeOid: buffer.readUInt32BE(at - 8), typmod: buffer.readInt32BE(at - 4) };
    });
    return { oid, schema, table, columns };
  }

  #begin(at: number): ReplicationEvent {
    this.commitLsn = this.buffer.readBigUInt64BE(at);
    this.committedAtMs = Number(this.buffer.readBigInt64BE(at + 8) / 1000n) + postgresEpochMs;
    this.transaction = this.buffer.readUInt32BE(at + 16);
    return 'begin';
  }

  #insert(at: number): ReplicationEvent {
    this.kind = 'insert';
    this.relation = this.buffer.readUInt32BE(at);
    this.beforeKind = undefined;
    this.after.read(this.buffer, at + 5);
    return 'row';
  }

  #update(at: number): ReplicationEvent {
    this.kind = 'update';
    this.relation = this.buffer.readUInt32BE(at);
    const next = this.#before(at + 4);
    this.after.read(this.buffer, next + 1);
    return 'row';
  }

  #delete(at: number): ReplicationEvent {
    this.kind = 'delete';
    this.relation = this.buffer.readUInt32BE(at);
    this.#before(at + 4);
    return 'row';
  }

  /** The old row or key, where there is one; answers where the message goes on. */
  #before(at: number): number {
    const mark = this.buffer[at];
    this.beforeKind = mark === 0x4f ? 'full' : mark === 0x4b ? 'key' : undefined;
    return this.beforeKind ? this.before.read(this.buffer, at + 1) : at;
  }

  #truncate(at: number, end: number): ReplicationEvent {
    const count = this.buffer.readUInt32BE(at);
    this.truncated = Array.from({ length: count }, (_, index) =>
      this.buffer.readUInt32BE(at + 5 + index * 4),
    );
    return at + 5 + count * 4 <= end ? 'truncate' : 'none';
  }
}

/** 2000-01-01, from which PostgreSQL counts. */
export const postgresEpochMs = 946_684_800_000;
