import type { PipeSampleRecord } from '../../../contract/pipe/pipe-draft.ts';
import type { SourceRecord } from '../../../ports/batch.ts';
import { objectFault } from '../load/records/json-scan.ts';

const recordsMax = 10;
const textMax = 4096;

/** The first records as callers see them. */
export function sampleRecords(records: readonly SourceRecord[]): PipeSampleRecord[] {
  return records.slice(0, recordsMax).map(({ position, data, raw, refused }) => {
    const text = String(data ?? raw ?? '');
    const problem = refused ?? (data === null ? 'the record has no value' : objectFault(data));
    return {
      position,
      data: beginning(text),
      isCut: text.length > textMax,
      ...(problem !== undefined && { problem }),
    };
  });
}

/** A text of limited length that does not end inside a character. */
function beginning(text: string): string {
  const end = text.charCodeAt(textMax - 1);
  return text.slice(0, end >= 0xd800 && end < 0xdc00 ? textMax - 1 : textMax);
}
