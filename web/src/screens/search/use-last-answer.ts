import { useRef } from 'react';
import { issueOf } from './request.ts';

interface Query<T> {
  data: T | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  isPlaceholderData: boolean;
}

/** When an answer of an earlier run came, and why there is no newer one. */
export interface Stale {
  atMs: number;
  reason: string;
}

interface LastAnswer<T> {
  data: T | undefined;
  stale: Stale | undefined;
}

/**
 * The answer of a query; that of the last run of the same question if asking again failed.
 *
 * @param question equal for runs of one question, also if its range moved on
 */
export function useLastAnswer<T>(query: Query<T>, question: string): LastAnswer<T> {
  const { data, error, dataUpdatedAt, isPlaceholderData } = query;
  const last = useRef<{ question: string; data: T; atMs: number }>(undefined);
  if (data !== undefined && !isPlaceholderData) {
    last.current = { question, data, atMs: dataUpdatedAt };
  }
  const { current: kept } = last;
  if (error && kept?.question === question && issueOf(error) === undefined) {
    return { data: kept.data, stale: { atMs: kept.atMs, reason: error.message } };
  }
  return { data, stale: undefined };
}
