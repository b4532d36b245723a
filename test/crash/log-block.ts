import { BlockJoiner } from '../../src/core/otlp/block/block-joiner.ts';
import { encodeRequest } from '../../src/core/otlp/encode-request.ts';
import type { RowBlock } from '../../src/ports/telemetry.ts';

/**
 * The log rows that the killed writer sends as block `block`: the same whenever it is sent again.
 */
export function logBlock(block: number, rows: number): RowBlock {
  const lines = Array.from({ length: rows }, (_, row) =>
    JSON.stringify({
      Timestamp: `2026-11-20 10:00:00.${String(row).padStart(9, '0')}`,
      ServiceName: `service-${row % 7}`,
      SpanId: String(row),
      Body: String(block),
    }),
  );
  return {
    format: 'JSONEachRow',
    columns: ['Timestamp', 'ServiceName', 'SpanId', 'Body'],
    data: Buffer.from(`${lines.join('\n')}\n`),
    rows,
  };
}

/** 2026-11-20, 10:00 UTC. */
const second = 1_795_168_800;

/** The same rows as the program makes them of an OTLP request. */
export function otlpBlock(block: number, rows: number): RowBlock {
  const request = {
    resourceLogs: Array.from({ length: rows }, (_, row) => ({
      resource: {
        attributes: [{ key: 'service.name', value: { stringValue: `service-${row % 7}` } }],
      },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: `${second}${String(row).padStart(9, '0')}`,
              spanId: (row + 1).toString(16).padStart(16, '0'),
              body: { stringValue: String(block) },
            },
          ],
        },
      ],
    })),
  };
  const { tables } = encodeRequest(
    { signal: 'logs', encoding: 'json', receivedMs: 0 },
    Buffer.from(JSON.stringify(request)),
  );
  const [{ columns, data }] = tables as [(typeof tables)[number]];
  return { format: 'Native', columns: columns.map(({ name }) => name), data, rows };
}

const joiner = new BlockJoiner();

/** As the program joins the blocks of its intake log. */
export const joinBlocks = (...blocks: Parameters<BlockJoiner['join']>) => joiner.join(...blocks);
