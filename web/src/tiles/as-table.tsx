import { Dialog } from '../kit/dialog.tsx';
import { formatValue } from '../view/value-format.ts';
import { formatTime, zoneLabel } from '../view/zone.ts';
import type { TimeData } from '../charts/time-data.ts';
import { GroupGrid } from './group-grid.tsx';
import { groupsTable, valueNames } from './model/merge.ts';
import { groupsOf, isOverTime, type ValueConfig } from './model/requests.ts';
import { useScene } from './scene.ts';
import { TileState } from './tile-state.tsx';
import { useSeries, useTimeData, useTotals } from './value-tiles.tsx';
import styles from './tiles.module.css';

interface AsTableProps {
  name: string;
  config: ValueConfig;
  onClose(): void;
}

const inView = { isNear: true, isVisible: () => true };

/** The numbers of a chart. */
export function AsTable({ name, config, onClose }: AsTableProps) {
  return (
    <Dialog title={name} look="wide" open onOpenChange={onClose}>
      <div className={styles.asTable}>
        {isOverTime(config) ? (
          <TimeTable name={name} config={config} />
        ) : (
          <TotalsTable name={name} config={config} />
        )}
      </div>
    </Dialog>
  );
}

type TableProps = Omit<AsTableProps, 'onClose'>;

function TotalsTable({ name, config }: TableProps) {
  const query = useTotals(config, inView);
  const { answer } = query;
  const rows = answer ? groupsTable(answer.config, answer.results).rows : [];
  return (
    <TileState query={query} isEmpty={rows.length === 0}>
      <GroupGrid
        label={name}
        groupLabels={groupsOf(config)}
        valueLabels={valueNames(config)}
        rows={rows}
        format={(value) => formatValue(value, config.numberFormat)}
      />
    </TileState>
  );
}

function TimeTable({ name, config }: TableProps) {
  const { zone, span } = useScene();
  const query = useSeries(config, inView);
  const data = useTimeData(query.answer);
  return (
    <TileState query={query} isEmpty={data.series.length === 0}>
      <div className={styles.tableScroll} role="group" aria-label={name} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">
                <span className={styles.heading}>Time ({zoneLabel(zone, span.endMs)})</span>
              </th>
              {data.series.map((series) => (
                <th key={series.name} scope="col" className={styles.value}>
                  <span className={styles.heading}>{series.name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <TimeRows data={data} zone={zone} config={config} />
          </tbody>
        </table>
      </div>
    </TileState>
  );
}

interface TimeRowsProps {
  data: TimeData;
  zone: string;
  config: ValueConfig;
}

/** Newest first. */
function TimeRows({ data: { timesMs, series }, zone, config }: TimeRowsProps) {
  return timesMs
    .map((ms, index) => (
      <tr key={ms}>
        <th scope="row">{formatTime(ms, zone, 'second')}</th>
        {series.map(({ name, values }) => {
          const value = values[index];
          return (
            <td key={name} className={styles.value}>
              {value == null ? '–' : formatValue(value, config.numberFormat)}
            </td>
          );
        })}
      </tr>
    ))
    .toReversed();
}
