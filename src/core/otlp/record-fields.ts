import type { Range } from './groups.ts';
import type { RowWriter } from './row-writer.ts';
import type { WireReader } from './wire-reader.ts';

/** The reason a record with such a time is refused: DateTime columns end there. */
export const tooLate = 'a time is past 2106-02-07, the last day that can be stored';

/** High half of the first nanosecond count past 2106-02-07T06:28:15Z. */
const tooLateHigh = 1_000_000_000;

/** Whether eight bytes are zero: an unset time. */
export function isZero(reader: WireReader, at: number): boolean {
  return reader.view.getUint32(at, true) === 0 && reader.view.getUint32(at + 4, true) === 0;
}

export function isTooLate(reader: WireReader, at: number): boolean {
  return reader.view.getUint32(at + 4, true) >= tooLateHigh;
}

/** A time in the request, in milliseconds since the epoch: near enough to tell days and closed buckets apart. */
export function timeMsAt(reader: WireReader, at: number): number {
  return (
    (reader.view.getUint32(at + 4, true) * 0x1_0000_0000 + reader.view.getUint32(at, true)) / 1e6
  );
}

/** When a request arrived: the time of records that have none. */
export class Arrival {
  readonly timeMs: number;
  private readonly low: number;
  private readonly high: number;

  constructor(timeMs: number) {
    const ns = BigInt(timeMs) * 1_000_000n;
    this.low = Number(ns & 0xffff_ffffn);
    this.high = Number(ns >> 32n);
    this.timeMs = timeMs;
  }

  write(out: RowWriter): void {
    out.u64(this.low, this.high);
  }
}

/** Nanoseconds since the epoch as sent are a DateTime64(9) as stored. `at` < 0: unset, the epoch. */
export function writeFixed64(reader: WireReader, at: number, out: RowWriter): void {
  if (at < 0) {
    out.u64(0, 0);
  } else {
    out.raw(reader.bytes, at, at + 8);
  }
}

export function writeDouble(reader: WireReader, at: number, out: RowWriter): void {
  writeFixed64(reader, at, out);
}

/** An id as hexadecimal digits; '' when it is absent or all zero, which means invalid. */
export function writeId(reader: WireReader, start: number, end: number, out: RowWriter): void {
  for (let index = start; index < end; index++) {
    if (reader.bytes[index] !== 0) {
      out.hex(reader.bytes, start, end);
      return;
    }
  }
  out.size(0);
}

/** Ids are absent or have exactly their size. */
export function isIdSize({ start, end }: Range, size: 8 | 16): boolean {
  return end === start || end - start === size;
}

export const wrongSpanId = 'a span id is not 8 bytes long';

/** Why the ids of a record, link or exemplar are refused, or undefined. */
export function wrongIds({
  traceId,
  spanId,
}: {
  traceId: Range;
  spanId: Range;
}): string | undefined {
  if (!isIdSize(traceId, 16)) {
    return 'a trace id is not 16 bytes long';
  }
  return isIdSize(spanId, 8) ? undefined : wrongSpanId;
}
