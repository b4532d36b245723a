import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { rowQuery } from '../../../api/queries/search.ts';
import { isRowSource, sourcesQuery } from '../../../api/queries/sources.ts';
import { Panel } from '../../../kit/panel.tsx';
import { Empty, Failure, Skeleton } from '../../../kit/state.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { formatCount } from '../../../view/number-format.ts';
import { eventsOf, linksOf } from '../model/span-row.ts';
import type { SpanSource } from '../model/search-links.ts';
import type { TraceNode } from '../model/tree.ts';
import type { Tab } from '../model/view.ts';
import { focusRows } from '../trace-keys.ts';
import type { TraceModel } from '../use-trace-model.ts';
import { SpanAttributes } from './span-attributes.tsx';
import { SpanEvents } from './span-events.tsx';
import { SpanHead } from './span-head.tsx';
import { SpanLinks } from './span-links.tsx';
import { SpanLogs } from './span-logs.tsx';

interface SpanPanelProps {
  model: TraceModel;
  node: TraceNode;
}

/** Everything of one span: beside the waterfall, or over it on smaller screens. */
export function SpanPanel({ model, node }: SpanPanelProps) {
  const { rows, active } = model;
  const at = rows.indexOf(active);
  const close = (): void => {
    model.close();
    focusRows();
  };
  return (
    <Panel
      label="Span"
      what="span"
      position={
        at < 0 ? 'Not in the tree' : `${formatCount(at + 1)} of ${formatCount(rows.length)}`
      }
      onStep={model.step}
      onClose={close}
    >
      <SpanHead model={model} node={node} />
      <PanelTabs model={model} node={node} />
    </Panel>
  );
}

function PanelTabs({ model, node: { span } }: SpanPanelProps) {
  const { trace, view, params } = model;
  const { data: sources = [] } = useQuery(sourcesQuery);
  const source = sources
    .filter(isRowSource)
    .find((one): one is SpanSource => one.kind === 'trace' && one.id === trace.sourceId);
  // Once keys rest, not for every row that a held key passes.
  const isSettled = params.span === span.spanId;
  const { data, error, refetch } = useQuery({
    ...rowQuery(trace.sourceId, span._id),
    enabled: isSettled,
  });
  const row = data?.row;
  const events = row && eventsOf(row, trace.startNanos);
  const links = row && linksOf(row);
  const withRow = (body: (row: Record<string, unknown>) => ReactNode): ReactNode => {
    if (row) {
      return body(row);
    }
    return error ? (
      <RowFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={8} />
    );
  };
  const bodies: Record<Tab, () => ReactNode> = {
    attributes: () =>
      withRow((one) => <SpanAttributes trace={trace} span={span} row={one} source={source} />),
    events: () => withRow(() => <SpanEvents events={events ?? []} />),
    links: () => withRow(() => <SpanLinks links={links ?? []} />),
    logs: () => (isSettled ? <SpanLogs trace={trace} span={span} /> : <Skeleton lines={8} />),
  };
  return (
    <Tabs<Tab>
      label="Parts of the span"
      value={view.tab}
      tabs={[
        { value: 'attributes', label: 'Attributes' },
        { value: 'events', label: 'Events', count: span.events },
        { value: 'links', label: 'Links', ...(links && { count: links.length }) },
        { value: 'logs', label: 'Logs' },
      ]}
      onChange={model.setTab}
    >
      {bodies[view.tab]()}
    </Tabs>
  );
}

function RowFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const isGone = error instanceof ApiError && error.status === 404;
  return isGone ? (
    <Empty title="The attributes are gone">
      Retention deleted the span, or its table has other columns now.
    </Empty>
  ) : (
    <Failure title="The attributes cannot be read" error={error} onRetry={onRetry} />
  );
}
