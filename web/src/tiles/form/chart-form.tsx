import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { ApiError } from '../../api/api-error.ts';
import { sourceFieldsQuery, type Source } from '../../api/queries/sources.ts';
import { Button } from '../../kit/button.tsx';
import { Toggle } from '../../kit/choices.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { granularities } from '../../view/buckets.ts';
import { splitList } from '../../view/split-list.ts';
import { groupsOf, isOverTime, type ValueConfig } from '../model/requests.ts';
import type { SeriesConfig } from '../model/series.ts';
import { ChoiceField } from './choice-field.tsx';
import { FormatForm } from './format-form.tsx';
import { SeriesForm } from './series-form.tsx';
import styles from './form.module.css';

const buckets = [
  { value: 'auto', label: 'Automatic' },
  ...granularities.map(([name]) => ({ value: name, label: name })),
] as const;

interface ChartFormProps {
  config: ValueConfig;
  source: Source;
  /** Series that the chart can have. */
  seriesMax: number;
  /** The API's answer to the chart: its messages stand at their fields. */
  error: Error | null;
  onChange(config: ValueConfig): void;
}

/** What a chart computes, of which rows, and how it shows its numbers. */
export function ChartForm({ config, source, seriesMax, error, onChange }: ChartFormProps) {
  const { data: fields = [] } = useQuery(sourceFieldsQuery(source.id));
  const { select } = config;
  const change = (changes: Partial<ValueConfig>): void =>
    onChange({ ...config, ...changes } as ValueConfig);
  const setSelect = (next: readonly SeriesConfig[]): void =>
    change({ select: [...next], ...(next.length !== 2 && { asRatio: false }) });
  const errorAt = (path: string): string | undefined =>
    error instanceof ApiError ? error.issueAt(path) : undefined;
  const isFull = select.length >= seriesMax;
  return (
    <>
      {select.map((series, index) => (
        <SeriesForm
          key={index}
          index={index}
          series={series}
          source={source}
          fields={fields}
          errorAt={(part) => errorAt(`series.${index}.${part}`)}
          onChange={(next) => setSelect(select.with(index, next))}
          onCopy={isFull ? undefined : () => setSelect([...select, series])}
          onRemove={
            select.length > 1 ? () => setSelect(select.filter((_, at) => at !== index)) : undefined
          }
        />
      ))}
      <Button
        icon={<Plus size={14} aria-hidden />}
        disabled={isFull}
        onClick={() =>
          setSelect([...select, { aggFn: 'count', ...metricOf(select[0]) } as SeriesConfig])
        }
      >
        {isFull ? `A chart has at most ${seriesMax} series` : 'Add series'}
      </Button>
      {select.length === 2 && (
        <Toggle
          label="Ratio"
          hint="The first series divided by the second."
          isOn={config.asRatio === true}
          onChange={(asRatio) => change({ asRatio })}
        />
      )}
      {config.displayType !== 'number' && (
        <ChoiceField
          label="Group by"
          value={groupsOf(config).join(', ')}
          choices={fields.map((field) => field.name)}
          placeholder="ServiceName, SeverityText"
          error={groupError(error)}
          onCommit={(text) => change({ groupBy: splitList(text) })}
        />
      )}
      {isOverTime(config) && (
        <div className={styles.field}>
          <span className={styles.label}>Bucket</span>
          <Listbox
            label="Length of a bucket"
            value={config.granularity ?? 'auto'}
            choices={buckets}
            onChange={(granularity) => change({ granularity })}
          />
        </div>
      )}
      <FormatForm
        format={config.numberFormat}
        onChange={(numberFormat) => change({ numberFormat })}
      />
    </>
  );
}

/** Another series of a metric source begins with the same metric. */
const metricOf = (first: SeriesConfig | undefined): Partial<SeriesConfig> =>
  first?.metricName === undefined
    ? {}
    : {
        aggFn: first.aggFn,
        metricName: first.metricName,
        ...(first.metricType && { metricType: first.metricType }),
      };

const groupError = (error: Error | null): string | undefined =>
  error instanceof ApiError
    ? error.issues.find(({ path }) => /^series\.\d+\.groupBy/.test(path))?.message
    : undefined;
