import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  ChevronDown,
  ChevronUp,
  CircleAlert,
  Ellipsis,
  Route,
  Share2,
  ZoomOut,
} from 'lucide-react';
import { isRowSource, sourcesQuery } from '../../api/queries/sources.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu.tsx';
import { copy } from '../../kit/state.tsx';
import { Time } from '../../kit/time.tsx';
import { formatCount, formatDuration, plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { isWhole } from './model/scale.ts';
import { logFilters, searchParams, spanFilters } from './model/search-links.ts';
import { serviceName } from './model/services.ts';
import type { TraceModel } from './use-trace-model.ts';
import { Swatch } from './swatch.tsx';
import styles from './trace.module.css';

interface TraceHeadProps {
  model: TraceModel;
  onRefresh(): void;
}

/** What the trace is, and what can be done with it. */
export function TraceHead({ model, onRefresh }: TraceHeadProps) {
  const { trace, tree, services, view, window, whole } = model;
  const main = tree.nodes[tree.main]?.span;
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <h1 className={styles.title}>
          <Swatch service={services.get(main?.serviceName ?? '')} />
          <span className={styles.service}>{serviceName(main?.serviceName ?? '')}</span>
          <span className={styles.name}>{main?.name ?? 'Trace'}</span>
        </h1>
        <Facts model={model} />
      </div>
      <div className={styles.actions}>
        {tree.errors.length > 0 && <ErrorSteps model={model} />}
        <Button
          aria-pressed={view.isCritical}
          aria-keyshortcuts="p"
          aria-label="Critical path"
          icon={<Route size={14} aria-hidden />}
          onClick={() => model.setCritical(!view.isCritical)}
        >
          <span className={styles.actionText}>Critical path</span>
        </Button>
        {!isWhole(window, whole) && (
          <Button
            aria-keyshortcuts="0"
            aria-label="Whole trace"
            icon={<ZoomOut size={14} aria-hidden />}
            onClick={() => model.setWindow(whole)}
          >
            <span className={styles.actionText}>Whole trace</span>
          </Button>
        )}
        <IconButton
          look="normal"
          label="Share"
          onClick={() => void copy(linkTo(trace.startTime), 'Link')}
        >
          <Share2 size={16} aria-hidden />
        </IconButton>
        <MoreMenu model={model} onRefresh={onRefresh} />
      </div>
    </header>
  );
}

/** The address with the time of the trace, where the server looks first. */
function linkTo(startTime: number): string {
  const url = new URL(location.href);
  url.searchParams.set('at', String(startTime));
  return url.href;
}

function Facts({ model: { trace, tree, services } }: { model: TraceModel }) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const { startTime } = trace;
  return (
    <p className={styles.facts}>
      <Time ms={startTime}>{`${formatTime(startTime, zone)} ${zoneLabel(zone, startTime)}`}</Time>
      <b>{formatDuration(trace.durationNanos)}</b>
      <span>{plural(trace.spanCount, 'span')}</span>
      <span>{plural(services.size, 'service')}</span>
      {tree.errors.length === 0 && <span>no errors</span>}
      <span className={styles.id}>{trace.traceId}</span>
    </p>
  );
}

function ErrorSteps({ model }: { model: TraceModel }) {
  const { errors } = model.tree;
  const at = errors.indexOf(model.active);
  return (
    <div className={styles.errors} role="group" aria-label="Errors">
      <CircleAlert size={14} aria-hidden />
      <span role="status">
        {at < 0
          ? plural(errors.length, 'error')
          : `error ${formatCount(at + 1)} of ${formatCount(errors.length)}`}
      </span>
      <IconButton
        label="Previous error"
        shortcut="shift+n"
        size="small"
        onClick={() => model.stepError(-1)}
      >
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label="Next error" shortcut="n" size="small" onClick={() => model.stepError(1)}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

function MoreMenu({ model, onRefresh }: TraceHeadProps) {
  const router = useRouter();
  const { data: sources = [] } = useQuery(sourcesQuery);
  const { trace } = model;
  const rowSources = sources.filter(isRowSource);
  const spans = rowSources.find(({ id }) => id === trace.sourceId);
  const logs = rowSources.find(
    ({ kind, traceIdExpression }) => kind === 'log' && traceIdExpression !== undefined,
  );
  const logTests = logs?.kind === 'log' ? logFilters(logs, trace.traceId, undefined) : undefined;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton look="normal" label="More">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {logs && logTests && (
        <MenuItem
          onSelect={() =>
            void router.navigate({ to: '/search', search: searchParams(logs, trace, logTests) })
          }
        >
          Logs of the trace in search
        </MenuItem>
      )}
      {spans?.kind === 'trace' && (
        <MenuItem
          onSelect={() =>
            void router.navigate({
              to: '/search',
              search: searchParams(spans, trace, spanFilters(spans, trace.traceId)),
            })
          }
        >
          Spans of the trace in search
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => model.setAllCollapsed(false)}>Expand all</MenuItem>
      <MenuItem onSelect={() => model.setAllCollapsed(true)}>Collapse all</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void copy(trace.traceId, 'Trace id')}>Copy trace id</MenuItem>
      <MenuItem shortcut="r" onSelect={onRefresh}>
        Load again
      </MenuItem>
    </Menu>
  );
}
