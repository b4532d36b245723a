import { Days, encodedRows, Refusals, tooManyDays, type Encoded } from '../encoded.ts';
import { visitRequest, writeRepeated, writeShared } from './groups.ts';
import { Arrival } from './record-fields.ts';
import { Span } from './span.ts';
import { TracesBlock } from '../tables.ts';
import { defaultQuota, type Quota } from '../wire/quota.ts';

const block = new TracesBlock();

/**
 * Rows of otel_traces from an ExportTraceServiceRequest. A span without a start time gets
 * `receivedMs`.
 */
export function encodeTraces(
  request: Uint8Array,
  receivedMs: number,
  { maxFields, maxRowBytes }: Quota = defaultQuota,
): Encoded {
  const arrival = new Arrival(receivedMs);
  const refusals = new Refusals();
  const days = new Days();
  const span = new Span(arrival);
  let firstRow = 0;
  block.start(maxRowBytes);
  visitRequest(
    request,
    {
      groupStart: () => {
        firstRow = block.rows;
      },
      record: (reader, start, end) => {
        const reason =
          span.read(reader, start, end) ??
          (days.tryAdd(span.timeMs(reader)) ? undefined : tooManyDays);
        if (reason !== undefined) {
          return refusals.add(reason);
        }
        span.write(reader, block);
        block.rows++;
      },
      groupEnd: (reader, group) => {
        const rows = block.rows - firstRow;
        if (rows > 0) {
          writeRepeated(block.shared, rows, () => writeShared(reader, group, block));
        }
      },
    },
    maxFields,
  );
  return {
    tables: block.rows > 0 ? [encodedRows(block, days)] : [],
    rejected: refusals.count,
    message: refusals.message,
    usesArrival: arrival.used,
  };
}
