import type { Batch, ConnectorContext } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { frame } from './frame-reader.ts';
import { queryOf } from './query-of.ts';
import { quoteName, quoteTable } from './quote.ts';
import { rowsPart } from './row-block.ts';
import type { Server } from './server.ts';
import { Shapes } from './shapes.ts';
import { readTables } from './tables.ts';
import { TsvWriter } from './tsv-writer.ts';

const rowsMax = 10;
const tablesMax = 20;

/** The first rows of the first tables, ten in all; nothing is made at the server. */
export async function readSample(
  server: Server,
  { source }: ConnectorContext<'postgres'>,
  queue: BatchQueue<Batch>,
): Promise<void> {
  const client = await server.client();
  const tables = await readTables(queryOf(client), source.tableMappings);
  const shapes = new Shapes(queryOf(client), tables, source.settings);
  const raw = await server.raw(false);
  let left = rowsMax;
  for (const table of tables.slice(0, tablesMax)) {
    if (left === 0) {
      return;
    }
    const shape = shapes.ofTable(table);
    const { sourceSchemaName, sourceTable, targetTable } = table.mapping;
    const writer = new TsvWriter(4096);
    raw.ask(
      `COPY (SELECT ${shape.names.map(quoteName).join(', ')} FROM ${quoteTable({ schema: sourceSchemaName, table: sourceTable })} LIMIT ${left}) TO STDOUT`,
    );
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
    left -= writer.rows;
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
