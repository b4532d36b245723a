import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';
import { queries } from '../../api/query-client.ts';
import type { RowsResult, SearchRow } from '../../api/queries/search.ts';
import type { SourceField } from '../../api/queries/sources.ts';
import { Button } from '../../kit/button.tsx';
import { Notice as Note } from '../../kit/notice.tsx';
import { Empty, Failure, LoadBar, Notice, Skeleton, Waiting } from '../../kit/state.tsx';
import { missingRowsText } from '../../view/missing-shards.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import { fromSpan, zoomedOut } from '../../view/time-range.ts';
import { useMedia } from '../../view/use-media.ts';
import { usePagePanel } from '../../view/use-page-panel.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, zoneName } from '../../view/zone.ts';
import { ExportBar } from './export/export-bar.tsx';
import { useExport } from './export/use-export.ts';
import { FacetsAside, FacetsOpener } from './facets/facets-place.tsx';
import { LiveBar } from './live/live-bar.tsx';
import { useLive } from './live/use-live.ts';
import type { ReadyModel } from './model.ts';
import { issueOf, rowsRequest } from './request.ts';
import { RowPanel } from './row/row-panel.tsx';
import { RowsTable } from './rows/rows-table.tsx';
import { useShownRows } from './use-shown-rows.ts';
import styles from './search.module.css';

interface ResultsProps {
  model: ReadyModel;
  rows: UseInfiniteQueryResult<InfiniteData<RowsResult>>;
  fields: readonly SourceField[];
}

/** The table and the open row. */
export function Results({ model, rows: query, fields }: ResultsProps) {
  const { params } = model;
  const request = rowsRequest(model);
  const live = useLive(request, params.live === true, params.row !== undefined);
  const exporting = useExport(model);
  const [active, setActive] = useState(-1);
  const { startMs, endMs } = model.span;
  const paged = useShownRows(query, request, endMs - startMs);
  const rows: readonly SearchRow[] = params.live ? live.rows : paged.rows;

  const router = useRouter();
  const page = usePagePanel(params.row !== undefined, () => router.history.back());
  const [place] = usePref('openRows');
  const isPage = useMedia('(max-width: 640px)');
  const missing = new Set(query.data?.pages.flatMap((each) => each.missingShards));

  const openAt = params.row === undefined ? -1 : rows.findIndex(({ _id }) => _id === params.row);
  const open = (index: number): void => {
    const id = rows[index]?._id;
    setActive(index);
    if (id !== undefined && id !== params.row) {
      page.open((replace) => (replace ? model.show({ row: id }) : model.turn({ row: id })));
    }
  };
  const close = (): void => {
    page.close(() => model.show({ row: undefined, tab: undefined }));
  };
  const step = (by: number): void => {
    const from = params.row === undefined ? active : openAt;
    const next = Math.min(Math.max(from + by, 0), rows.length - 1);
    if (params.row === undefined) {
      setActive(next);
    } else {
      open(next);
    }
  };
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const isInline = place === 'inline' && !isPage && openAt >= 0;
  const hasPanel = params.row !== undefined && !isInline;
  const panel = params.row !== undefined && (
    <RowPanel
      model={model}
      id={params.row}
      isInline={isInline}
      onClose={close}
      onStep={step}
      position={
        openAt < 0
          ? undefined
          : `${formatCount(openAt + 1)} of ${formatCount(rows.length)}${hasNextPage ? '+' : ''}`
      }
    />
  );
  const isLoading = query.isPending && query.fetchStatus === 'fetching' && !params.live;
  const isStale = query.isFetching && !isFetchingNextPage && !params.live;
  return (
    <div className={styles.results}>
      <FacetsAside model={model} hasPanel={hasPanel} />
      <section className={styles.rows} aria-label="Rows" aria-busy={isStale}>
        <LoadBar isOn={isStale || isFetchingNextPage} />
        <Waiting isOn={query.isFetching && !params.live} what="Searching" onCancel={cancelSearch} />
        {paged.stale && !params.live && (
          <StaleNotice {...paged.stale} onRetry={() => void query.refetch()} />
        )}
        <ExportBar exporting={exporting} />
        {missing.size > 0 && (
          <Note look="warning">
            {missingRowsText([...missing])} here, in the counts and in the facets.
          </Note>
        )}
        {params.live && <LiveBar live={live} />}
        {!isLoading && <FacetsOpener model={model} hasPanel={hasPanel} />}
        <Body model={model} query={query} hasRows={rows.length > 0} isLive={params.live === true}>
          <RowsTable
            model={model}
            rows={rows}
            fields={fields}
            active={params.row === undefined ? active : openAt}
            isDimmed={query.isPlaceholderData && !params.live}
            detail={isInline && panel ? { index: openAt, content: panel } : undefined}
            onActive={(index) => (params.row === undefined ? setActive(index) : open(index))}
            onOpen={open}
            onStep={step}
            onEnd={onEnd}
            onScroll={(top) => live.onScroll(top)}
            onExport={exporting.progress ? undefined : (format) => void exporting.start(format)}
            foot={params.live ? undefined : footText(rows.length, hasNextPage)}
          />
        </Body>
      </section>
      {!isInline && panel}
    </div>
  );
}

function StaleNotice(props: { atMs: number; reason: string; onRetry(): void }) {
  const [zonePref] = usePref('zone');
  const time = formatClock(props.atMs, zoneName(zonePref));
  const action = (
    <Button size="small" look="plain" onClick={props.onRetry}>
      Try again
    </Button>
  );
  return (
    <Notice action={action}>
      The rows were not loaded again. They are shown as of {time}. {props.reason}
    </Notice>
  );
}

/** Ends the queries of the question; the server stops them on the engine. */
const cancelSearch = (): void => void queries.cancelQueries({ queryKey: ['search'] });

const footText = (count: number, hasMore: boolean): string =>
  hasMore ? 'Loading more rows…' : `End of the range: ${plural(count, 'row')}.`;

interface BodyProps {
  model: ReadyModel;
  query: ResultsProps['rows'];
  hasRows: boolean;
  isLive: boolean;
  children: ReactNode;
}

/** The rows, or what stands in their place. */
function Body({ model, query, hasRows, isLive, children }: BodyProps) {
  const isCanceled = query.fetchStatus === 'idle' && (query.isPending || query.isPlaceholderData);
  if (isCanceled && !isLive) {
    return (
      <Empty
        title="The search was canceled"
        actions={
          <Button size="small" onClick={model.run}>
            Search again
          </Button>
        }
      >
        A shorter range or a narrower condition takes less time.
      </Empty>
    );
  }
  if (hasRows) {
    return children;
  }
  if (isLive) {
    return (
      <Empty title="Waiting for new rows">
        Rows that match appear here within a few seconds of their arrival.
      </Empty>
    );
  }
  if (query.isPending && query.fetchStatus === 'fetching') {
    return <Skeleton lines={20} />;
  }
  if (query.error) {
    if (issueOf(query.error) !== undefined) {
      return <Empty title="The query is not valid">Correct it above, then press Enter.</Empty>;
    }
    return <Failure title="The search failed" error={query.error} onRetry={model.run} />;
  }
  return <NoRows model={model} />;
}

function NoRows({ model }: { model: ReadyModel }) {
  const { params, filters, span, source } = model;
  const last = filters.at(-1);
  const hasCondition = params.q !== undefined || last !== undefined;
  return (
    <Empty
      title="No rows"
      actions={
        <>
          <Button
            size="small"
            onClick={() => model.setRange(fromSpan(zoomedOut(span, Date.now())))}
          >
            Widen the range
          </Button>
          {last && (
            <Button size="small" onClick={() => model.setFilters(filters.slice(0, -1))}>
              Drop the last filter
            </Button>
          )}
          {params.q !== undefined && (
            <Button size="small" onClick={() => model.ask({ q: undefined })}>
              Clear the query
            </Button>
          )}
        </>
      }
    >
      {hasCondition
        ? `No row of ${source.name} in this range matches the query and its filters.`
        : `${source.name} has no row in this range.`}
    </Empty>
  );
}
