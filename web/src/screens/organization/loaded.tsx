import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StaleNote } from '../../kit/stale-note.tsx';
import { Failure, LoadBar, Skeleton } from '../../kit/state.tsx';

type Query<T> = Pick<
  UseQueryResult<T>,
  'data' | 'error' | 'isFetching' | 'dataUpdatedAt' | 'refetch'
>;

interface LoadedProps<T> {
  query: Query<T>;
  /** What failed, such as "The keys cannot be listed". */
  failed: string;
  children(data: T): ReactNode;
}

/** A region that one query fills. If a refresh fails, it keeps the data that it has. */
export function Loaded<T>({ query, failed, children }: LoadedProps<T>) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = query;
  const retry = (): void => void refetch();
  if (data === undefined) {
    return error ? (
      <Failure title={failed} error={error} onRetry={retry} />
    ) : (
      <Skeleton lines={5} height={44} />
    );
  }
  return (
    <>
      <LoadBar isOn={isFetching} />
      {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={retry} />}
      {children(data)}
    </>
  );
}
