import type { PointerEvent } from 'react';
import type { Span } from '../view/time-range.ts';
import { formatTime } from '../view/zone.ts';
import type { Plot } from './time-chart.tsx';
import styles from './state-lanes.module.css';

/** A time in which a state did not change. */
export interface StateRun extends Span {
  state: string;
  /** The state as a person reads it. */
  word: string;
}

export interface StateLane {
  /** Empty if it is the only one. */
  name: string;
  runs: readonly StateRun[];
}

interface StateLanesProps {
  label: string;
  lanes: readonly StateLane[];
  span: Span;
  zone: string;
  /** Where the plot above is. */
  plot: Plot;
  cursorMs: number | undefined;
  onCursor(ms: number | undefined): void;
}

/** States over time, below a chart of the same range. The height of a run says its state, too. */
export function StateLanes(props: StateLanesProps) {
  const { label, lanes, span, zone, plot, cursorMs, onCursor } = props;
  const place = (ms: number): number => share(ms, span) * 100;
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    onCursor(span.startMs + Math.min(Math.max(at, 0), 1) * (span.endMs - span.startMs));
  };
  return (
    <div
      role="img"
      aria-label={`${label}. ${lanes.map((lane) => laneText(lane, zone)).join(' ')}`}
      className={styles.lanes}
      style={{ paddingLeft: plot.left }}
    >
      <div
        className={styles.plot}
        style={{ width: plot.width }}
        onPointerMove={point}
        onPointerLeave={() => onCursor(undefined)}
      >
        {lanes.map(({ name, runs }, index) => (
          <div key={index}>
            {name !== '' && <span className={styles.name}>{name}</span>}
            <div className={styles.track}>
              {runs.map((run) => (
                <span
                  key={run.startMs}
                  title={runText(run, zone)}
                  className={styles.run}
                  data-state={run.state}
                  style={{
                    left: `${place(run.startMs)}%`,
                    width: `${place(run.endMs) - place(run.startMs)}%`,
                  }}
                />
              ))}
            </div>
          </div>
        ))}
        {cursorMs !== undefined && (
          <span className={styles.cursor} style={{ left: `${place(cursorMs)}%` }} />
        )}
      </div>
    </div>
  );
}

/** From 0 to 1: where a time is within the span. */
function share(ms: number, { startMs, endMs }: Span): number {
  return Math.min(Math.max((ms - startMs) / (endMs - startMs), 0), 1);
}

const runText = ({ startMs, endMs, word }: StateRun, zone: string): string =>
  `${formatTime(startMs, zone, 'minute')} – ${formatTime(endMs, zone, 'minute')}: ${word}`;

const saidRuns = 6;

/** The last states of a lane in words. */
function laneText({ name, runs }: StateLane, zone: string): string {
  const said = runs.slice(-saidRuns).map((run) => runText(run, zone));
  const text = said.length === 0 ? 'No evaluation' : said.join('; ');
  return name === '' ? `${text}.` : `${name}: ${text}.`;
}
