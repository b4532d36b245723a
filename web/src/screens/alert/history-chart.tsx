import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { alertHistoryQuery, type Alert, type AlertEvaluation } from '../../api/queries/alerts.ts';
import { StateMark } from '../../alerting/state-mark.tsx';
import { breachBands, thresholdLines } from '../../alerting/thresholds.ts';
import { groupText } from '../../alerting/words.ts';
import { Legend } from '../../charts/legend.tsx';
import { StateLanes } from '../../charts/state-lanes.tsx';
import { TimeChart, type Plot } from '../../charts/time-chart.tsx';
import { Button } from '../../kit/button.tsx';
import { Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { formatCount, plural } from '../../view/number-format.ts';
import { ColorBook } from '../../view/series-colors.ts';
import { fromSpan } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { zoneName } from '../../view/zone.ts';
import {
  groupsMax,
  groupsOfHistory,
  lanesOf,
  timeDataOf,
  type ShownGroup,
} from './history-data.ts';
import type { AlertModel } from './model.ts';
import type { Subject } from './subject.ts';
import styles from './alert.module.css';

interface HistoryChartProps {
  alert: Alert;
  model: AlertModel;
  subject: Subject;
}

/** Values over time with the threshold, and the states below them. */
export function HistoryChart({ alert, model, subject }: HistoryChartProps) {
  const { span } = model;
  const { data, error, isFetching, refetch } = useQuery(
    alertHistoryQuery({ id: alert.id, ...span }),
  );
  return (
    <section className={styles.chartSection} aria-label="History">
      <LoadBar isOn={isFetching && data !== undefined} />
      {error && !data && (
        <Failure title="The history cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={4} height={56} />}
      {data && (
        <Charts {...{ alert, model, subject }} evaluations={data.evaluations} isCut={data.isCut} />
      )}
    </section>
  );
}

interface ChartsProps extends HistoryChartProps {
  evaluations: readonly AlertEvaluation[];
  isCut: boolean;
}

function Charts({ alert, model, subject, evaluations, isCut }: ChartsProps) {
  const { params, span, intervalMs, show } = model;
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const [plot, setPlot] = useState<Plot>({ left: 0, width: 0 });
  const [cursorMs, setCursorMs] = useState<number>();
  const book = useMemo(() => new ColorBook(), []);
  const all = useMemo(() => groupsOfHistory(evaluations), [evaluations]);
  const groups = useMemo(() => shownGroups(all, params.group), [all, params.group]);
  const data = useMemo(
    () => timeDataOf({ evaluations, groups, span }, intervalMs, book),
    [evaluations, groups, span, intervalMs, book],
  );
  const lanes = useMemo(() => lanesOf({ evaluations, groups, span }), [evaluations, groups, span]);
  const lines = useMemo(() => thresholdLines(alert), [alert]);
  const bands = useMemo(() => breachBands(alert), [alert]);
  const onPlot = useCallback(
    (next: Plot) =>
      setPlot((now) => (now.left === next.left && now.width === next.width ? now : next)),
    [],
  );
  const explain = (index: number): void => {
    const startMs = data.timesMs[index] ?? 0;
    const picked = evaluations.find(
      ({ windowStart }) => Math.abs(Date.parse(windowStart) - startMs) < intervalMs,
    );
    if (picked) {
      model.openWindow(Date.parse(picked.windowEnd));
    }
  };
  return (
    <>
      <div className={styles.chart}>
        <TimeChart
          label="Value"
          kind="line"
          data={data}
          span={span}
          zone={zone}
          format={subject.format}
          thresholds={lines}
          marked={bands}
          cursorMs={cursorMs}
          onCursor={setCursorMs}
          onPlot={onPlot}
          onZoom={(zoomed) => model.setRange(fromSpan(zoomed))}
          onZoomOut={model.zoomOut}
          onPick={explain}
        />
        {evaluations.length === 0 && (
          <p className={styles.noHistory}>No evaluation in this range.</p>
        )}
      </div>
      <StateLanes
        label="State"
        lanes={lanes}
        span={span}
        zone={zone}
        plot={plot}
        cursorMs={cursorMs}
        onCursor={setCursorMs}
      />
      <div className={styles.legend}>
        {groups.length > 0 && <Legend series={data.series} />}
        <span className={styles.states} aria-hidden>
          <StateMark state="firing" />
          <StateMark state="pending" />
          <StateMark state="inactive" />
        </span>
      </div>
      <GroupNote all={all} groups={groups} onAll={() => show({ group: undefined })} />
      {isCut && (
        <p className={styles.quiet}>
          The newest {formatCount(evaluations.length)} windows of the range. Choose a shorter one to
          see older windows.
        </p>
      )}
    </>
  );
}

/** The group of the URL alone, or those that fired most. */
function shownGroups(
  all: readonly ShownGroup[],
  chosen: readonly string[] | undefined,
): readonly ShownGroup[] {
  const key = JSON.stringify(chosen ?? []);
  const only = all.filter((group) => group.key === key);
  if (all.length > 0 && chosen) {
    return only.length > 0 ? only : [{ key, group: chosen }];
  }
  return all.slice(0, groupsMax);
}

interface GroupNoteProps {
  all: readonly ShownGroup[];
  groups: readonly ShownGroup[];
  onAll(): void;
}

/** Which groups are shown of how many. */
function GroupNote({ all, groups, onAll }: GroupNoteProps) {
  const [only] = groups;
  if (all.length <= 1 || groups.length === all.length || !only) {
    return null;
  }
  if (groups.length > 1) {
    return (
      <p className={styles.quiet}>
        The {groups.length} groups that fired most, of {formatCount(all.length)}.
      </p>
    );
  }
  return (
    <p className={styles.groupNote}>
      Only {groupText(only.group)} of {plural(all.length, 'group')}.
      <Button size="small" onClick={onAll}>
        Show all groups
      </Button>
    </p>
  );
}
