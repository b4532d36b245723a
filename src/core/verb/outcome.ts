/** What a verb answers: the value, and what a surface may say about it in headers. */
export interface Outcome<T> {
  value: T;
  /** The version of the single resource; becomes its ETag. */
  version?: number;
  /** Set on lists. */
  page?: { total: number; limit: number; offset: number };
}
