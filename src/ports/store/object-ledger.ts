/** An object as a listing shows it. */
export interface ListedObject {
  /** Its whole key; no part of it is a pattern. */
  name: string;
  /** Changes whenever the content does. */
  etag: string;
  bytes: number;
  modifiedAtMs: number;
}

/**
 * - `planned`: in a batch that is on its way
 * - `loaded`: its rows are in the table, or will be with the batch it is in
 * - `refused`: it cannot be read; `reason` says why
 * - `waiting`: to be tried again, as it was overwritten meanwhile or could not be fetched
 * - `gone`: it vanished before it could be read
 */
export type ObjectState = 'planned' | 'loaded' | 'refused' | 'waiting' | 'gone';

/** What is known of an object. */
export interface LedgerEntry extends ListedObject {
  state: ObjectState;
  /** Of the reader's definition when the object was read last. */
  fingerprint: string;
  rows: number;
  reason: string | null;
  /** How often in a row it was waited for. */
  tries: number;
}

export interface ObjectOutcome {
  name: string;
  state: Exclude<ObjectState, 'planned'>;
  rows: number;
  reason: string | null;
}

/**
 * What a pipe has done with each object. Handed to a connector with a partition: writes are refused
 * (undefined, false) once somebody else has claimed that partition. A batch is a set of objects of
 * one partition under a number, recorded before the first of them is read.
 */
export interface ObjectLedger {
  /** Entries of these names, whatever partition they were read in. */
  entries(names: readonly string[]): Promise<LedgerEntry[]>;
  /**
   * Makes a batch of those objects that are in no other batch on its way and are not loaded with
   * that very ETag; answers them, as `batch` would.
   */
  plan(
    batch: string,
    objects: readonly ListedObject[],
    fingerprint: string,
  ): Promise<LedgerEntry[] | undefined>;
  /** The objects of a batch of this partition; none when it was never made. */
  batch(batch: string): Promise<LedgerEntry[]>;
  /**
   * Records the outcomes of a batch's objects. Another call replaces them until the batch is stored.
   * Returns whether the partition is still claimed; without outcomes, it does only that.
   */
  recordOutcomes(batch: string, outcomes: readonly ObjectOutcome[]): Promise<boolean>;
  /** Objects of the pipe that wait to be tried again. */
  waiting(): Promise<number>;
  /** Partitions of the pipe in which a batch is on its way. */
  unfinished(): Promise<string[]>;
}
