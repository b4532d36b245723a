import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { queries } from '../../api/query-client.ts';
import { traceQuery, type Trace as TraceData } from '../../api/queries/trace.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, Failure, LoadBar, Skeleton, Waiting } from '../../kit/state.tsx';
import { useRecentPage } from '../../view/recent.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { Minimap } from './minimap.tsx';
import { serviceName } from './model/services.ts';
import { Notices, type Stale } from './notices.tsx';
import { SpanPanel } from './panel/span-panel.tsx';
import type { Show, TraceParams } from './params.ts';
import { ServiceList } from './service-list.tsx';
import { TraceHead } from './trace-head.tsx';
import { useTraceKeys } from './trace-keys.ts';
import { useTraceModel } from './use-trace-model.ts';
import { Waterfall } from './waterfall/waterfall.tsx';
import styles from './trace.module.css';

const route = getRouteApi('/inside/traces/$traceId');

/** The spans of one trace over time, and the open span. */
export function Trace() {
  const { traceId } = route.useParams();
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const show = useCallback(
    (changes: Partial<TraceParams>, replace = true): void => {
      void navigate({
        search: (before: TraceParams) => compact({ ...before, ...changes }),
        replace,
      });
    },
    [navigate],
  );
  const { data, dataUpdatedAt, error, isPending, isFetching, refetch } = useQuery(
    traceQuery(traceId, params.at),
  );
  const retry = (): void => void refetch();
  const waiting = (
    <Waiting
      isOn={isFetching}
      what="Loading the trace"
      onCancel={() => void queries.cancelQueries({ queryKey: ['traces', traceId] })}
    />
  );
  if (isPending) {
    return (
      <>
        <HiddenTitle />
        {waiting}
        {isFetching ? <Skeleton lines={16} /> : <Canceled onRetry={retry} />}
      </>
    );
  }
  if (data) {
    return (
      <div className={styles.whole} aria-busy={isFetching}>
        <LoadBar isOn={isFetching} />
        {waiting}
        <Shown
          key={traceId}
          trace={data}
          stale={error ? { reason: error.message, atMs: dataUpdatedAt } : undefined}
          params={params}
          show={show}
          onRefresh={retry}
        />
      </div>
    );
  }
  return error instanceof ApiError && error.status === 404 ? (
    <NotFound traceId={traceId} params={params} show={show} onRetry={retry} />
  ) : (
    <>
      <HiddenTitle />
      <Failure title="The trace cannot be read" error={error} onRetry={retry} />
    </>
  );
}

function Canceled({ onRetry }: { onRetry(): void }) {
  return (
    <Empty
      title="Loading was canceled"
      actions={
        <Button size="small" onClick={onRetry}>
          Load again
        </Button>
      }
    >
      The server stopped reading the trace.
    </Empty>
  );
}

const HiddenTitle = () => <h1 className={styles.hiddenTitle}>Trace</h1>;

interface ShownProps {
  trace: TraceData;
  stale: Stale | undefined;
  params: TraceParams;
  show: Show;
  onRefresh(): void;
}

function Shown({ trace, stale, params, show, onRefresh }: ShownProps) {
  const model = useTraceModel(trace, params, show);
  useTraceKeys(model, onRefresh);
  const main = model.tree.nodes[model.tree.main]?.span;
  useRecentPage(main ? `${serviceName(main.serviceName)} ${main.name}` : 'Trace');
  return (
    <div className={styles.trace} data-span={model.opened !== undefined || undefined}>
      <TraceHead model={model} onRefresh={onRefresh} />
      <Notices model={model} stale={stale} />
      <ServiceList services={model.services} />
      <Minimap map={model.map} services={model.services} {...windowOf(model)} />
      <div className={styles.body}>
        <Waterfall model={model} />
        {model.opened && <SpanPanel model={model} node={model.opened} />}
      </div>
    </div>
  );
}

const windowOf = ({ window, whole, setWindow }: ReturnType<typeof useTraceModel>) => ({
  window,
  whole,
  onWindow: setWindow,
});

interface NotFoundProps {
  traceId: string;
  params: TraceParams;
  show: Show;
  onRetry(): void;
}

function NotFound({ traceId, params: { at }, show, onRetry }: NotFoundProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  useTitle('Trace not found');
  return (
    <>
      <HiddenTitle />
      <Empty
        title="Trace not found"
        actions={
          <>
            {at !== undefined && (
              <Button size="small" onClick={() => show({ at: undefined })}>
                Look at all times
              </Button>
            )}
            <Button size="small" onClick={onRetry}>
              Look again
            </Button>
            <Link to="/search" className={styles.way}>
              Go to search
            </Link>
          </>
        }
      >
        <p>
          No trace source of this team has a span of trace <code>{traceId}</code>
          {at === undefined
            ? '.'
            : ` within 12 hours of ${formatTime(at, zone, 'minute')} ${zoneLabel(zone, at)}.`}
        </p>
        <ul className={styles.reasons}>
          <li>A trace that has just ended can take some seconds to arrive.</li>
          <li>Sampling may have dropped it, or its services send no spans.</li>
          <li>Retention may have deleted it.</li>
        </ul>
      </Empty>
    </>
  );
}
