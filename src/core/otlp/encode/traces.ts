import { Days, encodedRows, Refusals, tooManyDays, type Encoded } from '../encoded.ts';
import { visitRequest, writeShared } from './groups.ts';
import { Arrival } from './record-fields.ts';
import { RowWriter } from './row-writer.ts';
import { Span } from './span.ts';
import { tracesTable } from '../tables.ts';
import { defaultQuota, type Quota } from '../wire/quota.ts';

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
  const out = new RowWriter(request.length * 2 + 1024, maxRowBytes);
  const shared = new RowWriter(1024, maxRowBytes);
  const refusals = new Refusals();
  const days = new Days();
  const span = new Span(arrival);
  visitRequest(
    request,
    {
      group: (reader, group) => {
        shared.pos = 0;
        writeShared(reader, group, shared);
      },
      record: (reader, start, end) => {
        const reason =
          span.read(reader, start, end) ??
          (days.tryAdd(span.timeMs(reader)) ? undefined : tooManyDays);
        if (reason !== undefined) {
          return refusals.add(reason);
        }
        out.raw(shared.buffer, 0, shared.pos);
        span.write(reader, out);
        out.rows++;
      },
    },
    maxFields,
  );
  return {
    tables: out.rows > 0 ? [encodedRows(tracesTable, out, days)] : [],
    rejected: refusals.count,
    message: refusals.message,
    usesArrival: arrival.used,
  };
}
