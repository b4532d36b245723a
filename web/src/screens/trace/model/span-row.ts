/** Parts of the row of a span in the OpenTelemetry tables. Other tables may lack them. */

export interface SpanEvent {
  name: string;
  /** Nanoseconds after the start of the trace; undefined if the table has no time. */
  atNanos: number | undefined;
  attributes: readonly Attribute[];
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  attributes: readonly Attribute[];
}

export interface Attribute {
  name: string;
  value: string;
}

type Row = Record<string, unknown>;

export function eventsOf(row: Row, traceStartNanos: string): SpanEvent[] {
  const times = listOf(row['Events.Timestamp']);
  const attributes = listOf(row['Events.Attributes']);
  return listOf(row['Events.Name']).map((name, index) => ({
    name: textOf(name),
    atNanos: nanosAfter(times[index], traceStartNanos),
    attributes: attributesOf(attributes[index]),
  }));
}

export function linksOf(row: Row): SpanLink[] {
  const spans = listOf(row['Links.SpanId']);
  const attributes = listOf(row['Links.Attributes']);
  return listOf(row['Links.TraceId']).map((traceId, index) => ({
    traceId: textOf(traceId),
    spanId: textOf(spans[index]),
    attributes: attributesOf(attributes[index]),
  }));
}

/** Keys of a map by name; nothing for other values. */
export function attributesOf(value: unknown): Attribute[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [];
  }
  return Object.entries(value)
    .map(([name, one]) => ({ name, value: textOf(one) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Columns with a plain value, but for those that are shown elsewhere. */
export function plainColumns(row: Row, shown: ReadonlySet<string>): Attribute[] {
  return Object.entries(row)
    .filter(([name, value]) => !shown.has(name) && name !== '_id' && isPlain(value))
    .map(([name, value]) => ({ name, value: textOf(value) }));
}

const isPlain = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && typeof value !== 'object';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Distance of a time such as `2026-01-01 00:00:01.000000500` (UTC) from the start of the trace. */
function nanosAfter(time: unknown, traceStartNanos: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?$/.exec(String(time));
  const ms = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN;
  if (!match || Number.isNaN(ms)) {
    return undefined;
  }
  const nanos = BigInt(ms) * 1_000_000n + BigInt((match[3] ?? '').padEnd(9, '0'));
  return Number(nanos - BigInt(traceStartNanos));
}

/** Nanoseconds after the start of the trace of a row with this `_id`. */
export function rowNanos(id: string, traceStartNanos: string): number {
  const nanos = /^\d+/.exec(id)?.[0] ?? traceStartNanos;
  return Number(BigInt(nanos) - BigInt(traceStartNanos));
}
