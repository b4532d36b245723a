import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { dashboardQuery, type VersionedDashboard } from '../../api/queries/dashboards.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, Failure, Notice, Skeleton } from '../../kit/state.tsx';
import { Narrowed } from '../../tiles/narrowed.tsx';
import { SceneContext, type Scene } from '../../tiles/scene.ts';
import { useMedia } from '../../view/use-media.ts';
import { useRecentPage } from '../../view/recent.ts';
import { ColorBook } from '../../view/series-colors.ts';
import { fromSpan } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { zoneName } from '../../view/zone.ts';
import { noAlerts, useTileAlerts, type TileAlerts } from './alerts/use-tile-alerts.ts';
import { useConditions, type Conditions } from './conditions.ts';
import { useDraft } from './edit/use-draft.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { Grid } from './grid/grid.tsx';
import { useRepeats } from './grid/use-repeats.ts';
import { Head } from './head.tsx';
import { useDashboardKeys } from './keys.ts';
import { useDashboardModel, type DashboardModel } from './model.ts';
import { FullTile } from './full-tile.tsx';
import styles from './dashboard.module.css';

/** Those who only look at a dashboard do not load what changes one. */
const Editing = lazy(() => import('./edit/editing.tsx'));

/** One dashboard: its filters and its tiles. */
export function Dashboard() {
  const model = useDashboardModel();
  const { data, error, refetch } = useQuery(dashboardQuery(model.id));
  // Asked for at the same time: they decide how some tiles are shown.
  const alerts = useTileAlerts(model.id);
  if (error && !data) {
    return error instanceof ApiError && error.status === 404 ? (
      <Empty title="There is no such dashboard" actions={<Link to="/dashboards">Dashboards</Link>}>
        Somebody deleted it, or the address is wrong.
      </Empty>
    ) : (
      <Failure title="The dashboard cannot be shown" error={error} onRetry={() => void refetch()} />
    );
  }
  return data ? (
    <Shown key={model.id} model={model} stored={data} {...alerts} />
  ) : (
    <Skeleton lines={8} height={64} />
  );
}

interface ShownProps extends ReturnType<typeof useTileAlerts> {
  model: DashboardModel;
  stored: VersionedDashboard;
}

function Shown({ model, stored, alerts, error, retry }: ShownProps) {
  const { params, show } = model;
  const draft = useDraft(model.id, stored);
  // Tiles cannot be arranged with a finger on a small screen.
  const isSmall = useMedia('(max-width: 640px)');
  const isEditing = params.edit === true && !isSmall;
  const dashboard = isEditing ? draft.dashboard : stored.item;
  const [isTimeOpen, setTimeOpen] = useState(false);
  const conditions = useConditions(dashboard, params);
  const scene = useScene(model, conditions.filtersOf);
  useRecentPage(stored.item.name, '');
  useDashboardKeys(model, () => setTimeOpen(true));
  const edit = (
    <Button
      aria-keyshortcuts="e"
      icon={<Pencil size={14} aria-hidden />}
      onClick={() => show({ edit: true, tile: undefined })}
    >
      {draft.isChanged ? 'Edit draft' : 'Edit'}
    </Button>
  );
  return (
    <SceneContext value={scene}>
      <div className={styles.dashboard} data-full={params.full}>
        <Head model={model} dashboard={dashboard} isTimeOpen={isTimeOpen} onTimeOpen={setTimeOpen}>
          {!isEditing && !isSmall && edit}
        </Head>
        {error && (
          <Notice
            action={
              <Button size="small" look="plain" onClick={retry}>
                Try again
              </Button>
            }
          >
            The states of alerts are not known. {error.message}
          </Notice>
        )}
        {isEditing ? (
          <Suspense fallback={<Skeleton lines={8} height={64} />}>
            <Editing model={model} draft={draft} alerts={alerts} />
          </Suspense>
        ) : (
          <Viewing {...{ model, conditions, alerts }} dashboard={stored.item} />
        )}
      </div>
    </SceneContext>
  );
}

interface ViewingProps {
  model: DashboardModel;
  dashboard: VersionedDashboard['item'];
  conditions: Conditions;
  alerts: TileAlerts;
}

function Viewing({ model, dashboard, conditions, alerts }: ViewingProps) {
  const { params, show } = model;
  const shown = useRepeats(model, dashboard, conditions);
  const open = shown.find(({ key }) => key === params.tile);
  return (
    <>
      <FilterBar model={model} dashboard={dashboard} />
      {shown.length > 0 ? (
        <Grid
          shown={shown}
          alerts={alerts}
          strangersOf={conditions.strangersOf}
          onOpen={(tile) => show({ tile })}
        />
      ) : (
        <Empty
          title="This dashboard has no tile"
          actions={
            <Button size="small" onClick={() => show({ edit: true })}>
              Add a tile
            </Button>
          }
        >
          Tiles are charts, numbers, tables, rows of a search, and text.
        </Empty>
      )}
      {open && (
        <Narrowed only={open.only}>
          <FullTile
            tile={open.tile}
            alerts={alerts.get(open.tile.id) ?? noAlerts}
            onClose={() => show({ tile: undefined })}
          />
        </Narrowed>
      )}
    </>
  );
}

function useScene(model: DashboardModel, filtersOf: Scene['filtersOf']): Scene {
  const [zonePref] = usePref('zone');
  const { id, span, runId, setRange, zoomOut } = model;
  const book = useMemo(() => new ColorBook(), []);
  return useMemo(
    () => ({
      span,
      runId,
      zone: zoneName(zonePref),
      book,
      syncKey: id,
      filtersOf,
      onZoom: (zoomed) => setRange(fromSpan(zoomed)),
      onZoomOut: zoomOut,
    }),
    [span, runId, zonePref, book, id, filtersOf, setRange, zoomOut],
  );
}
