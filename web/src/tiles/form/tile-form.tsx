import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { DashboardFilter, Tile } from '../../api/queries/dashboards.ts';
import {
  isRowSource,
  sourceFieldsQuery,
  sourcesQuery,
  type Source,
} from '../../api/queries/sources.ts';
import { Listbox } from '../../kit/listbox.tsx';
import { TextField } from '../../kit/text-field.tsx';
import {
  isOfValues,
  type SearchConfig,
  type TileConfig,
  type ValueConfig,
} from '../model/requests.ts';
import { forSource, isComplete } from '../model/series.ts';
import { useChartError } from '../value-tiles.tsx';
import { ChartForm } from './chart-form.tsx';
import { ChoiceField } from './choice-field.tsx';
import { kindNames, ofKind, type TileKindName } from './new-tile.ts';
import { SourceField } from './source-field.tsx';
import { WhereField } from './where-field.tsx';
import styles from './form.module.css';

/** Values of one tile. */
const valuesMax = 20;

interface TileFormProps {
  tile: Tile;
  /** Filters of the dashboard. */
  filters: readonly DashboardFilter[];
  onChange(tile: Tile): void;
}

/** Everything that a tile is made of. Each change takes effect at once. */
export function TileForm({ tile, filters, onChange }: TileFormProps) {
  const { data: sources = [] } = useQuery(sourcesQuery);
  const { config } = tile;
  const set = (next: TileConfig): void => onChange({ ...tile, config: next });
  return (
    <div className={styles.form}>
      <TextField
        label="Title"
        value={tile.name}
        onCommit={(name) => onChange({ ...tile, name: name.slice(0, 1024) })}
      />
      <div className={styles.field}>
        <span className={styles.label}>Kind</span>
        <Listbox
          label="Kind"
          value={config.displayType}
          choices={(Object.keys(kindNames) as TileKindName[]).map((value) => ({
            value,
            label: kindNames[value],
          }))}
          onChange={(kind) => set(ofKind(kind, sources[0]?.id ?? '', config))}
        />
      </div>
      {isOfValues(config) && <ValuesForm config={config} sources={sources} onChange={set} />}
      {config.displayType === 'search' && (
        <RowsForm config={config} sources={sources.filter(isRowSource)} onChange={set} />
      )}
      {config.displayType !== 'markdown' && (
        <RepeatField
          filters={filters}
          value={tile.repeatBy}
          onChange={(repeatBy) => onChange(repeatedBy(tile, repeatBy))}
        />
      )}
      {config.displayType === 'markdown' && (
        <MarkdownField
          value={config.markdown}
          onChange={(markdown) => set({ ...config, markdown })}
        />
      )}
    </div>
  );
}

interface RepeatFieldProps {
  filters: readonly DashboardFilter[];
  value: string | undefined;
  onChange(filterId: string | undefined): void;
}

const nothing = '';

/** A tile for each value of a filter. */
function RepeatField({ filters, value, onChange }: RepeatFieldProps) {
  const choices = filters.flatMap(({ id, name }) =>
    id === undefined ? [] : [{ value: id, label: `Each ${name}` }],
  );
  if (choices.length === 0) {
    return null;
  }
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <div className={styles.field}>
      <span className={styles.label}>Repeat for</span>
      <Listbox
        label="Repeat for"
        value={isKnown ? value : nothing}
        choices={[{ value: nothing, label: 'Nothing: one tile' }, ...choices]}
        onChange={(id) => onChange(id === nothing ? undefined : id)}
      />
    </div>
  );
}

function repeatedBy(tile: Tile, filterId: string | undefined): Tile {
  const { repeatBy: _, ...once } = tile;
  return filterId === undefined ? once : { ...once, repeatBy: filterId };
}

interface PartProps<C> {
  config: C;
  sources: readonly Source[];
  onChange(config: C): void;
}

function ValuesForm({ config, sources, onChange }: PartProps<ValueConfig>) {
  const source = sources.find(({ id }) => id === config.sourceId);
  const isAsked = source !== undefined && isComplete(config, source.kind);
  const error = useChartError(config, isAsked);
  return (
    <>
      <SourceField
        sources={sources}
        value={config.sourceId}
        onChange={(next) => onChange(forSource(config, source, next))}
      />
      {source && (
        <ChartForm
          config={config}
          source={source}
          seriesMax={valuesMax}
          error={isAsked ? error : null}
          onChange={onChange}
        />
      )}
    </>
  );
}

function RowsForm({ config, sources, onChange }: PartProps<SearchConfig>) {
  const { data: fields = [] } = useQuery({
    ...sourceFieldsQuery(config.sourceId),
    enabled: config.sourceId !== '',
  });
  const names = fields.map(({ name }) => name);
  return (
    <>
      <SourceField
        sources={sources}
        value={config.sourceId}
        onChange={({ id }) => onChange({ ...config, sourceId: id })}
      />
      <WhereField
        label="Where"
        value={config.where ?? ''}
        language={config.whereLanguage ?? 'lucene'}
        fields={fields}
        error={undefined}
        onDone={(where, whereLanguage) => onChange({ ...config, where, whereLanguage })}
      />
      <ChoiceField
        label="Columns"
        hint="Separated by commas. Without any: those of the source."
        choices={names}
        value={config.select ?? ''}
        onCommit={(select) => onChange({ ...config, select })}
      />
      <TextField
        label="Order"
        hint="Columns with ASC or DESC. Without any: newest first."
        value={config.orderBy ?? ''}
        onCommit={(orderBy) => onChange({ ...config, orderBy })}
      />
    </>
  );
}

interface MarkdownFieldProps {
  value: string;
  onChange(value: string): void;
}

function MarkdownField({ value, onChange }: MarkdownFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        Markdown
      </label>
      <textarea
        id={id}
        rows={14}
        maxLength={65_536}
        className={styles.text}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
