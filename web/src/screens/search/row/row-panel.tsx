import { useQuery } from '@tanstack/react-query';
import { ListCollapse, PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { rowQuery } from '../../../api/queries/search.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { Empty, Failure, Skeleton } from '../../../kit/state.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { ApiError } from '../../../api/api-error.ts';
import { useKeys } from '../../../view/keys.ts';
import { useMedia } from '../../../view/use-media.ts';
import { usePref } from '../../../view/use-pref.ts';
import type { ReadyModel } from '../model.ts';
import { traceLink } from '../trace-link.ts';
import { RowAttributes } from './row-attributes.tsx';
import { RowContext } from './row-context.tsx';
import { RowHead } from './row-head.tsx';
import { RowJson } from './row-json.tsx';
import { RowOverview } from './row-overview.tsx';
import { RowTrace } from './row-trace.tsx';

interface RowPanelProps {
  model: ReadyModel;
  id: string;
  /** `12 of 200`, if the row is in the table. */
  position: string | undefined;
  isInline: boolean;
  onClose(): void;
  onStep(by: number): void;
}

type Tab = 'overview' | 'attributes' | 'trace' | 'context' | 'json';

const tabs: readonly { value: Tab; label: string }[] = [
  { value: 'overview', label: 'Overview' },
  { value: 'attributes', label: 'Attributes' },
  { value: 'trace', label: 'Trace' },
  { value: 'context', label: 'Context' },
  { value: 'json', label: 'JSON' },
];

/** Everything of one row: beside the table, over it on smaller screens, or in the list. */
export function RowPanel({ model, id, position, isInline, onClose, onStep }: RowPanelProps) {
  useKeys({ Escape: onClose });
  return (
    <Panel
      label="Row"
      what="row"
      position={position ?? 'Not in the table'}
      isInline={isInline}
      tools={<PlaceButton />}
      onStep={onStep}
      onClose={onClose}
    >
      <PanelBody model={model} id={id} />
    </Panel>
  );
}

/** Turns between a panel beside the table and one in the list, where both have room. */
function PlaceButton() {
  const [place, setPlace] = usePref('openRows');
  const isPage = useMedia('(max-width: 640px)');
  if (isPage) {
    return null;
  }
  return place === 'inline' ? (
    <IconButton label="Show rows beside the table" size="small" onClick={() => setPlace('beside')}>
      <PanelRight size={14} aria-hidden />
    </IconButton>
  ) : (
    <IconButton label="Show rows in the list" size="small" onClick={() => setPlace('inline')}>
      <ListCollapse size={14} aria-hidden />
    </IconButton>
  );
}

function PanelBody({ model, id }: { model: ReadyModel; id: string }) {
  const { source, params } = model;
  const { data, error, refetch, isPending } = useQuery(rowQuery(source.id, id));
  if (error) {
    const isGone = error instanceof ApiError && error.status === 404;
    return isGone ? (
      <Empty title="This row is gone">
        Retention deleted it, or its table has other columns now.
      </Empty>
    ) : (
      <Failure title="The row cannot be read" error={error} onRetry={() => void refetch()} />
    );
  }
  if (isPending) {
    return <Skeleton lines={10} />;
  }
  const link = traceLink(data.row, id, source);
  const shown = tabs.filter(({ value }) => value !== 'trace' || link !== undefined);
  const tab = shown.find(({ value }) => value === params.tab)?.value ?? 'overview';
  const bodies: Record<Tab, () => ReactNode> = {
    overview: () => <RowOverview model={model} row={data.row} columns={data.columns} />,
    attributes: () => <RowAttributes model={model} row={data.row} columns={data.columns} />,
    trace: () => link && <RowTrace link={link} />,
    context: () => <RowContext model={model} row={data.row} id={id} />,
    json: () => <RowJson row={data.row} />,
  };
  return (
    <>
      <RowHead model={model} row={data.row} id={id} />
      <Tabs
        label="Parts of the row"
        value={tab}
        tabs={shown}
        onChange={(next) => model.show({ tab: next === 'overview' ? undefined : next })}
      >
        {bodies[tab]()}
      </Tabs>
    </>
  );
}
