import {
  recordCount,
  type PackedRecords,
  type RecordBatch,
  type SourceRecord,
} from '../../../../ports/batch.ts';
import { TimeSlice } from '../../../../ports/time-slice.ts';
import type { Refused } from './error-rows.ts';
import { JsonRowWriter, type RowLines } from './json-row-writer.ts';
import { passThrough, skipped, type RowMapper } from './mapping.ts';
import { PackedLines } from './packed-lines.ts';
import { RecordCursor } from './record-cursor.ts';
import { RowPlaces } from './row-places.ts';

export interface RecordLines {
  rows: RowLines;
  refused: readonly Refused[];
  /** The record that a row was made of. */
  record(row: number): SourceRecord;
}

/**
 * Records as rows: in place if nothing is mapped, otherwise written again. A range has hundreds of
 * thousands of records, so others get their turn meanwhile.
 */
export function recordLines(
  mapper: RowMapper,
  batches: readonly RecordBatch[],
  bytes: number,
): Promise<RecordLines> {
  const packs = mapper === passThrough ? batches.flatMap(({ packed }) => packed ?? []) : [];
  return packs.length < batches.length ? mapAll(mapper, batches, bytes) : inPlace(packs);
}

async function inPlace(packs: readonly PackedRecords[]): Promise<RecordLines> {
  const rows = new PackedLines();
  const slice = new TimeSlice();
  for (const pack of packs) {
    if (slice.expired) {
      await slice.yieldToOthers();
    }
    rows.add(pack);
  }
  return { rows, refused: rows.refused, record: (row) => rows.record(row) };
}

async function mapAll(
  mapper: RowMapper,
  batches: readonly RecordBatch[],
  bytes: number,
): Promise<RecordLines> {
  const records = batches.reduce((sum, batch) => sum + recordCount(batch), 0);
  const rows = new JsonRowWriter(bytes + records * spareBytes + 1024);
  const places = new RowPlaces<RecordCursor>();
  const refused: Refused[] = [];
  const slice = new TimeSlice();
  for (const batch of batches) {
    const cursor = new RecordCursor(batch);
    const { count } = cursor;
    const indexes = new Int32Array(count);
    let made = 0;
    for (let index = 0; index < count; index++) {
      if (index % recordsPerLook === 0 && slice.expired) {
        await slice.yieldToOthers();
      }
      cursor.moveTo(index);
      const fault = mapper(cursor, rows);
      if (fault === undefined) {
        indexes[made++] = index;
      } else if (fault !== skipped) {
        refused.push({ record: cursor.record, reason: fault });
      }
    }
    places.add(cursor, made, made < count ? indexes.slice(0, made) : undefined);
  }
  return { rows, refused, record: (row) => recordOf(places, row) };
}

function recordOf(places: RowPlaces<RecordCursor>, row: number): SourceRecord {
  const { records, index } = places.find(row);
  records.moveTo(index);
  return records.record;
}

/** Room for longer names and line ends of a row: memory that grows is copied. */
const spareBytes = 16;
/** Number of records between two looks at the time. */
const recordsPerLook = 256;
