import { useQuery } from '@tanstack/react-query';
import { metricsQuery } from '../../api/queries/metrics.ts';
import { queries } from '../../api/query-client.ts';
import { Listbox } from '../../kit/listbox.tsx';
import { metricTypes, type SeriesConfig } from '../model/series.ts';
import { ChoiceField } from './choice-field.tsx';
import styles from './form.module.css';

interface MetricFieldProps {
  sourceId: string;
  series: SeriesConfig;
  error: string | undefined;
  onChange(changes: Partial<SeriesConfig>): void;
}

/** The metric of a series. One from the list brings its type with it. */
export function MetricField({ sourceId, series, error, onChange }: MetricFieldProps) {
  const query = metricsQuery({ sourceId, find: '' });
  const { data } = useQuery(query);
  const metrics = data?.metrics ?? [];
  const choose = async (metricName: string): Promise<void> => {
    // The type is part of the choice, so it waits for the list.
    const list = await queries.ensureQueryData(query).catch(() => ({ metrics: [] }));
    const known = list.metrics.filter(({ name }) => name === metricName);
    const type = known.find((one) => one.type === series.metricType) ?? known[0];
    onChange({ metricName, ...(type && { metricType: type.type }) });
  };
  return (
    <div className={styles.pair}>
      <ChoiceField
        label="Metric"
        value={series.metricName ?? ''}
        choices={[...new Set(metrics.map(({ name }) => name))]}
        placeholder="system.memory.usage"
        error={error}
        onCommit={(name) => void choose(name)}
      />
      <div className={styles.field}>
        <span className={styles.label}>Type</span>
        <Listbox
          label="Type of the metric"
          value={series.metricType ?? 'gauge'}
          choices={metricTypes}
          onChange={(metricType) => onChange({ metricType })}
        />
      </div>
    </div>
  );
}
