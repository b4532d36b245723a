import { spansMax, type Span, type Trace } from '../../../contract/query/trace.ts';
import type { QueryResult, Value } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitSpans, emitTraceBounds, emitTraceTimes } from '../emit/emit-trace.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { TracePlan } from '../plan/plan-trace.ts';
import { writeIdentity } from './search-cursor.ts';

type Run = (statement: Sql) => Promise<QueryResult>;

export interface TraceRequest {
  traceId: string;
  /** A time near the trace, for tables without an index of trace times. */
  atMs: number | undefined;
  /** Whether the index of trace times exists. */
  hasTimes: boolean;
}

/** How far from `atMs` spans are looked for. */
const nearMs = 12 * 3_600_000;

/** The spans of a trace in one table; undefined if it has none. */
export async function readTrace(
  plan: TracePlan,
  { traceId, atMs, hasTimes }: TraceRequest,
  run: Run,
): Promise<Omit<Trace, 'sourceId'> | undefined> {
  const indexed = hasTimes ? await indexedRange(plan, traceId, run) : undefined;
  // Rows that are older than the index are not in it.
  const range =
    indexed ?? (atMs === undefined ? undefined : { fromMs: atMs - nearMs, toMs: atMs + nearMs });
  const { rows } = await run(emitSpans(plan, traceId, range, spansMax + 1));
  if (rows.length === 0) {
    return undefined;
  }
  const bounds =
    rows.length > spansMax
      ? storedBounds((await run(emitTraceBounds(plan, traceId, range))).rows[0])
      : boundsOf(rows);
  const durationNanos = bounds.endNanos - bounds.startNanos;
  return {
    traceId,
    startTime: Number(bounds.startNanos / nanosPerMs),
    endTime: Number((bounds.endNanos + nanosPerMs - 1n) / nanosPerMs),
    startNanos: String(bounds.startNanos),
    durationNanos: Number(durationNanos),
    spanCount: bounds.count,
    truncated: rows.length > spansMax,
    spans: spans(rows.slice(0, spansMax), bounds.startNanos),
  };
}

const nanosPerMs = 1_000_000n;

/** The index has whole seconds of the starts of spans. */
async function indexedRange(
  { timesTable }: TracePlan,
  traceId: string,
  run: Run,
): Promise<TimeRange | undefined> {
  const [row] = (await run(emitTraceTimes(timesTable, traceId))).rows;
  const [first, last, entries] = (row ?? []).map(Number);
  return first === undefined || last === undefined || !entries
    ? undefined
    : { fromMs: first * 1000, toMs: (last + 1) * 1000 };
}

interface Bounds {
  count: number;
  startNanos: bigint;
  endNanos: bigint;
}

function storedBounds(row: readonly Value[] = []): Bounds {
  const [count, start, end] = row;
  return { count: Number(count), startNanos: nanosOf(start), endNanos: nanosOf(end) };
}

function boundsOf(rows: readonly Value[][]): Bounds {
  let [startNanos, endNanos] = [nanosOf(rows[0]?.[0]), 0n];
  for (const [start, duration] of rows) {
    const from = nanosOf(start);
    const end = from + BigInt(Math.round(Number(duration)));
    startNanos = from < startNanos ? from : startNanos;
    endNanos = end > endNanos ? end : endNanos;
  }
  return { count: rows.length, startNanos, endNanos };
}

const nanosOf = (value: Value | undefined): bigint => BigInt(String(value ?? '0'));

function spans(rows: readonly Value[][], traceStart: bigint): Span[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const [nanos = '', duration, events, hash = '', ...texts] = row.map((value) => value ?? '');
    const key = `${String(nanos)}-${String(hash)}`;
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const [spanId = '', parentSpanId = '', serviceName = '', name = '', kind = '', ...status] =
      texts.map(String);
    return {
      _id: writeIdentity({ nanos: String(nanos), hash: String(hash), occurrence }),
      spanId,
      parentSpanId,
      serviceName,
      name,
      kind,
      startNanos: Number(nanosOf(nanos) - traceStart),
      durationNanos: Number(duration),
      statusCode: status[0] ?? '',
      statusMessage: status[1] ?? '',
      events: Number(events),
    };
  });
}
