import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Span } from '../view/time-range.ts';
import type { Ask } from './ask.ts';

/** Where a tile is. */
export interface Nearness {
  /** Within one screen of view: it asks. */
  isNear: boolean;
  /** In view: it asks before the others. */
  isVisible(): boolean;
}

/** Results with the question that they answer, so that a new question never misreads them. */
export interface Answer<C, R> {
  config: C;
  span: Span;
  results: R;
  atMs: number;
  /** Shards whose rows the results lack. */
  missingShards: readonly number[];
}

export interface TileQuery<C, R> {
  /** The last answer, though a later refresh failed. */
  answer: Answer<C, R> | undefined;
  error: Error | null;
  isFetching: boolean;
  /** The answer is to the question before. */
  isOld: boolean;
  /** A person cancelled the question. */
  isCancelled: boolean;
  retry(): void;
  cancel(): void;
}

/** Begins the keys of what tiles ask. */
export const tileQueries = ['tile'];

interface Question<C, B, R> {
  config: C;
  span: Span;
  runId: number;
  bodies: readonly B[];
  ask: Ask<B, R>;
}

/** Asks for the data of a tile: all its requests, together with those of other tiles. */
export function useTileQuery<C, B, R>(
  { config, span, runId, bodies, ask }: Question<C, B, R>,
  { isNear, isVisible }: Nearness,
): TileQuery<C, R[]> {
  const client = useQueryClient();
  const queryKey = [...tileQueries, bodies, runId];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Answer<C, R[]>> => {
      const parts = await Promise.all(bodies.map((body) => ask(body, isVisible, signal)));
      return {
        config,
        span,
        results: parts.map(({ data }) => data),
        atMs: Date.now(),
        missingShards: [...new Set(parts.flatMap((part) => part.missingShards))],
      };
    },
    enabled: isNear,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Infinity,
    // Each refresh has a key of its own, which nobody asks for again.
    gcTime: 0,
  });
  const last = useRef<Answer<C, R[]>>(undefined);
  if (query.data) {
    last.current = query.data;
  }
  const isOld = query.isPlaceholderData || query.data === undefined;
  return {
    answer: query.data ?? last.current,
    error: query.error,
    isFetching: query.isFetching,
    isOld,
    isCancelled: isNear && isOld && !query.isFetching && query.error === null,
    retry: () => void query.refetch(),
    cancel: () => void client.cancelQueries({ queryKey, exact: true }),
  };
}
