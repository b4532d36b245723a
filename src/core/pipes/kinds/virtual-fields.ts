import type { SourceRecord } from '../../../ports/batch.ts';
import type { JsonRowWriter } from '../load/records/json-row-writer.ts';

/** Writes the JSON value of one virtual field of a record. */
export type VirtualField = (
  record: SourceRecord,
  constants: Readonly<Record<string, string | number>>,
  rows: JsonRowWriter,
) => void;

/** How a virtual field is written into a column of this type. */
export type VirtualFieldWriter = (columnType: string) => VirtualField;

/** The virtual fields of one kind of source, by name. */
export type VirtualFieldWriters = Readonly<Record<string, VirtualFieldWriter>>;

/** The position of the record: text in a String column, else a number. */
export const recordPosition: VirtualFieldWriter = (columnType) =>
  bareType(columnType) === 'String'
    ? (record, _, rows) => rows.text(JSON.stringify(record.position))
    : (record, _, rows) => rows.text(record.position);

/** When the source received the record; null if the source does not say. */
export const recordTime: VirtualFieldWriter = (columnType) => {
  const type = bareType(columnType);
  return ({ timestampMs }, _, rows) =>
    rows.text(timestampMs === undefined ? 'null' : timeText(timestampMs, type));
};

export const recordKey: VirtualFieldWriter = () => (record, _, rows) =>
  bytesOrNull(record.key ?? null, rows);

/** The value of the record as it came, before any decoding. */
export const rawMessage: VirtualFieldWriter = () => (record, _, rows) =>
  bytesOrNull(record.raw === undefined ? record.data : record.raw, rows);

/** The headers of the record: JSON text in a String column, else a JSON object. */
export const recordHeaders: VirtualFieldWriter = (columnType) => {
  const isText = bareType(columnType) === 'String';
  return (record, _, rows) => {
    const text = JSON.stringify(record.headers ?? {});
    rows.text(isText ? JSON.stringify(text) : text);
  };
};

/** A value that is the same for all records of a batch (`RecordBatch.constants`). */
export const batchConstant =
  (name: string): VirtualFieldWriter =>
  () =>
  (_, constants, rows) =>
    rows.text(JSON.stringify(constants[name] ?? null));

function bytesOrNull(data: Buffer | null, rows: JsonRowWriter): void {
  if (data === null) {
    rows.text('null');
  } else {
    rows.jsonString(data);
  }
}

/**
 * A moment as the column reads it whatever the server's time zone is: seconds for DateTime,
 * milliseconds for numbers, else ISO text.
 */
function timeText(timeMs: number, type: string): string {
  if (type.startsWith('DateTime') && !type.startsWith('DateTime64')) {
    return String(Math.floor(timeMs / 1000));
  }
  if (/^U?Int|^Float|^Decimal/.test(type)) {
    return String(timeMs);
  }
  const iso = new Date(timeMs).toISOString();
  return JSON.stringify(/^Date(32)?$/.test(type) ? iso.slice(0, 10) : iso);
}

/** The type without Nullable and LowCardinality around it. */
function bareType(type: string): string {
  const inner = /^\s*(?:Nullable|LowCardinality)\((.*)\)\s*$/s.exec(type)?.[1];
  return inner === undefined ? type.trim() : bareType(inner);
}
