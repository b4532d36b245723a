import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Maximize, Minimize, RefreshCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../api/queries/dashboards.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Menu, MenuChoices } from '../../kit/menu.tsx';
import { ObjectHead } from '../../kit/object-head.tsx';
import { ShareMenu } from '../../kit/share-menu.tsx';
import { useLasting } from '../../kit/state.tsx';
import { RangeSteps, TimeRangePicker } from '../../kit/time-range-picker.tsx';
import { tileQueries } from '../../tiles/use-tile-query.ts';
import { fromSpan, shifted } from '../../view/time-range.ts';
import type { DashboardModel } from './model.ts';
import type { Refresh } from './params.ts';
import styles from './dashboard.module.css';

interface HeadProps {
  model: DashboardModel;
  dashboard: Pick<Dashboard, 'name' | 'tags'>;
  isTimeOpen: boolean;
  onTimeOpen(open: boolean): void;
  /** Buttons that stand last. */
  children?: ReactNode;
}

/** Name, time and refresh of a dashboard. */
export function Head({ model, dashboard, isTimeOpen, onTimeOpen, children }: HeadProps) {
  const { params, show } = model;
  return (
    <ObjectHead
      className={styles.head}
      back={params.full ? undefined : { to: '/dashboards', label: 'Dashboards' }}
      name={dashboard.name}
    >
      <TimeRangePicker
        range={model.range}
        open={isTimeOpen}
        onOpenChange={onTimeOpen}
        onChange={model.setRange}
      />
      <RangeSteps onStep={(step) => model.setRange(fromSpan(shifted(model.span, step)))} />
      <RefreshMenu model={model} />
      <ShareMenu
        range={model.range}
        span={model.span}
        onLink={(link, isFixed) => {
          link.delete('edit');
          if (isFixed) {
            link.delete('every');
          }
        }}
      />
      <IconButton
        label={params.full ? 'Leave full screen' : 'Full screen'}
        shortcut="v"
        look="normal"
        aria-pressed={params.full === true}
        onClick={() => show({ full: params.full ? undefined : true })}
      >
        {params.full ? <Minimize size={16} aria-hidden /> : <Maximize size={16} aria-hidden />}
      </IconButton>
      {children}
    </ObjectHead>
  );
}

const choices: { value: Refresh | 'off'; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: '10s', label: 'Every 10 s' },
  { value: '30s', label: 'Every 30 s' },
  { value: '1m', label: 'Every minute' },
  { value: '5m', label: 'Every 5 min' },
];

function RefreshMenu({ model: { params, run, show } }: { model: DashboardModel }) {
  const every = params.every ?? 'off';
  const client = useQueryClient();
  const isLoading = useIsFetching({ queryKey: tileQueries }) > 0;
  const canStop = useLasting(isLoading, 1000);
  return (
    <div className={styles.joined}>
      {canStop ? (
        <IconButton
          label="Stop loading"
          look="normal"
          onClick={() => void client.cancelQueries({ queryKey: tileQueries })}
        >
          <X size={14} aria-hidden />
        </IconButton>
      ) : (
        <IconButton label="Refresh" shortcut="r" look="normal" onClick={run}>
          <RefreshCw size={14} aria-hidden />
        </IconButton>
      )}
      <Menu
        align="end"
        trigger={
          <Button aria-label={`Refresh: ${choices.find(({ value }) => value === every)?.label}`}>
            {every === 'off' ? 'Off' : every.replace(/(\d+)(\D)/, '$1 $2')}
          </Button>
        }
      >
        <MenuChoices
          label="Refresh"
          value={every}
          choices={choices}
          onChange={(value) => show({ every: value === 'off' ? undefined : value })}
        />
      </Menu>
    </div>
  );
}
