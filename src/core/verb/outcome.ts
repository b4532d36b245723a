/** A response that is a file, written piece by piece while the verb still works. */
export interface OutgoingFile {
  /** Plain ASCII without quotes. */
  name: string;
  mediaType: string;
  /** Maximum number of rows in it. */
  rowLimit: number;
  /**
   * Writes the file. `put` resolves when more may follow. @throws Fault; then the pieces written
   * are not the file
   */
  write(put: (text: string) => Promise<void>): Promise<{ truncated: boolean }>;
}

/** What a verb answers: the value, and what a surface may say about it in headers. */
export interface Outcome<T> {
  value: T;
  /** The version of the single resource; becomes its ETag. */
  version?: number;
  /** What a deletion has not finished yet, and what the caller can do about it. */
  notice?: string;
  /** The token of a new session, which becomes a cookie; null: the session has ended. */
  sessionToken?: string | null;
  /**
   * What the queries of the call cost, and the numbers of the shards whose rows the value lacks because
   * they do not respond.
   */
  statistics?: { rowsRead: number; elapsedMs: number; missingShards: readonly number[] };
  /** Instead of `value`. */
  file?: OutgoingFile;
  /** Set on lists. */
  page?: { total: number; limit: number; offset: number };
}
