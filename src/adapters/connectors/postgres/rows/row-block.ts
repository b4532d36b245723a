import type { Position, RowsPart, SourceRecord, TargetTable } from '../../../../ports/batch.ts';
import { jsonOfNotation, unescapeTsv } from './tsv-text.ts';

/**
 * Lines of one table. They can be turned back into records, for the case that the engine refuses
 * some of them.
 */
export function rowsPart(
  target: TargetTable,
  data: Buffer,
  rows: number,
  position: Position,
): RowsPart {
  const records = (): SourceRecord[] => recordsOf(target, data, position);
  return { target, format: 'TabSeparated', data: [data], rows, records };
}

/** Size of what goes to the engine. */
export const bytesOf = (parts: readonly RowsPart[]): number =>
  parts.flatMap(({ data }) => data).reduce((sum, { length }) => sum + length, 0);

/** The same rows as records. `data` holds lines of the TabSeparated format. */
export function recordsOf(
  { columns }: TargetTable,
  data: Buffer,
  position: Position,
): SourceRecord[] {
  const members = columns.map(({ name, type }) => ({
    key: `${JSON.stringify(name)}:`,
    type: type.replace(/^(?:Nullable|LowCardinality)\((.*)\)$/s, '$1'),
  }));
  const records: SourceRecord[] = [];
  for (let start = 0; start < data.length;) {
    const end = data.indexOf(0x0a, start);
    const fields = data.toString('utf8', start, end).split('\t');
    const json = members.map(({ key, type }, index) => key + jsonOf(fields[index] ?? '\\N', type));
    records.push({
      position: `${position}:${records.length}`,
      data: Buffer.from(`{${json.join(',')}}`),
    });
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
