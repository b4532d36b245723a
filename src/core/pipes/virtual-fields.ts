import type { SourceRecord } from '../../ports/connector.ts';
import type { RowWriter } from './row-writer.ts';

/** Writes the JSON value of one virtual field of a record. */
export type VirtualField = (
  record: SourceRecord,
  constants: Readonly<Record<string, string | number>>,
  rows: RowWriter,
) => void;

/** What a virtual field writes into a column of this type. `name` is one of the kind's virtual fields. */
export function virtualField(name: string, columnType: string): VirtualField {
  const type = bareType(columnType);
  switch (name) {
    case '_offset':
    case '_sequence_number':
      return type === 'String'
        ? (record, _, rows) => rows.text(JSON.stringify(record.position))
        : (record, _, rows) => rows.text(record.position);
    case '_timestamp':
      return (record, _, rows) =>
        rows.text(record.timestampMs === undefined ? 'null' : timeText(record.timestampMs, type));
    case '_key':
      return (record, _, rows) => bytesOrNull(record.key ?? null, rows);
    case '_raw_message':
      return (record, _, rows) =>
        bytesOrNull(record.raw === undefined ? record.data : record.raw, rows);
    case '_headers':
      return (record, _, rows) => {
        const text = JSON.stringify(record.headers ?? {});
        rows.text(type === 'String' ? JSON.stringify(text) : text);
      };
    default:
      return (_, constants, rows) => rows.text(JSON.stringify(constants[name] ?? null));
  }
}

function bytesOrNull(data: Buffer | null, rows: RowWriter): void {
  if (data === null) {
    rows.text('null');
  } else {
    rows.jsonString(data);
  }
}

/** A moment as the column reads it whatever the server's time zone is: seconds for DateTime, milliseconds for numbers, else ISO text. */
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

/** Without Nullable and LowCardinality around it. */
function bareType(type: string): string {
  const inner = /^\s*(?:Nullable|LowCardinality)\((.*)\)\s*$/s.exec(type)?.[1];
  return inner === undefined ? type.trim() : bareType(inner);
}
