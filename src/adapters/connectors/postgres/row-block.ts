import type { Position, RowsPart, SourceRecord, TargetTable } from '../../../ports/connector.ts';
import { jsonOfNotation, unescapeTsv } from './tsv-text.ts';

/** Lines of one table, and the way back to records for the case that the engine refuses some of them. */
export function rowsPart(
  target: TargetTable,
  data: Buffer,
  rows: number,
  position: Position,
  corrected?: () => Buffer,
): RowsPart {
  return {
    target,
    data,
    rows,
    ...(corrected ? { corrected } : {}),
    records: () => recordsOf(target, corrected?.() ?? data, position),
  };
}

function recordsOf({ columns }: TargetTable, data: Buffer, position: Position): SourceRecord[] {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const types = columns.map(({ type }) =>
    type.replace(/^(?:Nullable|LowCardinality)\((.*)\)$/s, '$1'),
  );
  const records: SourceRecord[] = [];
  for (let start = 0; start < data.length;) {
    const end = data.indexOf(0x0a, start);
    const fields = data.toString('utf8', start, end).split('\t');
    const json = `{${fields.map((field, index) => names[index]! + jsonOf(field, types[index]!)).join(',')}}`;
    records.push({ position: `${position}:${records.length}`, data: Buffer.from(json) });
    start = end + 1;
  }
  return records;
}

function jsonOf(field: string, type: string): string {
  if (field === '\\N') {
    return 'null';
  }
  if (/^(?:Array|Map)\(/.test(type)) {
    return jsonOfNotation(field);
  }
  if (type === 'Bool') {
    return field === 't' || field === 'true' ? 'true' : 'false';
  }
  return JSON.stringify(unescapeTsv(field));
}
