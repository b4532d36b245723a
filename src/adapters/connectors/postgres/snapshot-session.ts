import type { Client } from 'pg';
import type { Batch, From } from '../../../ports/connector.ts';
import { quoteTable } from './quote.ts';
import type { RawConnection } from './raw-connection.ts';
import { enterSnapshot, readSegment, type HeapSize, type SegmentTask } from './segment-reader.ts';
import type { Server } from './server.ts';
import type { ExportedSnapshot } from './slot.ts';
import { segmentPartition, segmentPosition, segmentText, type TablePlan } from './snapshot-plan.ts';
import type { TableShape } from './table-shape.ts';

export interface SnapshotOptions {
  server: Server;
  client: Client;
  snapshot: ExportedSnapshot;
  from: From;
  /** Segments of one table that are read at the same time. */
  parallelism: number;
  rowsPerRange: number;
  bytesPerRange: number;
  emit(batch: Batch): Promise<void>;
  /** Resolves when the position of a partition is stored. */
  stored(partition: string, position: string): Promise<void>;
}

/** Reads tables as one exported snapshot saw them. Connections are used again for the next table. */
export class SnapshotSession {
  readonly #options: SnapshotOptions;
  readonly #free: RawConnection[] = [];

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Reads what is left of a table; resolves when all of it is stored. */
  async readTable(shape: TableShape, plan: TablePlan): Promise<void> {
    const sizes = await heapSizes(
      this.#options.client,
      plan.segments.map(({ oid }) => oid),
    );
    const waiting = plan.segments.map((_, index) => index);
    const asTheyCome = { hold: true };
    const work = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        await this.#readSegment(
          { shape, plan, asTheyCome, size: sizes.get(plan.segments[index]!.oid)! },
          index,
        );
      }
    };
    await Promise.all(
      Array.from({ length: Math.min(this.#options.parallelism, plan.segments.length) }, work),
    );
  }

  close(): void {
    for (const raw of this.#free) {
      raw.close();
    }
  }

  async #readSegment(
    { shape, plan, size, asTheyCome }: Pick<SegmentTask, 'shape' | 'plan' | 'size' | 'asTheyCome'>,
    index: number,
  ): Promise<void> {
    const { from, emit, stored, snapshot, rowsPerRange, bytesPerRange } = this.#options;
    const partition = segmentPartition(shape.mapping.targetTable, index);
    const opening = await from(partition);
    if (!opening) {
      return;
    }
    // A range of a plan that is not followed any more will not come again: it counts as over.
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
      plan,
      segment: plan.segments[index]!,
      shape,
      partition,
      opening,
      size,
      rowsPerRange,
      bytesPerRange,
      at: snapshot.at,
      asTheyCome,
    })) {
      await emit(batch);
    }
    // The table's lock goes with the transaction.
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
        // Never analysed: a guess that is right for rows of some 150 bytes.
        rowsPerBlock: count > 0 && pages > 0 ? count / pages : 50,
        bytesPerBlock: Number(bytes) / Math.max(1, Number(blocks)),
      },
    ]),
  );
}

const sizesQuery = `
SELECT c.oid::text AS oid, n.nspname::text AS schema, c.relname::text AS table, (pg_relation_size(c.oid) / current_setting('block_size')::int)::text AS blocks,
       pg_table_size(c.oid)::text AS bytes, c.reltuples::float8 AS rows, c.relpages::float8 AS pages
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ANY($1::oid[])`;
