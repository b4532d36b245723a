import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState, type ChangeEvent } from 'react';
import { createDashboard, validateDashboard } from '../../api/queries/dashboards.ts';
import { metricsQuery } from '../../api/queries/metrics.ts';
import { sourceFieldsQuery, sourcesQuery, type Source } from '../../api/queries/sources.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { withSources } from '../../tiles/exchange/export.ts';
import type { KnownData } from '../../tiles/exchange/grafana/names.ts';
import { logsSource, metricsSource } from '../../tiles/exchange/grafana/panels.ts';
import type { ReadDashboard, WantedSource } from '../../tiles/exchange/read-dashboard.ts';
import { matchedSources, readDashboardFile } from '../../tiles/exchange/read-file.ts';
import { plural } from '../../view/number-format.ts';
import styles from './dashboards.module.css';

/** Makes a dashboard of a file. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data: sources = [] } = useQuery(sourcesQuery);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const { isBusy, error, run } = useAction();
  const named = readSafely(text, {});
  const byId = { ...matchedSources(named.dashboard?.wanted ?? [], sources), ...chosen };
  const { known, isReading } = useKnownData(byId);
  const read = useMemo(() => readSafely(text, known), [text, known]);
  const found = read.dashboard;
  const missing = found?.wanted.filter(({ id }) => byId[id] === undefined) ?? [];
  const make = async (): Promise<void> => {
    if (!found) {
      return;
    }
    const input = withSources(found.input, byId);
    await validateDashboard(input);
    const { id } = await createDashboard(input);
    await navigate({ to: '/dashboards/$id', params: { id }, search: { ...found.view } });
  };
  return (
    <Dialog
      title="Import a dashboard"
      look="wide"
      open
      onOpenChange={onClose}
      onSubmit={() => void run(make)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            disabled={isBusy || isReading || found === undefined || missing.length > 0}
          >
            Import dashboard
          </Button>
        </>
      }
    >
      <FileText text={text} onText={setText} error={read.error} />
      {found && <Preview dashboard={found} />}
      {found && found.wanted.length > 0 && (
        <SourceMap
          wanted={found.wanted}
          sources={sources}
          byId={byId}
          onChoose={(id, own) => setChosen({ ...chosen, [id]: own })}
        />
      )}
      <ErrorText error={error} />
    </Dialog>
  );
}

interface Read {
  dashboard?: ReadDashboard;
  error?: string;
}

function readSafely(text: string, known: KnownData): Read {
  if (text.trim() === '') {
    return {};
  }
  try {
    return { dashboard: readDashboardFile(text, known) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** What the chosen sources have for the names in a file of Grafana. */
function useKnownData(byId: Readonly<Record<string, string>>): {
  known: KnownData;
  /** Without them, the file would be read otherwise. */
  isReading: boolean;
} {
  const [metricsId = '', logsId = ''] = [byId[metricsSource.id], byId[logsSource.id]];
  const metrics = useQuery({
    ...metricsQuery({ sourceId: metricsId, find: '' }),
    enabled: metricsId !== '',
  });
  const metricFields = useQuery({ ...sourceFieldsQuery(metricsId), enabled: metricsId !== '' });
  const logFields = useQuery({ ...sourceFieldsQuery(logsId), enabled: logsId !== '' });
  const isWhole = metrics.data && metrics.data.metrics.length === metrics.data.total;
  const known = useMemo(
    () => ({
      metrics: isWhole ? metrics.data.metrics : undefined,
      metricFields: metricFields.data?.map(({ name }) => name),
      logFields: logFields.data?.map(({ name }) => name),
    }),
    [isWhole, metrics.data, metricFields.data, logFields.data],
  );
  const isReading = [metrics, metricFields, logFields].some(({ isLoading }) => isLoading);
  return { known, isReading };
}

interface FileTextProps {
  text: string;
  error: string | undefined;
  onText(text: string): void;
}

function FileText({ text, error, onText }: FileTextProps) {
  const id = useId();
  const readFile = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0];
    if (file) {
      onText(await file.text());
    }
  };
  return (
    <div className={styles.field}>
      <label htmlFor={`${id}-file`}>File</label>
      <input
        id={`${id}-file`}
        type="file"
        accept="application/json,.json"
        onChange={(event) => void readFile(event)}
      />
      <label htmlFor={id}>or its text</label>
      <textarea
        id={id}
        rows={6}
        spellCheck={false}
        className={styles.text}
        value={text}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onText(event.target.value)}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Preview({ dashboard: { input, losses } }: { dashboard: ReadDashboard }) {
  const count = plural(input.tiles?.length ?? 0, 'tile');
  return (
    <section aria-label="What it becomes" className={styles.field}>
      <p>
        <b>{input.name}</b>, {count}
        {losses.length === 0 ? '.' : `. ${plural(losses.length, 'part')} cannot be carried over:`}
      </p>
      {losses.length > 0 && (
        <ul className={styles.losses}>
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface SourceMapProps {
  wanted: readonly WantedSource[];
  sources: readonly Source[];
  byId: Readonly<Record<string, string>>;
  onChoose(id: string, own: string): void;
}

/** Which source of this team stands for each one of the file. */
function SourceMap({ wanted, sources, byId, onChoose }: SourceMapProps) {
  return (
    <section aria-label="Sources" className={styles.field}>
      <h3>Sources</h3>
      {wanted.map(({ id, name, kind }) => {
        const label = name ?? id;
        const fitting = sources.filter((source) => kind === undefined || source.kind === kind);
        return (
          <div key={id} className={styles.sourceRow}>
            <span>{label}</span>
            <Listbox
              label={`Source for ${label}`}
              value={byId[id]}
              choices={fitting.map((source) => ({
                value: source.id,
                label: source.name,
                hint: source.kind,
              }))}
              onChange={(own) => onChoose(id, own)}
            />
          </div>
        );
      })}
    </section>
  );
}
