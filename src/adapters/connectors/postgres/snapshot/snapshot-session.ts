import type { Client } from 'pg';
import type { Batch } from '../../../../ports/batch.ts';
import { ConnectionLost, type From } from '../../../../ports/connector.ts';
import { quoteTable } from '../wire/quote.ts';
import type { RawConnection } from '../wire/raw-connection.ts';
import {
  enterSnapshot,
  readSegment,
  snapshotVersion,
  type HeapSize,
  type SegmentTask,
} from './segment-reader.ts';
import type { Server } from '../wire/server.ts';
import { TableBlocks } from './table-blocks.ts';
import type { ExportedSnapshot } from './exported-snapshot.ts';
import { segmentPartition, segmentPosition, segmentText, type TablePlan } from './snapshot-plan.ts';
import type { TableShape } from '../tables/table-shape.ts';

const blockBytesMin = 64 * 1024;

export interface SnapshotOptions {
  server: Server;
  client: Client;
  snapshot: ExportedSnapshot;
  from: From;
  /** Number of segments of one table that are read at the same time. */
  parallelism: number;
  rowsPerRange: number;
  bytesPerRange: number;
  /** Expected size of the blocks of a large table that are in use at the same time. */
  blockBytesMax: number;
  emit(batch: Batch): Promise<void>;
  /** Resolves when the position of the partition is stored. */
  stored(partition: string, position: string): Promise<void>;
}

/** Reads tables from one exported snapshot. Reuses its connections for the next table. */
export class SnapshotSession {
  readonly #options: SnapshotOptions;
  readonly #free: RawConnection[] = [];

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Reads the rest of a table. Resolves when the whole table is stored. */
  async readTable(shape: TableShape, plan: TablePlan): Promise<void> {
    const sizes = await heapSizes(
      this.#options.client,
      plan.segments.map(({ oid }) => oid),
    );
    const waiting = [...plan.segments.entries()];
    const blocks = this.#blocks(shape, sizes);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, segment] = next;
        const size = sizes.get(segment.oid);
        if (!size) {
          throw new ConnectionLost('a table was dropped while its snapshot was being read');
        }
        const partition = segmentPartition(shape.mapping.targetTable, index);
        await this.#readSegment({ shape, plan, size, segment, partition, blocks });
      }
    };
    await Promise.all(
      Array.from({ length: Math.min(this.#options.parallelism, plan.segments.length) }, work),
    );
    blocks?.close();
  }

  close(): void {
    for (const raw of this.#free) {
      raw.close();
    }
  }

  /** Undefined: the table is read as text. */
  #blocks(
    { target, binary }: TableShape,
    sizes: ReadonlyMap<number, HeapSize>,
  ): TableBlocks | undefined {
    const { snapshot, blockBytesMax } = this.#options;
    const tableBytes = [...sizes.values()].reduce(
      (sum, { blocks, bytesPerBlock }) => sum + blocks * bytesPerBlock,
      0,
    );
    return (
      binary &&
      new TableBlocks({
        target,
        columns: binary,
        version: snapshotVersion(snapshot.lsn),
        bytes: Math.min(Math.max(tableBytes, blockBytesMin), blockBytesMax),
      })
    );
  }

  async #readSegment(
    segment: Pick<SegmentTask, 'shape' | 'plan' | 'size' | 'segment' | 'partition' | 'blocks'>,
  ): Promise<void> {
    const { from, emit, stored, snapshot, rowsPerRange, bytesPerRange } = this.#options;
    const { plan, partition } = segment;
    const opening = await from(partition);
    if (!opening) {
      return;
    }
    // A range of an abandoned plan will not come again: report it as complete.
    if (opening.until !== undefined && segmentPosition(plan, opening.until) === undefined) {
      await emit({ kind: 'rows', partition, parts: [], rows: 0, bytes: 0, next: opening.until });
    }
    const end = segmentText(plan, 'end');
    if (segmentPosition(plan, opening.position) === 'end') {
      return;
    }
    const raw = this.#free.pop() ?? (await this.#options.server.raw(false));
    await enterSnapshot(raw, snapshot.name);
    const done = stored(partition, end);
    done.catch(() => undefined);
    for await (const batch of readSegment(raw, {
      ...segment,
      opening,
      rowsPerRange,
      bytesPerRange,
      lsn: snapshot.lsn,
    })) {
      await emit(batch);
    }
    // Ends the transaction, which releases the lock on the table.
    await raw.run('COMMIT');
    this.#free.push(raw);
    await done;
  }
}

async function heapSizes(client: Client, oids: readonly number[]): Promise<Map<number, HeapSize>> {
  const { rows } = await client.query<{
    oid: string;
    schema: string;
    table: string;
    blocks: string;
    bytes: string;
    rows: number;
    pages: number;
  }>(sizesQuery, [[...new Set(oids)]]);
  return new Map(
    rows.map(({ oid, schema, table, blocks, bytes, rows: count, pages }) => [
      Number(oid),
      {
        name: quoteTable({ schema, table }),
        blocks: Number(blocks),
        // A table that was never analysed: assume rows of about 150 bytes.
        rowsPerBlock: count > 0 && pages > 0 ? count / pages : 50,
        bytesPerBlock: Number(bytes) / Math.max(1, Number(blocks)),
      },
    ]),
  );
}

const sizesQuery = `
SELECT c.oid::text AS oid, n.nspname::text AS schema, c.relname::text AS table,
       (pg_relation_size(c.oid) / current_setting('block_size')::int)::text AS blocks,
       pg_table_size(c.oid)::text AS bytes, c.reltuples::float8 AS rows, c.relpages::float8 AS pages
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ANY($1::oid[])`;
