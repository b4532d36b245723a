import { Fault } from '../../../contract/errors.ts';

/** The most work and memory that one request may cause. */
export interface Quota {
  /** Length-delimited fields and list items of protobuf, each time the server reads them. */
  maxFields: number;
  /** Objects, lists and their members in JSON. */
  maxJsonValues: number;
  /** Size of the encoded rows of one table. */
  maxRowBytes: number;
}

export const defaultQuota: Quota = {
  maxFields: 6_000_000,
  maxJsonValues: 2_000_000,
  maxRowBytes: 64 * 1024 * 1024,
};

/** The error for a request beyond its quota. Smaller batches succeed. */
export function beyondQuota(reason: string): Fault {
  return new Fault('payload_too_large', `${reason}; send smaller batches`);
}
