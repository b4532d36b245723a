import type { RecordBatch, SourceRecord } from '../../../../ports/batch.ts';

type Constants = NonNullable<RecordBatch['constants']>;

/** What else than its value a record consists of. */
export interface RecordOrigin extends Pick<SourceRecord, 'key' | 'headers'> {
  /** The record has no value (a tombstone). */
  isEmpty: boolean;
  constants: Constants;
}

interface StoredOrigin {
  /** Base64. */
  key?: string | null;
  headers?: Readonly<Record<string, string>>;
  empty?: true;
  constants?: Constants;
}

/** The text under which the error table keeps the origin of a record. */
export function originText(
  { key, headers, data, raw }: SourceRecord,
  constants?: Constants,
): string {
  const stored: StoredOrigin = {
    ...(key !== undefined && { key: key === null ? null : key.toString('base64') }),
    ...(headers !== undefined && { headers }),
    ...((raw === undefined ? data : raw) === null && { empty: true }),
    ...(constants !== undefined && { constants }),
  };
  return JSON.stringify(stored);
}

export function parseOrigin(text: string): RecordOrigin {
  const { key, headers, empty = false, constants = {} } = JSON.parse(text) as StoredOrigin;
  return {
    ...(key !== undefined && { key: key === null ? null : Buffer.from(key, 'base64') }),
    ...(headers !== undefined && { headers }),
    isEmpty: empty,
    constants,
  };
}
