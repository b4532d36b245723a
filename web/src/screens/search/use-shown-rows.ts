import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../../api/client.ts';
import type { RowsRequest, SearchRow } from '../../api/queries/search.ts';
import { useLastAnswer, type Stale } from './use-last-answer.ts';

type RowsQuery = UseInfiniteQueryResult<InfiniteData<Schemas['SearchResult']>>;

export interface ShownRows {
  rows: readonly SearchRow[];
  stale: Stale | undefined;
}

/** Rows of the question; those of the last run if asking again failed. */
export function useShownRows(query: RowsQuery, request: RowsRequest, length: number): ShownRows {
  const { startTime: _start, endTime: _end, ...rest } = request;
  const question = JSON.stringify({ ...rest, length: Math.round(length) });
  const { data, stale } = useLastAnswer(query, question);
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.rows), [data]);
  return { rows, stale };
}
