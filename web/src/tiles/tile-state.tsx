import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../kit/button.tsx';
import { Failure, LoadBar, Notice, Skeleton, useLasting, useSeconds } from '../kit/state.tsx';
import { missingRowsText } from '../view/missing-shards.ts';
import { formatClock } from '../view/zone.ts';
import { useScene } from './scene.ts';
import type { TileQuery } from './use-tile-query.ts';
import styles from './tiles.module.css';

interface TileStateProps<C, R> {
  query: TileQuery<C, R>;
  /** The answer has nothing to show. */
  isEmpty: boolean;
  children: ReactNode;
}

/** The region of a tile: its data, or what stands in their place. */
export function TileState<C, R>(props: TileStateProps<C, R>) {
  const { answer, error, isFetching, isCancelled, retry, cancel } = props.query;
  return (
    <div className={styles.state} aria-busy={isFetching}>
      {answer ? (
        <Answered {...props} answer={answer} />
      ) : (
        <>
          {error && <Failure title="This tile cannot be shown" error={error} onRetry={retry} />}
          {isCancelled && (
            <div className={styles.empty}>
              <p>Loading was cancelled.</p>
              <Button size="small" onClick={retry}>
                Load
              </Button>
            </div>
          )}
          {isFetching && <Skeleton lines={3} />}
        </>
      )}
      <Waiting isOn={isFetching} onCancel={cancel} />
    </div>
  );
}

interface AnsweredProps<C, R> extends TileStateProps<C, R> {
  answer: NonNullable<TileQuery<C, R>['answer']>;
}

function Answered<C, R>({ query, answer, isEmpty, children }: AnsweredProps<C, R>) {
  const { error, isFetching, isOld, isCancelled, retry } = query;
  const { zone, onZoomOut } = useScene();
  const { missingShards } = answer;
  const staleText = error?.message ?? (isCancelled ? 'loading was cancelled.' : undefined);
  return (
    <>
      <LoadBar isOn={isFetching} />
      {staleText !== undefined && (
        <Notice
          action={
            <Button size="small" look="plain" onClick={retry}>
              Try again
            </Button>
          }
        >
          Data of {formatClock(answer.atMs, zone)}: {staleText}
        </Notice>
      )}
      {isEmpty ? (
        <div className={styles.empty}>
          <p>No row in this range matches.</p>
          <Button size="small" onClick={onZoomOut}>
            Widen the range
          </Button>
        </div>
      ) : (
        <div className={styles.content} data-old={(isOld && isFetching) || undefined}>
          {children}
        </div>
      )}
      {missingShards.length > 0 && <Missing shards={missingShards} />}
    </>
  );
}

function Missing({ shards }: { shards: readonly number[] }) {
  const text = `${missingRowsText(shards)} here.`;
  return (
    <p className={styles.missing} role="note" title={text}>
      <TriangleAlert size={12} aria-hidden />
      <span>{text}</span>
    </p>
  );
}

/** How long a tile loads already, and a way to stop it. Over the tile, so that nothing moves. */
function Waiting({ isOn, onCancel }: { isOn: boolean; onCancel(): void }) {
  const isShown = useLasting(isOn, 1000);
  return isShown ? <Elapsed onCancel={onCancel} /> : null;
}

function Elapsed({ onCancel }: { onCancel(): void }) {
  const seconds = useSeconds();
  return (
    <div className={styles.waiting}>
      {seconds} s
      <Button size="small" look="plain" aria-label="Cancel loading" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
