/** Kind of the next replication message. `row`: an insert, update or delete. */
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

/** Stands for NULL in `TuplePlaces`; real places are never negative. */
export const isNull = -1;
/** Stands for a large value (TOAST) that the update did not touch, and that is not sent. */
export const isUnchanged = -2;

/**
 * Where the values of one row lie in the message: column `n` starts at `places[2 * n]` and ends at
 * `places[2 * n + 1]`.
 */
export class TuplePlaces {
  count = 0;
  unchanged = false;
  places = new Int32Array(64);

  /** Reads the tuple at `start` and returns where it ends. */
  read(buffer: Buffer, start: number): number {
    const count = (this.count = buffer.readUInt16BE(start));
    if (this.places.length < count * 2) {
      this.places = new Int32Array(count * 2);
    }
    const { places } = this;
    this.unchanged = false;
    let to = start + 2;
    for (let column = 0; column < count; column++) {
      // `!`, because a checked read costs time for each value of each row.
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

/**
 * Reads the messages of a replication connection (pgoutput, protocol version 1) in place: it copies
 * nothing, and decodes only the fields that the connector uses.
 */
export class PgoutputReader {
  /** The bytes that the places of the current message refer to. */
  buffer: Buffer = Buffer.alloc(0);
  kind: 'insert' | 'update' | 'delete' = 'insert';
  relation = 0;
  readonly before = new TuplePlaces();
  /**
   * Whether `before` holds the whole old row (replica identity full) or only its key. Undefined if
   * the message has no old row.
   */
  beforeKind: 'full' | 'key' | undefined;
  readonly after = new TuplePlaces();
  /** Where the transaction's commit record is. */
  commitLsn = 0n;
  /** The transaction's id. */
  transaction = 0;
  committedAtMs = 0;
  /** Of a commit: the end of its record. Of a keepalive: how far the server has decoded. */
  endLsn = 0n;
  replyWanted = false;
  truncated: number[] = [];

  /** Reads the payload of one CopyData message. */
  read(buffer: Buffer, start: number, end: number): ReplicationEvent {
    this.buffer = buffer;
    if (buffer[start] === 0x6b) {
      this.endLsn = buffer.readBigUInt64BE(start + 1);
      this.replyWanted = buffer[start + 17] === 1;
      return 'keepalive';
    }
    const kindStart = start + 25;
    const body = kindStart + 1;
    switch (buffer[kindStart]) {
      case 0x49:
        return this.#insert(body);
      case 0x55:
        return this.#update(body);
      case 0x44:
        return this.#delete(body);
      case 0x42:
        return this.#begin(body);
      case 0x43:
        this.endLsn = buffer.readBigUInt64BE(body + 9);
        return 'commit';
      case 0x52:
        this.relation = kindStart;
        return 'relation';
      case 0x54:
        return this.#truncate(body, end);
      // Origin, type and logical messages carry no rows.
      default:
        return 'none';
    }
  }

  /** Decodes the relation message that was just read. */
  relationMessage(): RelationMessage {
    const { buffer } = this;
    let offset = this.relation + 5;
    const text = (): string => {
      const end = buffer.indexOf(0, offset);
      const value = buffer.toString('utf8', offset, end);
      offset = end + 1;
      return value;
    };
    const oid = buffer.readUInt32BE(this.relation + 1);
    const schema = text() || 'pg_catalog';
    const table = text();
    const count = buffer.readUInt16BE(offset + 1);
    offset += 3;
    const columns = Array.from({ length: count }, (): RelationColumn => {
      offset += 1;
      const name = text();
      offset += 8;
      return {
        name,
        typeOid: buffer.readUInt32BE(offset - 8),
        typmod: buffer.readInt32BE(offset - 4),
      };
    });
    return { oid, schema, table, columns };
  }

  #begin(start: number): ReplicationEvent {
    this.commitLsn = this.buffer.readBigUInt64BE(start);
    this.committedAtMs = Number(this.buffer.readBigInt64BE(start + 8) / 1000n) + postgresEpochMs;
    this.transaction = this.buffer.readUInt32BE(start + 16);
    return 'begin';
  }

  #insert(start: number): ReplicationEvent {
    this.kind = 'insert';
    this.relation = this.buffer.readUInt32BE(start);
    this.beforeKind = undefined;
    this.after.read(this.buffer, start + 5);
    return 'row';
  }

  #update(start: number): ReplicationEvent {
    this.kind = 'update';
    this.relation = this.buffer.readUInt32BE(start);
    const next = this.#before(start + 4);
    this.after.read(this.buffer, next + 1);
    return 'row';
  }

  #delete(start: number): ReplicationEvent {
    this.kind = 'delete';
    this.relation = this.buffer.readUInt32BE(start);
    this.#before(start + 4);
    return 'row';
  }

  /** Reads the old row or key if there is one. Returns where the message goes on. */
  #before(start: number): number {
    this.beforeKind = oldRowKind(this.buffer[start]);
    return this.beforeKind ? this.before.read(this.buffer, start + 1) : start;
  }

  #truncate(start: number, end: number): ReplicationEvent {
    const count = this.buffer.readUInt32BE(start);
    this.truncated = Array.from({ length: count }, (_, index) =>
      this.buffer.readUInt32BE(start + 5 + index * 4),
    );
    return start + 5 + count * 4 <= end ? 'truncate' : 'none';
  }
}

function oldRowKind(mark: number | undefined): 'full' | 'key' | undefined {
  if (mark === 0x4f) {
    return 'full';
  }
  return mark === 0x4b ? 'key' : undefined;
}

/** 2000-01-01, the start of PostgreSQL's time. */
export const postgresEpochMs = 946_684_800_000;
