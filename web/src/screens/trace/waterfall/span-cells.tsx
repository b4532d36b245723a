import { ChevronDown, ChevronRight, CircleAlert, ClockAlert, Unlink } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { Hidden } from '../../../kit/text.tsx';
import { formatCount, formatDuration } from '../../../view/number-format.ts';
import type { PathSegment } from '../model/critical-path.ts';
import { joined } from '../model/minimap-paths.ts';
import { barOf, shareOf, type TimeWindow } from '../model/scale.ts';
import { serviceName, type Service } from '../model/services.ts';
import type { TraceNode } from '../model/tree.ts';
import { Swatch } from '../swatch.tsx';
import styles from './waterfall.module.css';

interface SpanCellsProps {
  index: number;
  node: TraceNode;
  service: Service | undefined;
  window: TimeWindow;
  /** Where the critical path runs through the span. */
  segments: readonly PathSegment[] | undefined;
  isCollapsed: boolean;
  isSmall: boolean;
  onToggle(node: number, isCollapsed: boolean): void;
}

const indent = 12;

/** The cells of a row: name, duration and bar. On small screens the bar has the duration above it. */
export const SpanCells = memo(function SpanCells(props: SpanCellsProps) {
  const { node, isSmall } = props;
  const duration = formatDuration(node.span.durationNanos);
  return (
    <>
      <NameCell {...props} />
      {!isSmall && (
        <div role="gridcell" className={styles.duration}>
          {duration}
        </div>
      )}
      <div role="gridcell" className={styles.time}>
        {isSmall && <span className={styles.smallDuration}>{duration}</span>}
        <Bar {...props} />
        <Hidden>
          starts after {formatDuration(node.span.startNanos)}
          {props.segments ? ', on the critical path' : ''}
        </Hidden>
      </div>
    </>
  );
});

function NameCell({ index, node, service, isCollapsed, isSmall, onToggle }: SpanCellsProps) {
  const { span, depth, childCount, size, isError, errorsBelow, oddity, skewNanos } = node;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const toggle = (event: MouseEvent): void => {
    event.stopPropagation();
    onToggle(index, !isCollapsed);
  };
  return (
    <div
      role="gridcell"
      className={isSmall ? styles.smallName : styles.nameCell}
      style={{ paddingLeft: `min(${depth * indent + 6}px, 40%)` }}
    >
      {childCount > 0 ? (
        // The arrow keys do the same for the row.
        <span className={styles.toggle} onClick={toggle} aria-hidden>
          <Chevron size={14} />
        </span>
      ) : (
        <span className={styles.leaf} />
      )}
      <span className={styles.names}>
        <span className={styles.service}>
          <Swatch service={service} />
          {isError && <CircleAlert size={13} aria-label="Error" className={styles.error} />}
          {oddity && <Unlink size={13} aria-label={oddities[oddity]} className={styles.odd} />}
          {skewNanos > 0 && (
            <ClockAlert size={13} aria-label="Starts before its parent" className={styles.odd} />
          )}
          <span className={styles.serviceName}>{serviceName(span.serviceName)}</span>
        </span>
        <span className={styles.name}>{span.name}</span>
      </span>
      {isCollapsed && (
        <span className={styles.hiddenCount} data-error={errorsBelow > 0 || undefined}>
          +{formatCount(size - 1)}
          {errorsBelow > 0 && <Hidden>with {formatCount(errorsBelow)} errors</Hidden>}
        </span>
      )}
    </div>
  );
}

const oddities = {
  'parent-missing': 'Parent is not in the trace',
  loop: 'Names itself or a span below it as parent',
};

function Bar({ node, service, window, segments }: SpanCellsProps) {
  const { span } = node;
  const { left, width, isCutBefore, isCutAfter } = barOf(
    window,
    span.startNanos,
    span.durationNanos,
  );
  const isOutside = width === 0 && (isCutBefore || isCutAfter);
  return (
    <span className={styles.plot} aria-hidden>
      {isOutside ? (
        <span className={styles.outside} data-after={isCutAfter || undefined}>
          {isCutAfter ? '›' : '‹'}
        </span>
      ) : (
        <span
          className={styles.bar}
          data-dashed={service?.isDashed || undefined}
          data-cut-before={isCutBefore || undefined}
          data-cut-after={isCutAfter || undefined}
          style={{
            left: `${left * 100}%`,
            width: `${width * 100}%`,
            color: service?.color,
          }}
        />
      )}
      {segments && !isOutside && <PathLine segments={segments} window={window} />}
    </span>
  );
}

/** Units across the plot: finer than any screen. */
const across = 4000;

/** The critical path, as one element however often it comes back to the span. */
function PathLine({ segments, window }: { segments: readonly PathSegment[]; window: TimeWindow }) {
  const ranges = segments
    .filter(({ fromNanos, toNanos }) => toNanos > window.fromNanos && fromNanos < window.toNanos)
    .map(({ fromNanos, toNanos }): [number, number] => [
      Math.max(0, Math.floor(shareOf(window, fromNanos) * across)),
      Math.min(across, Math.ceil(shareOf(window, toNanos) * across)),
    ]);
  return (
    <svg
      className={styles.path}
      viewBox={`0 0 ${across} 1`}
      preserveAspectRatio="none"
      focusable="false"
    >
      <path
        d={joined(ranges)
          .map(([from, to]) => `M${from} 0.5H${to}`)
          .join('')}
      />
    </svg>
  );
}
