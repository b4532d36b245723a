import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import type { DashboardFilter } from '../../../api/queries/dashboards.ts';
import {
  isRowSource,
  sourceFieldsQuery,
  sourcesQuery,
  type Source,
} from '../../../api/queries/sources.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { ChoiceField } from '../../../tiles/form/choice-field.tsx';
import { WhereField } from '../../../tiles/form/where-field.tsx';
import { sourceIdsOf } from '../../../tiles/exchange/export.ts';
import { splitList } from '../../../view/split-list.ts';
import type { Draft, DraftDashboard } from './use-draft.ts';
import styles from './edit.module.css';

interface SettingsDialogProps {
  draft: Draft;
  onClose(): void;
}

/** What a dashboard has beside its tiles. Each change goes into the draft. */
export function SettingsDialog({ draft, onClose }: SettingsDialogProps) {
  const { dashboard, change } = draft;
  const [first = ''] = sourceIdsOf(dashboard);
  const { data: fields = [] } = useQuery({ ...sourceFieldsQuery(first), enabled: first !== '' });
  const set = (changes: Partial<DraftDashboard>): void =>
    change((before) => ({ ...before, ...changes }));
  return (
    <Dialog
      title="Name, tags and filters (variables)"
      look="wide"
      open
      onOpenChange={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.fields}>
        <TextField
          label="Name"
          value={dashboard.name}
          onCommit={(name) => name.trim() !== '' && set({ name: name.trim() })}
        />
        <TextField
          label="Tags"
          hint="Separated by commas."
          value={dashboard.tags.join(', ')}
          onCommit={(text) => set({ tags: [...new Set(splitList(text))] })}
        />
        <section aria-label="Condition of all tiles" className={styles.fields}>
          <h3>All tiles</h3>
          <WhereField
            label="Only rows with"
            value={dashboard.savedQuery}
            language={dashboard.savedQueryLanguage}
            fields={fields}
            error={undefined}
            onDone={(savedQuery, savedQueryLanguage) => set({ savedQuery, savedQueryLanguage })}
          />
        </section>
        <Filters filters={dashboard.filters} onChange={(filters) => set({ filters })} />
      </div>
    </Dialog>
  );
}

interface FiltersProps {
  filters: readonly DashboardFilter[];
  onChange(filters: DashboardFilter[]): void;
}

const filtersMax = 50;

/** The pickers that a viewer has. */
function Filters({ filters, onChange }: FiltersProps) {
  const { data: sources = [] } = useQuery(sourcesQuery);
  const source = sources.find(isRowSource) ?? sources[0];
  return (
    <section aria-label="Filters" className={styles.fields}>
      <h3>Filters</h3>
      <p className={styles.hint}>
        Filters are the variables of a dashboard. Viewers choose values, and every tile shows only
        rows with them. A tile can also repeat for each value.
      </p>
      {filters.map((filter, index) => (
        <OneFilter
          key={filter.id ?? index}
          filter={filter}
          sources={sources}
          onChange={(next) => onChange(filters.with(index, next))}
          onRemove={() => onChange(filters.filter((one) => one !== filter))}
        />
      ))}
      {source && filters.length < filtersMax && (
        <div>
          <Button
            size="small"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => onChange([...filters, newFilter(filters, source)])}
          >
            Add filter
          </Button>
        </div>
      )}
    </section>
  );
}

function newFilter(filters: readonly DashboardFilter[], source: Source): DashboardFilter {
  const service = isRowSource(source) ? source.serviceNameExpression : undefined;
  return {
    id: freeId(filters),
    name: 'Service',
    expression: service ?? 'ServiceName',
    sourceId: source.id,
  };
}

/** A short id, because it is a part of links. */
function freeId(filters: readonly DashboardFilter[]): string {
  const taken = new Set(filters.map(({ id }) => id));
  const ids = Array.from({ length: filters.length + 1 }, (_, index) => `f${index + 1}`);
  return ids.find((id) => !taken.has(id)) ?? 'f0';
}

interface OneFilterProps {
  filter: DashboardFilter;
  sources: readonly Source[];
  onChange(filter: DashboardFilter): void;
  onRemove(): void;
}

function OneFilter({ filter, sources, onChange, onRemove }: OneFilterProps) {
  const { data: fields = [] } = useQuery(sourceFieldsQuery(filter.sourceId));
  return (
    <div className={styles.filter}>
      <TextField
        label="Label"
        value={filter.name}
        onCommit={(name) => name.trim() !== '' && onChange({ ...filter, name })}
      />
      <ChoiceField
        label="Field"
        value={filter.expression}
        choices={fields.map(({ name }) => name)}
        onCommit={(text) => text.trim() !== '' && onChange({ ...filter, expression: text.trim() })}
      />
      <div className={styles.labelled}>
        <span>Source</span>
        <Listbox
          label={`Source of ${filter.name}`}
          value={filter.sourceId}
          choices={sources.map(({ id, name, kind }) => ({ value: id, label: name, hint: kind }))}
          onChange={(sourceId) => onChange({ ...filter, sourceId })}
        />
      </div>
      <IconButton label={`Remove the filter ${filter.name}`} onClick={onRemove}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
