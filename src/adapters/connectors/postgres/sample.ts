import type { Batch } from '../../../ports/batch.ts';
import type { ConnectorContext } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { frame } from './wire/frame-reader.ts';
import { queryOf } from './wire/query-of.ts';
import { quoteName, quoteTable } from './wire/quote.ts';
import type { RawConnection } from './wire/raw-connection.ts';
import { rowsPart } from './rows/row-block.ts';
import type { Server } from './wire/server.ts';
import { Shapes } from './tables/shapes.ts';
import type { TableShape } from './tables/table-shape.ts';
import { readTables } from './tables/tables.ts';
import { TsvWriter } from './rows/tsv-writer.ts';

const rowsMax = 10;
const tablesMax = 20;

/** Reads the first rows of the first tables, ten in total. Creates nothing at the server. */
export async function readSample(
  server: Server,
  { source: settings }: ConnectorContext<'postgres'>,
  queue: BatchQueue<Batch>,
): Promise<void> {
  const client = await server.client();
  const tables = await readTables(queryOf(client), settings.tableMappings);
  const shapes = new Shapes(queryOf(client), tables, settings.settings);
  const raw = await server.raw(false);
  let remainingRows = rowsMax;
  for (const table of tables.slice(0, tablesMax)) {
    if (remainingRows === 0) {
      return;
    }
    const shape = shapes.ofTable(table);
    const { targetTable } = table.mapping;
    const writer = await readRows(raw, shape, remainingRows);
    remainingRows -= writer.rows;
    const parts =
      writer.rows === 0 ? [] : [rowsPart(shape.target, writer.take(), writer.rows, 'sample')];
    await queue.put(
      {
        kind: 'rows',
        partition: `table/${targetTable}`,
        parts,
        rows: writer.rows,
        bytes: writer.length,
        next: 'sample',
      },
      writer.length,
    );
  }
}

/** The first rows of a table. */
export async function readRows(
  raw: RawConnection,
  { mapping, names, columns: shapes }: TableShape,
  limit: number,
): Promise<TsvWriter> {
  const writer = new TsvWriter(4096);
  const columns = names.map(quoteName).join(', ');
  const table = quoteTable({ schema: mapping.sourceSchemaName, table: mapping.sourceTable });
  raw.send(`COPY (SELECT ${columns} FROM ${table} LIMIT ${limit}) TO STDOUT`);
  for (let type = await raw.message(); type !== frame.ready; type = await raw.message()) {
    if (type === frame.copyData) {
      const { buffer, start, end } = raw.frames;
      writer.copyLine(buffer, start, end - 1, shapes, Buffer.from('\t0\t0\n'));
    }
  }
  return writer;
}
