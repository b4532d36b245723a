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
