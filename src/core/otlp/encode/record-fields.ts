import type { Range } from './groups.ts';
import type { ByteWriter } from '../block/byte-writer.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/** Reason to reject a record with a time past the range of DateTime columns. */
export const tooLate = 'a time is later than 2106-02-07, the last day that the tables can store';

/** High half of the first nanosecond count past 2106-02-07T06:28:15Z. */
const tooLateHigh = 1_000_000_000;

/** Whether eight bytes are zero: an unset time. */
export function isZero(reader: WireReader, position: number): boolean {
  return (
    reader.view.getUint32(position, true) === 0 && reader.view.getUint32(position + 4, true) === 0
  );
}

/** False for an absent time, whose position is -1. */
export function isTooLate(reader: WireReader, position: number): boolean {
  return position >= 0 && reader.view.getUint32(position + 4, true) >= tooLateHigh;
}

/**
 * A time of the request in milliseconds since the epoch. Precise enough to find the day and the
 * closed buckets.
 */
export function timeMsAt(reader: WireReader, position: number): number {
  return (
    (reader.view.getUint32(position + 4, true) * 0x1_0000_0000 +
      reader.view.getUint32(position, true)) /
    1e6
  );
}

/** Time of arrival of a request, used for records without a time. */
export class Arrival {
  readonly timeMs: number;
  /** Whether a record has this time. */
  used = false;
  private readonly low: number;
  private readonly high: number;

  constructor(timeMs: number) {
    const ns = BigInt(timeMs) * 1_000_000n;
    this.low = Number(ns & 0xffff_ffffn);
    this.high = Number(ns >> 32n);
    this.timeMs = timeMs;
  }

  write(out: ByteWriter): void {
    this.used = true;
    out.u64(this.low, this.high);
  }
}

/**
 * Copies nanoseconds since the epoch, which have the form of a stored DateTime64(9). If `position` is
 * negative, the time is unset and the epoch is stored.
 */
export function writeFixed64(reader: WireReader, position: number, out: ByteWriter): void {
  if (position < 0) {
    out.u64(0, 0);
  } else {
    out.fixed64s(reader.view, position, position + 8);
  }
}

export function writeDouble(reader: WireReader, position: number, out: ByteWriter): void {
  writeFixed64(reader, position, out);
}

/** An id as hexadecimal digits; '' when it is absent or all zero, which means invalid. */
export function writeId(reader: WireReader, start: number, end: number, out: ByteWriter): void {
  for (let index = start; index < end; index++) {
    if (reader.bytes[index] !== 0) {
      out.hex(reader.bytes, start, end);
      return;
    }
  }
  out.size(0);
}

/** Whether an id is absent or has exactly its size. */
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
