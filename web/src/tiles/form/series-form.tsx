import { TextField } from '../../kit/text-field.tsx';
import { Copy, Trash2 } from 'lucide-react';
import type { Source, SourceField } from '../../api/queries/sources.ts';
import { IconButton } from '../../kit/button.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { aggregates, withoutEmptyTexts, type SeriesConfig } from '../model/series.ts';
import { MetricField } from './metric-field.tsx';
import { WhereField } from './where-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import styles from './form.module.css';

interface SeriesFormProps {
  index: number;
  series: SeriesConfig;
  source: Source;
  fields: readonly SourceField[];
  /** The API's message for a part of the series. */
  errorAt(part: string): string | undefined;
  onChange(series: SeriesConfig): void;
  onCopy: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

/** One series: what it computes, of which rows, and its name. */
export function SeriesForm(props: SeriesFormProps) {
  const { index, series, source, fields, errorAt, onChange, onCopy, onRemove } = props;
  const name = `Series ${index + 1}`;
  const change = (changes: Partial<SeriesConfig>): void =>
    onChange(withoutEmptyTexts({ ...series, ...changes }));
  const isMetric = source.kind === 'metric';
  const needsField = series.aggFn !== 'count' && series.valueExpression === undefined;
  return (
    <fieldset className={styles.series}>
      <legend className={styles.seriesName}>{name}</legend>
      <div className={styles.seriesButtons}>
        {onCopy && (
          <IconButton label={`Duplicate ${name}`} size="small" onClick={onCopy}>
            <Copy size={14} aria-hidden />
          </IconButton>
        )}
        {onRemove && (
          <IconButton label={`Remove ${name}`} size="small" onClick={onRemove}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {isMetric && (
        <MetricField
          sourceId={source.id}
          series={series}
          error={errorAt('metricName') ?? errorAt('metricDataType')}
          onChange={change}
        />
      )}
      <div className={styles.pair}>
        <div className={styles.field}>
          <span className={styles.label}>Function</span>
          <Listbox
            label={`Function of ${name}`}
            value={series.aggFn}
            choices={aggregates}
            onChange={(aggFn) => change({ aggFn })}
          />
          {errorAt('aggFn') !== undefined && (
            <p className={styles.error} role="alert">
              {errorAt('aggFn')}
            </p>
          )}
        </div>
        {series.aggFn === 'quantile' && (
          <TextField
            label="Level"
            inputMode="decimal"
            value={String(series.level ?? 0.5)}
            hint="From 0 to 1"
            onCommit={(text) => {
              const level = Number(text);
              change({ level: level >= 0 && level <= 1 ? level : 0.5 });
            }}
          />
        )}
      </div>
      {!isMetric && (
        <ChoiceField
          label="Field"
          value={series.valueExpression ?? ''}
          choices={fields.map((field) => field.name)}
          placeholder={series.aggFn === 'count' ? 'All rows' : 'Duration'}
          error={errorAt('field') ?? (needsField ? 'Name the field to compute with.' : undefined)}
          onCommit={(text) => change({ valueExpression: text })}
        />
      )}
      <WhereField
        label={`Where of ${name}`}
        value={series.where ?? ''}
        language={series.whereLanguage ?? 'lucene'}
        fields={fields}
        error={errorAt('where')}
        onDone={(where, whereLanguage) => change({ where, whereLanguage })}
      />
      <TextField
        label="Name"
        value={series.alias ?? ''}
        placeholder="Made from the function and the field"
        onCommit={(alias) => change({ alias })}
      />
    </fieldset>
  );
}
