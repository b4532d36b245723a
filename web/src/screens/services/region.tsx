import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { MissingShards } from '../../api/client.ts';
import { queries } from '../../api/query-client.ts';
import { Button } from '../../kit/button.tsx';
import { Failure, LoadBar, Notice, Skeleton, Waiting } from '../../kit/state.tsx';
import { missingShardsText } from '../../view/missing-shards.ts';
import { formatClock } from '../../view/zone.ts';
import styles from './services.module.css';

interface RegionProps<T> {
  /** Undefined data: nothing was read yet. */
  query: UseQueryResult<T>;
  queryKey: readonly unknown[];
  /** What failed, such as "The services cannot be listed". */
  failed: string;
  /** What goes on, such as "Reading services". */
  reading: string;
  zone: string;
  /** Lines of the first load. */
  lines: number;
  /** What may help if the server refuses the question. */
  help?: ReactNode;
  children(data: T): ReactNode;
}

/** A region that one question fills: its data, also old ones, or what stands in their place. */
export function Region<T>({ query, queryKey, failed, reading, zone, ...props }: RegionProps<T>) {
  const { data, error, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = query;
  const retry = (): void => void refetch();
  const isRefused = error instanceof ApiError && error.status === 400;
  const waiting = (
    <>
      <LoadBar isOn={isFetching} />
      <Waiting
        isOn={isFetching}
        what={reading}
        onCancel={() => void queries.cancelQueries({ queryKey })}
      />
    </>
  );
  if (data === undefined) {
    return (
      <div className={styles.region}>
        {waiting}
        {error && !isFetching && <Failure title={failed} error={error} onRetry={retry} />}
        {isRefused && !isFetching && props.help}
        {isFetching && <Skeleton lines={props.lines} height={32} />}
        {!error && !isFetching && (
          <Notice action={<Again onClick={retry} />}>The question was canceled.</Notice>
        )}
      </div>
    );
  }
  return (
    <div className={styles.region} aria-busy={isFetching}>
      {waiting}
      {error && !isFetching && (
        <Notice action={<Again onClick={retry} />}>
          {failed}. Data of {formatClock(dataUpdatedAt, zone)}: {error.message}
        </Notice>
      )}
      <Missing shards={(data as Partial<MissingShards>).missingShards ?? []} />
      <div className={styles.content} data-old={(isPlaceholderData && isFetching) || undefined}>
        {props.children(data)}
      </div>
    </div>
  );
}

function Again({ onClick }: { onClick(): void }) {
  return (
    <Button size="small" look="plain" onClick={onClick}>
      Try again
    </Button>
  );
}

function Missing({ shards }: { shards: readonly number[] }) {
  return shards.length === 0 ? null : (
    <p className={styles.note} role="status">
      {missingShardsText(shards)} Its spans are missing here.
    </p>
  );
}
