import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ListFilter, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import { queries } from '../../api/query-client.ts';
import type { SearchRow } from '../../api/queries/search.ts';
import type { SourceField } from '../../api/queries/sources.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Empty, Failure, LoadBar, Skeleton, Waiting } from '../../kit/state.tsx';
import { formatCount } from '../../view/number-format.ts';
import { fromSpan, zoomedOut } from '../../view/time-range.ts';
import { useMedia } from '../../view/use-media.ts';
import { usePref } from '../../view/use-pref.ts';
import { ExportBar } from './export/export-bar.tsx';
import { useExport } from './export/use-export.ts';
import { Facets } from './facets/facets.tsx';
import { LiveBar } from './live/live-bar.tsx';
import { useLive } from './live/use-live.ts';
import type { ReadyModel } from './model.ts';
import { issueOf, rowsRequest } from './request.ts';
import { RowPanel } from './row/row-panel.tsx';
import { RowsTable } from './rows/rows-table.tsx';
import styles from './search.module.css';

interface ResultsProps {
  model: ReadyModel;
  rows: UseInfiniteQueryResult<InfiniteData<Schemas['SearchResult']>>;
  fields: readonly SourceField[];
}

/** The table and the open row. */
export function Results({ model, rows: query, fields }: ResultsProps) {
  const { params } = model;
  const request = rowsRequest(model);
  const live = useLive(request, params.live === true && params.row === undefined);
  const exporting = useExport(model);
  const [active, setActive] = useState(-1);
  const paged = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.rows), [query.data]);
  const rows: readonly SearchRow[] = params.live ? live.rows : paged;

  const openAt = params.row === undefined ? -1 : rows.findIndex(({ _id }) => _id === params.row);
  const open = (index: number): void => {
    const id = rows[index]?._id;
    setActive(index);
    if (id !== undefined) {
      model.show({ row: id });
    }
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

  const isStale = query.isFetching && !isFetchingNextPage && !params.live;
  return (
    <div className={styles.results}>
      <FacetsAside model={model} />
      <section className={styles.rows} aria-label="Rows" aria-busy={isStale}>
        <LoadBar isOn={isStale || isFetchingNextPage} />
        <Waiting isOn={query.isFetching && !params.live} what="Searching" onCancel={cancelSearch} />
        <ExportBar exporting={exporting} />
        {params.live && <LiveBar live={live} />}
        <Body model={model} query={query} hasRows={rows.length > 0} isLive={params.live === true}>
          <RowsTable
            model={model}
            rows={rows}
            fields={fields}
            active={params.row === undefined ? active : openAt}
            isDimmed={query.isPlaceholderData && !params.live}
            onActive={setActive}
            onOpen={open}
            onStep={step}
            onEnd={onEnd}
            onScroll={(top) => live.onScroll(top)}
            onExport={exporting.progress ? undefined : (format) => void exporting.start(format)}
            foot={params.live ? undefined : footText(rows.length, hasNextPage)}
          />
        </Body>
      </section>
      {params.row !== undefined && (
        <RowPanel
          model={model}
          id={params.row}
          onClose={() => model.show({ row: undefined, tab: undefined })}
          onStep={step}
          position={
            openAt < 0
              ? undefined
              : `${formatCount(openAt + 1)} of ${formatCount(rows.length)}${hasNextPage ? '+' : ''}`
          }
        />
      )}
    </div>
  );
}

/** Ends the queries of the question; the server stops them on the engine. */
const cancelSearch = (): void => void queries.cancelQueries({ queryKey: ['search'] });

/** Facets beside the table, or in a sheet if the table and the open row need the room. */
function FacetsAside({ model }: { model: ReadyModel }) {
  const [isShown, setShown] = usePref('showFacets');
  const isSmall = useMedia('(max-width: 900px)');
  const isTight = useMedia('(max-width: 1439px)') && model.params.row !== undefined;
  const [isSheetOpen, setSheetOpen] = useState(false);
  if (isSmall || (isTight && isShown)) {
    return (
      <>
        <Button
          size="small"
          look="plain"
          icon={<ListFilter size={14} aria-hidden />}
          className={styles.facetsOpen}
          onClick={() => setSheetOpen(true)}
        >
          Facets
        </Button>
        <Dialog title="Facets" look="sheet" open={isSheetOpen} onOpenChange={setSheetOpen}>
          <Facets model={model} />
        </Dialog>
      </>
    );
  }
  if (!isShown) {
    return (
      <IconButton
        label="Show facets"
        shortcut="\\"
        size="small"
        className={styles.facetsOpen}
        onClick={() => setShown(true)}
      >
        <PanelLeftOpen size={14} aria-hidden />
      </IconButton>
    );
  }
  return (
    <aside className={styles.facets} aria-label="Facets">
      <div className={styles.facetsHead}>
        <h2>Facets</h2>
        <IconButton label="Hide facets" shortcut="\\" size="small" onClick={() => setShown(false)}>
          <PanelLeftClose size={14} aria-hidden />
        </IconButton>
      </div>
      <Facets model={model} />
    </aside>
  );
}

const footText = (count: number, hasMore: boolean): string =>
  hasMore ? 'Loading more rows…' : `End of the range: ${formatCount(count)} rows.`;

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
    return (
      <Failure title="The search failed" error={query.error} onRetry={() => void query.refetch()} />
    );
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
