import type { RecordBatch, SourceRecord } from '../../../../ports/batch.ts';
import { qualified, sql } from '../../../../sql/sql.ts';
import { errorRecordColumns } from '../../tables/destination-table.ts';
import { JsonRowWriter } from './json-row-writer.ts';
import { originText } from './record-origin.ts';
import type { RowDestination } from './row-destination.ts';

export interface Refused {
  record: SourceRecord;
  reason: string;
}

const timeoutMs = 60_000;

/**
 * The refused records of one range. They are stored before the rows of the others are, so that a
 * repeated range leaves out exactly the same ones, whatever became of the table meanwhile.
 */
export class ErrorRows {
  readonly #to: Pick<RowDestination, 'pipeId' | 'errors'>;
  readonly #batch: Pick<RecordBatch, 'partition' | 'origin' | 'constants'> | undefined;
  readonly #token: string;
  readonly #signal: AbortSignal;
  #count = 0;

  /** @param batch one of the range, all of which have the same partition and constants */
  constructor(
    to: Pick<RowDestination, 'pipeId' | 'errors'>,
    batch: Pick<RecordBatch, 'partition' | 'origin' | 'constants'> | undefined,
    token: string,
    signal: AbortSignal,
  ) {
    this.#to = to;
    this.#batch = batch;
    this.#token = token;
    this.#signal = signal;
  }

  /** Number of refused records, those of an earlier attempt included. */
  get count(): number {
    return this.#count;
  }

  /** Positions of the records that an earlier attempt has refused. */
  async earlier(): Promise<ReadonlySet<string>> {
    const { pipeId, errors } = this.#to;
    const { rows } = await errors.shard.query(
      sql`SELECT DISTINCT position FROM ${qualified(errors.database, errors.table)}
        WHERE pipe_id = ${pipeId} AND range = ${this.#token}`,
      { purpose: 'pipe', tenant: errors.database, timeoutMs, signal: this.#signal },
    );
    const positions = new Set(rows.map(([position]) => String(position)));
    this.#count = positions.size;
    return positions;
  }

  async add(refused: readonly Refused[]): Promise<void> {
    if (refused.length === 0) {
      return;
    }
    const { errors } = this.#to;
    const rows = this.#rowsOf(refused);
    await errors.shard.insert(
      errors.database,
      errors.table,
      { format: 'JSONEachRow', columns: errorRecordColumns, data: rows.take(), rows: rows.rows },
      {
        deduplicationToken: `${this.#token}:errors${this.#count === 0 ? '' : `:${this.#count}`}`,
        purpose: 'pipe',
        foreign: true,
        timeoutMs,
        signal: this.#signal,
      },
    );
    this.#count += refused.length;
  }

  #rowsOf(refused: readonly Refused[]): JsonRowWriter {
    const { partition = '', origin = partition, constants } = this.#batch ?? {};
    const time = new Date().toISOString();
    const rows = new JsonRowWriter(refused.length * 256);
    for (const { record, reason } of refused) {
      const { position, timestampMs, raw, data } = record;
      const fixed = {
        pipe_id: this.#to.pipeId,
        time,
        partition: origin,
        position,
        record_time: timestampMs === undefined ? null : new Date(timestampMs).toISOString(),
        reason,
        range: this.#token,
        origin: originText(record, constants),
      };
      rows.text(`${JSON.stringify(fixed).slice(0, -1)},"raw":`);
      rows.jsonString(raw ?? data ?? Buffer.alloc(0));
      rows.text('}');
      rows.endRow();
    }
    return rows;
  }
}
