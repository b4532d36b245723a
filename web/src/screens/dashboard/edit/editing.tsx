import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourcesQuery } from '../../../api/queries/sources.ts';
import { Empty } from '../../../kit/state.tsx';
import type { TileAlerts } from '../alerts/use-tile-alerts.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { EditGrid } from '../grid/edit-grid.tsx';
import type { DashboardModel } from '../model.ts';
import { EditBar, tileActions } from './edit-mode.tsx';
import { replaceTile } from './edits.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import { TilePanel } from './tile-panel.tsx';
import type { Draft } from './use-draft.ts';
import styles from '../dashboard.module.css';

interface EditingProps {
  model: DashboardModel;
  draft: Draft;
  alerts: TileAlerts;
}

/** A dashboard that is being edited. */
export default function Editing({ model, draft, alerts }: EditingProps) {
  const { params, show } = model;
  const { data: sources } = useQuery(sourcesQuery);
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const { tiles } = draft.dashboard;
  const open = tiles.find(({ id }) => id === params.tile);
  return (
    <>
      <EditBar
        model={model}
        draft={draft}
        defaultSource={sources?.[0]?.id}
        onSettings={() => setSettingsOpen(true)}
      />
      <FilterBar model={model} dashboard={draft.dashboard} />
      <div className={styles.editing}>
        {tiles.length > 0 ? (
          <EditGrid
            tiles={tiles}
            filters={draft.dashboard.filters}
            alerts={alerts}
            actions={tileActions(draft, model)}
            onTiles={draft.changeTiles}
          />
        ) : (
          <Empty title="This dashboard has no tile">
            Add one above, or paste tiles that you copied from another dashboard.
          </Empty>
        )}
        {open && (
          <TilePanel
            tile={open}
            filters={draft.dashboard.filters}
            onChange={(tile) => draft.changeTiles(replaceTile(tile))}
            onClose={() => show({ tile: undefined })}
          />
        )}
      </div>
      {isSettingsOpen && <SettingsDialog draft={draft} onClose={() => setSettingsOpen(false)} />}
    </>
  );
}
