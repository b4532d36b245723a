import type { TimeData } from '../../../charts/time-data.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { formatTime, zoneLabel } from '../../../view/zone.ts';
import styles from '../services.module.css';

export interface ServiceChart {
  title: string;
  format(value: number): string;
  data: TimeData;
}

interface ChartTableProps {
  title: string;
  charts: readonly ServiceChart[];
  zone: string;
  onClose(): void;
}

/** The numbers of all charts, newest first. */
export function ChartTable({ title, charts, zone, onClose }: ChartTableProps) {
  const timesMs = charts[0]?.data.timesMs ?? [];
  const columns = charts.flatMap(({ format, data }) =>
    data.series.map(({ name, values }) => ({ name, values, format })),
  );
  return (
    <Dialog title={title} look="wide" open onOpenChange={onClose}>
      <div className={styles.numbers} role="group" aria-label="Numbers over time" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Time ({zoneLabel(zone, timesMs.at(-1))})</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className={styles.value}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {timesMs
              .map((ms, index) => (
                <tr key={ms}>
                  <th scope="row">{formatTime(ms, zone, 'second')}</th>
                  {columns.map(({ name, values, format }) => {
                    const value = values[index];
                    return (
                      <td key={name} className={styles.value}>
                        {value == null ? '–' : format(value)}
                      </td>
                    );
                  })}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
