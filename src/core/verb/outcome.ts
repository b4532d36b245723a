/** What a verb answers: the value, and what a surface may say about it in headers. */
export interface Outcome<T> {
  value: T;
  /** The version of the single resource; becomes its ETag. */
  version?: number;
  /** What a deletion has not finished yet, and what the caller can do about it. */
  notice?: string;
  /** Set on lists. */
  page?: { total: number; limit: number; offset: number };
}
