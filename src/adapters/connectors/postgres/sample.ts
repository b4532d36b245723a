import type { Batch } from '../../../ports/batch.ts';
import type { ConnectorContext } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { frame } from './wire/frame-reader.ts';
import { queryOf } from './wire/query-of.ts';
import { quoteName, quoteTable } from './wire/quote.ts';
import { rowsPart } from './rows/row-block.ts';
import type { Server } from './wire/server.ts';
import { Shapes } from './tables/shapes.ts';
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
    const { sourceSchemaName, sourceTable, targetTable } = table.mapping;
    const writer = new TsvWriter(4096);
    const columns = shape.names.map(quoteName).join(', ');
    const source = quoteTable({ schema: sourceSchemaName, table: sourceTable });
    raw.send(`COPY (SELECT ${columns} FROM ${source} LIMIT ${remainingRows}) TO STDOUT`);
    for (let type = await raw.message(); type !== frame.ready; type = await raw.message()) {
      if (type === frame.copyData) {
        writer.copyLine(
          raw.frames.buffer,
          raw.frames.start,
          raw.frames.end - 1,
          shape.columns,
          Buffer.from('\t0\t0\n'),
        );
      }
    }
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
