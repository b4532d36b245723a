import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { rowQuery } from '../../../api/queries/search.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Empty, Failure, Skeleton } from '../../../kit/state.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { ApiError } from '../../../api/api-error.ts';
import { useKeys } from '../../../view/keys.ts';
import { useMedia } from '../../../view/use-media.ts';
import type { ReadyModel } from '../model.ts';
import { traceLink } from '../trace-link.ts';
import { RowAttributes } from './row-attributes.tsx';
import { RowContext } from './row-context.tsx';
import { RowHead } from './row-head.tsx';
import { RowJson } from './row-json.tsx';
import { RowOverview } from './row-overview.tsx';
import { RowTrace } from './row-trace.tsx';
import styles from './row.module.css';

interface RowPanelProps {
  model: ReadyModel;
  id: string;
  /** `12 of 200`, if the row is in the table. */
  position: string | undefined;
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

/** Everything of one row: beside the table, or over it on smaller screens. */
export function RowPanel({ model, id, position, onClose, onStep }: RowPanelProps) {
  useKeys({ Escape: onClose });
  const isBeside = useMedia('(min-width: 1200px)');
  useFocusBack(isBeside);
  return (
    <section
      className={styles.panel}
      aria-label="Row"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      <div className={styles.panelHead}>
        <IconButton label="Previous row" shortcut="k" size="small" onClick={() => onStep(-1)}>
          <ChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label="Next row" shortcut="j" size="small" onClick={() => onStep(1)}>
          <ChevronDown size={16} aria-hidden />
        </IconButton>
        <span className={styles.position}>{position ?? 'Not in the table'}</span>
        <IconButton label="Close" shortcut="Escape" size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <PanelBody model={model} id={id} />
    </section>
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

/** A panel over the table takes the focus, and gives it back. */
function useFocusBack(isBeside: boolean): void {
  useEffect(() => {
    const before = document.activeElement;
    if (!isBeside) {
      document.querySelector<HTMLElement>('section[aria-label="Row"] button')?.focus();
    }
    return () => {
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, [isBeside]);
}
