import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchRows, type SearchRow } from '../../../api/queries/search.ts';
import { Listbox } from '../../../kit/listbox.tsx';
import { Failure, Skeleton } from '../../../kit/state.tsx';
import { severityOf } from '../../../view/severity.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatClock, zoneName } from '../../../view/zone.ts';
import { cellText, rowTimeMs, severityField } from '../columns.ts';
import type { ReadyModel } from '../model.ts';
import { classNames } from '../../../kit/class-names.ts';
import panel from '../../../kit/panel.module.css';
import styles from './row.module.css';

type Scope = 'service' | 'host' | 'all';

const rowsEach = 20;
/** Rows further away in time are no context. */
const reachMs = 3_600_000;

interface RowContextProps {
  model: ReadyModel;
  row: Record<string, unknown>;
  id: string;
}

/** Rows just before and after, of the same service, host, or all. */
export function RowContext({ model, row, id }: RowContextProps) {
  const [scope, setScope] = useState<Scope>('service');
  const { source } = model;
  const host = hostOf(model, row);
  const choices: { value: Scope; label: string }[] = [
    { value: 'service', label: 'Same service' },
    ...(host ? [{ value: 'host' as const, label: 'Same host' }] : []),
    { value: 'all', label: 'All rows' },
  ];
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['search', 'context', source.id, id, scope],
    queryFn: ({ signal }) => readContext(model, row, id, scope, signal),
    staleTime: Infinity,
  });
  return (
    <div>
      <div className={styles.contextHead}>
        <Listbox<Scope> label="Rows of" value={scope} choices={choices} onChange={setScope} />
      </div>
      {isPending && <Skeleton lines={12} height={22} />}
      {error && (
        <Failure title="The context cannot be read" error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <ol aria-label="Rows before and after, newest first">
          {data.map((one) => (
            <ContextRow key={one._id} model={model} row={one} isThis={one._id === id} />
          ))}
        </ol>
      )}
    </div>
  );
}

/** Shows the row in the middle of its tab: later rows stand above it. */
function center(line: HTMLElement | null): void {
  const scroller = line?.closest('[role="tabpanel"]');
  if (line && scroller) {
    const below = line.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += below - scroller.clientHeight / 2;
  }
}

interface ContextRowProps {
  model: ReadyModel;
  row: SearchRow;
  isThis: boolean;
}

function ContextRow({ model, row, isThis }: ContextRowProps) {
  const [zonePref] = usePref('zone');
  const { source } = model;
  const main = source.kind === 'log' ? source.bodyExpression : source.spanNameExpression;
  const severity = severityField(source);
  return (
    <li>
      <button
        type="button"
        className={classNames(panel.line, styles.context)}
        aria-current={isThis}
        ref={isThis ? center : undefined}
        onClick={() => row._id !== undefined && model.show({ row: row._id })}
      >
        <span>{formatClock(rowTimeMs(row._id ?? '0-'), zoneName(zonePref), 'ms')}</span>
        <span className={panel.severity} data-severity={severityOf(severity && row[severity])}>
          {severity === undefined ? '' : cellText(row[severity], severity, source)}
        </span>
        <span className={styles.contextText}>
          {main === undefined ? '' : cellText(row[main], main, source)}
        </span>
      </button>
    </li>
  );
}

function hostOf(
  { source }: ReadyModel,
  row: Record<string, unknown>,
): { field: string; value: string } | undefined {
  const column = source.resourceAttributesExpression;
  const attributes = column === undefined ? undefined : row[column];
  const value =
    typeof attributes === 'object' && attributes !== null && 'host.name' in attributes
      ? attributes['host.name']
      : undefined;
  return typeof value === 'string' ? { field: `${column}.host.name`, value } : undefined;
}

async function readContext(
  model: ReadyModel,
  row: Record<string, unknown>,
  id: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<SearchRow[]> {
  const { source } = model;
  const service = source.serviceNameExpression;
  const host = hostOf(model, row);
  const byScope = {
    service: service === undefined ? undefined : { field: service, value: String(row[service]) },
    host,
    all: undefined,
  };
  const test = byScope[scope];
  const main = source.kind === 'log' ? source.bodyExpression : source.spanNameExpression;
  const ms = rowTimeMs(id);
  const common = {
    sourceId: source.id,
    where: '',
    whereLanguage: 'lucene' as const,
    filters: test
      ? [{ type: 'field' as const, field: test.field, op: 'is' as const, values: [test.value] }]
      : [],
    select: [severityField(source), main].filter((name) => name !== undefined),
    limit: rowsEach + 1,
  };
  const [before, after] = await Promise.all([
    fetchRows({ ...common, startTime: ms - reachMs, endTime: ms + 1 }, signal),
    fetchRows(
      {
        ...common,
        startTime: ms,
        endTime: ms + reachMs,
        orderBy: `${source.timestampValueExpression} ASC`,
      },
      signal,
    ),
  ]);
  const rows = new Map<string, SearchRow>();
  for (const one of [...after.rows.toReversed(), ...before.rows]) {
    rows.set(String(one['_id']), one);
  }
  return [...rows.values()].sort((a, b) => (String(a._id) < String(b._id) ? 1 : -1));
}
