import { LayoutDashboard, Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { Choices } from '../../kit/choices.tsx';
import { ShareMenu } from '../../kit/share-menu.tsx';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { RangeSteps, TimeRangePicker } from '../../kit/time-range-picker.tsx';
import { ChartForm } from '../../tiles/form/chart-form.tsx';
import { SourceField } from '../../tiles/form/source-field.tsx';
import { forSource, isComplete } from '../../tiles/model/series.ts';
import { SceneContext, type Scene } from '../../tiles/scene.ts';
import { useChartError } from '../../tiles/value-tiles.tsx';
import { useKeys } from '../../view/keys.ts';
import { ColorBook } from '../../view/series-colors.ts';
import { fromSpan, shifted, zoomedOut } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { zoneName } from '../../view/zone.ts';
import { displayTypes, seriesMax } from './chart-config.ts';
import { useExploreModel, type ExploreModel } from './model.ts';
import { Result } from './result.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { SqlOf } from './sql.tsx';
import styles from './explore.module.css';

/** Charts of anything that a source has. */
export function Explore() {
  const { model, isLoading, error, retry } = useExploreModel();
  useTitle('Explore');
  if (error) {
    return <Failure title="The sources cannot be listed" error={error} onRetry={retry} />;
  }
  if (model) {
    return <Explorer model={model} />;
  }
  return isLoading ? (
    <Skeleton lines={12} />
  ) : (
    <Empty title="There is nothing to chart">
      The source of this chart does not exist, or this team has no source.
    </Empty>
  );
}

function Explorer({ model }: { model: ExploreModel }) {
  const { span, runId, setRange, zoomOut } = model;
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  // A colour belongs to a name for as long as the screen is open.
  const book = useMemo(() => new ColorBook(), []);
  const scene = useMemo(
    (): Scene => ({
      span,
      runId,
      zone,
      book,
      syncKey: 'explore',
      filtersOf: () => noFilters,
      onZoom: (next) => setRange(fromSpan(next)),
      onZoomOut: zoomOut,
    }),
    [span, runId, zone, book, setRange, zoomOut],
  );
  return (
    <SceneContext value={scene}>
      <Page model={model} />
    </SceneContext>
  );
}

const noFilters: readonly [] = [];

function Page({ model }: { model: ExploreModel }) {
  const { config, source, setConfig } = model;
  const isAsked = isComplete(config, source.kind);
  const error = useChartError(config, isAsked);
  return (
    <div className={styles.explore}>
      <header className={styles.head}>
        <h1>Explore</h1>
        <Choices
          label="Display"
          value={config.displayType}
          choices={displayTypes}
          onChange={(displayType) => setConfig({ ...config, displayType })}
        />
        <Toolbar model={model} />
      </header>
      <div className={styles.columns}>
        <div className={styles.form}>
          <SourceField
            sources={model.sources}
            value={source.id}
            onChange={(next) => setConfig(forSource(config, source, next))}
          />
          <ChartForm
            config={config}
            source={source}
            seriesMax={seriesMax}
            error={isAsked ? error : null}
            onChange={setConfig}
          />
        </div>
        <div className={styles.result}>
          {isAsked ? (
            <>
              <Result model={model} />
              <SqlOf model={model} />
            </>
          ) : (
            <Empty title="The chart is not complete">
              {source.kind === 'metric'
                ? 'Choose a metric for every series.'
                : 'Name a field for every series that does not count rows.'}
            </Empty>
          )}
        </div>
      </div>
    </div>
  );
}

function Toolbar({ model }: { model: ExploreModel }) {
  const { span, range, run, setRange } = model;
  const [isTimeOpen, setTimeOpen] = useState(false);
  const [isSaving, setSaving] = useState(false);
  useKeys({
    t: () => setTimeOpen(true),
    r: run,
    '[': () => setRange(fromSpan(shifted(span, -1))),
    ']': () => setRange(fromSpan(shifted(span, 1))),
    '-': () => setRange(fromSpan(zoomedOut(span, Date.now()))),
  });
  return (
    <div className={styles.tools}>
      <TimeRangePicker
        range={range}
        open={isTimeOpen}
        onOpenChange={setTimeOpen}
        onChange={setRange}
      />
      <RangeSteps onStep={(step) => setRange(fromSpan(shifted(span, step)))} />
      <Button icon={<LayoutDashboard size={14} aria-hidden />} onClick={() => setSaving(true)}>
        Save
      </Button>
      <ShareMenu range={range} span={span} />
      <IconButton look="primary" label="Run" shortcut="r" onClick={run}>
        <Play size={14} aria-hidden />
      </IconButton>
      {isSaving && <SaveDialog config={model.config} onClose={() => setSaving(false)} />}
    </div>
  );
}
