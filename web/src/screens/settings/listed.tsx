import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import styles from './settings.module.css';

interface ListedProps<T> {
  query: UseQueryResult<T>;
  /** What failed, such as "The members cannot be listed". */
  failed: string;
  children(data: T): ReactNode;
}

/** A region of a page that one query fills. */
export function Listed<T>({ query, failed, children }: ListedProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (error) {
    return <Failure title={failed} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <Skeleton lines={4} height={40} />;
  }
  return (
    <div className={styles.table}>
      <LoadBar isOn={isFetching} />
      {children(data)}
    </div>
  );
}
