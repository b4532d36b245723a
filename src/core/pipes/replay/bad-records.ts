import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import type { DecodedValue, Position, RecordBatch, SourceRecord } from '../../../ports/batch.ts';
import { replayPartition } from '../../../ports/store/pipe-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Telemetry, TelemetryShard, Value } from '../../../ports/telemetry.ts';
import { join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { recordHeaders, recordKey, type VirtualFieldWriters } from '../kinds/virtual-fields.ts';
import { sourceFields } from '../kinds/source-fields.ts';
import { parseOrigin } from '../load/records/record-origin.ts';
import { errorTableName } from '../tables/destination-table.ts';
import { shardsOf } from '../tables/shards.ts';

/** Which rows of the error table are replayed together. Read from the position of a replay. */
interface Selection {
  shard: string | null;
  /** Times of the first and the last of them, in milliseconds since the epoch. */
  fromMs: number;
  untilMs: number;
  ids: string[];
}

const recordsMax = 1000;
const bytesMax = 8 * 2 ** 20;
const timeoutMs = 60_000;

/** Names a row by its content. The same record, refused again, is another row: its range differs. */
const rowId = sql`hex(sipHash128(time, partition, position, range, reason, raw))`;

export interface BadRecordsOptions {
  telemetry: Telemetry;
  document: StoredDocument<'pipe'>;
  virtualFields: VirtualFieldWriters;
  decode(value: Buffer | null): DecodedValue | Promise<DecodedValue>;
  signal: AbortSignal;
}

/** The refused records of a pipe, as something that can be read in batches and removed. */
export class BadRecords {
  readonly #options: BadRecordsOptions;
  readonly #database: string;
  readonly #table: string;
  readonly #missing: (record: SourceRecord) => string | undefined;

  constructor(options: BadRecordsOptions) {
    const { body } = options.document;
    this.#options = options;
    this.#database = body.destination.database;
    this.#table = errorTableName(body.destination.table ?? '');
    this.#missing = missingPart(options.virtualFields, body);
  }

  /**
   * The oldest records of one partition that were refused until this time, on the first shard that
   * has any. Records of an older version, which lack their origin, stay where they are.
   * @returns undefined if there are none
   */
  async next(untilMs: number): Promise<Position | undefined> {
    for (const shard of shardsOf(this.#options.telemetry).all()) {
      const selection = await this.#select(shard, untilMs);
      if (selection) {
        return JSON.stringify(selection);
      }
    }
    return undefined;
  }

  /** The records at a position, converted again. Those that were removed meanwhile are missing. */
  async read(position: Position): Promise<RecordBatch> {
    const { shard, selection } = this.#at(position);
    const rows = await this.#query(
      shard,
      sql`SELECT partition, position, base64Encode(raw), origin,
          toUnixTimestamp64Milli(record_time)
        FROM ${this.#from(shard)} WHERE ${this.#isIn(selection)}
        ORDER BY time, ${rowId} LIMIT 1 BY ${rowId}`,
    );
    const records = await Promise.all(rows.map((row) => this.#record(row)));
    const [first] = rows;
    return {
      kind: 'records',
      partition: replayPartition,
      records,
      bytes: records.reduce((sum, { data, raw }) => sum + ((raw ?? data)?.length ?? 0), 0),
      next: position,
      origin: String(first?.[0] ?? ''),
      constants: first ? parseOrigin(String(first[3])).constants : {},
    };
  }

  /** Removes the rows at a position. Repeating it is harmless. */
  async remove(position: Position): Promise<void> {
    const { shard, selection } = this.#at(position);
    const { signal } = this.#options;
    await shard.command(sql`DELETE FROM ${this.#from(shard)} WHERE ${this.#isIn(selection)}`, {
      purpose: 'pipe',
      tenant: this.#database,
      timeoutMs,
      signal,
    });
  }

  async #select(shard: TelemetryShard, untilMs: number): Promise<Selection | undefined> {
    const rows = await this.#query(
      shard,
      sql`SELECT ${rowId}, toUnixTimestamp64Milli(time), length(raw), partition,
          JSONExtractRaw(origin, 'constants')
        FROM ${this.#from(shard)}
        WHERE pipe_id = ${this.#options.document.id} AND origin != ''
          AND time <= ${moment(untilMs)}
        ORDER BY time LIMIT ${recordsMax}`,
    );
    const ids: string[] = [];
    const times: number[] = [];
    let bytes = 0;
    for (const [id, timeMs, length, ...origin] of rows) {
      bytes += Number(length);
      if (ids.length > 0 && bytes > bytesMax) {
        break;
      }
      // All records of a range have one partition and the same constants.
      if (JSON.stringify(origin) === JSON.stringify(rows[0]?.slice(3))) {
        ids.push(String(id));
        times.push(Number(timeMs));
      }
    }
    const [fromMs, lastMs] = [times[0], times.at(-1)];
    return fromMs === undefined || lastMs === undefined
      ? undefined
      : { shard: shard.name, fromMs, untilMs: lastMs, ids };
  }

  async #record([, position, raw, origin, timestampMs]: Value[]): Promise<SourceRecord> {
    const { isEmpty, key, headers } = parseOrigin(String(origin));
    const value = isEmpty ? null : Buffer.from(String(raw), 'base64');
    const record = {
      position: String(position),
      ...(timestampMs !== null && { timestampMs: Number(timestampMs) }),
      ...(key !== undefined && { key }),
      ...(headers !== undefined && { headers }),
      ...(await this.#options.decode(value)),
    };
    const missing = this.#missing(record);
    return missing === undefined ? record : { ...record, refused: missing };
  }

  async #query(shard: TelemetryShard, statement: Sql): Promise<Value[][]> {
    const { signal } = this.#options;
    const options = { purpose: 'pipe', tenant: this.#database, timeoutMs, signal } as const;
    return (await shard.query(statement, options)).rows;
  }

  #at(position: Position): { shard: TelemetryShard; selection: Selection } {
    const selection = JSON.parse(position) as Selection;
    const shards = shardsOf(this.#options.telemetry);
    const shard = shards.named(selection.shard) ?? shards.all()[0];
    if (!shard) {
      throw new Error('the engine has no shard');
    }
    return { shard, selection };
  }

  #from(shard: TelemetryShard): Sql {
    return qualified(this.#database, shard.stored(this.#table));
  }

  #isIn({ fromMs, untilMs, ids }: Selection): Sql {
    const list = join(
      ids.map((id) => sql`${id}`),
      ', ',
    );
    return sql`pipe_id = ${this.#options.document.id}
      AND time BETWEEN ${moment(fromMs)} AND ${moment(untilMs)} AND ${rowId} IN (${list})`;
  }
}

const moment = (ms: number): Sql => sql`fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;

/**
 * Tells what the mapping needs of a record and the error table does not have: bytes around the value
 * are not kept while no column takes them.
 */
function missingPart(
  virtualFields: VirtualFieldWriters,
  definition: PipeDefinition,
): (record: SourceRecord) => string | undefined {
  const names = definition.fieldMappings.length > 0 ? sourceFields(definition) : [];
  const writers = names.map(({ name }) => virtualFields[name]);
  const [needsKey, needsHeaders] = [writers.includes(recordKey), writers.includes(recordHeaders)];
  return ({ key, headers }) => {
    if (needsKey && key === undefined) {
      return 'the key of the record is unknown: no column took it when the record was refused';
    }
    return needsHeaders && headers === undefined
      ? 'the headers of the record are unknown: no column took them when the record was refused'
      : undefined;
  };
}
