import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SearchRow } from '../../../api/queries/search.ts';
import { isRowSource, sourcesQuery } from '../../../api/queries/sources.ts';
import {
  traceLogsMax,
  traceLogsQuery,
  type Trace,
  type TraceSpan,
} from '../../../api/queries/trace.ts';
import { Listbox } from '../../../kit/listbox.tsx';
import { Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import type { FieldFilter } from '../../../view/filters.ts';
import { formatCount, formatDuration } from '../../../view/number-format.ts';
import { severityOf } from '../../../view/severity.ts';
import { logFilters, logsRequest, searchParams, type LogSource } from '../model/search-links.ts';
import { rowNanos } from '../model/span-row.ts';
import { classNames } from '../../../kit/class-names.ts';
import panel from '../../../kit/panel.module.css';
import styles from './panel.module.css';

interface SpanLogsProps {
  trace: Trace;
  span: TraceSpan;
}

type Scope = 'span' | 'trace';

/** Logs that name the span, or the trace, earliest first. */
export function SpanLogs({ trace, span }: SpanLogsProps) {
  const [scope, setScope] = useState<Scope>('span');
  const [chosen, setChosen] = useState<string>();
  const { data: sources, isPending, error, refetch } = useQuery(sourcesQuery);
  if (isPending) {
    return <Skeleton lines={8} />;
  }
  if (error) {
    return (
      <Failure title="The sources cannot be listed" error={error} onRetry={() => void refetch()} />
    );
  }
  const spanId = scope === 'span' ? span.spanId : undefined;
  const candidates = sources
    .filter(isRowSource)
    .filter((one): one is LogSource => one.kind === 'log' && one.traceIdExpression !== undefined);
  const source = candidates.find(({ id }) => id === chosen) ?? candidates[0];
  if (!source) {
    return (
      <p className={panel.nothing}>
        No log source of this team has a trace id. Set <code>traceIdExpression</code> of the source.
      </p>
    );
  }
  const filters = logFilters(source, trace.traceId, spanId);
  return (
    <div className={styles.logs}>
      <div className={styles.logsHead}>
        <Listbox<Scope>
          label="Logs of"
          value={scope}
          choices={[
            { value: 'span', label: 'This span' },
            { value: 'trace', label: 'The whole trace' },
          ]}
          onChange={setScope}
        />
        {candidates.length > 1 && (
          <Listbox
            label="Source"
            value={source.id}
            choices={candidates.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        )}
        {filters && (
          <Link to="/search" search={searchParams(source, trace, filters)}>
            Open in search
          </Link>
        )}
      </div>
      {filters ? (
        <LogList trace={trace} source={source} filters={filters} scope={scope} />
      ) : (
        <p className={panel.nothing}>
          {source.name} has no span id. Set its <code>spanIdExpression</code>, or look at the logs
          of the whole trace.
        </p>
      )}
    </div>
  );
}

interface LogListProps {
  trace: Trace;
  source: LogSource;
  filters: FieldFilter[];
  scope: Scope;
}

function LogList({ trace, source, filters, scope }: LogListProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(
    traceLogsQuery(logsRequest(source, trace, filters)),
  );
  if (isPending) {
    return <Skeleton lines={8} />;
  }
  if (error) {
    return <Failure title="The logs cannot be read" error={error} onRetry={() => void refetch()} />;
  }
  const rows: readonly SearchRow[] = data.rows;
  if (rows.length === 0) {
    return (
      <p className={panel.nothing}>
        {scope === 'span'
          ? `No log of ${source.name} names this span. Look at the logs of the whole trace.`
          : `No log of ${source.name} names this trace.`}
      </p>
    );
  }
  return (
    <>
      <LoadBar isOn={isFetching} />
      <ol aria-label="Logs, earliest first">
        {rows.map((row) => (
          <LogRow key={row._id} trace={trace} source={source} filters={filters} row={row} />
        ))}
      </ol>
      {data.cursor !== undefined && (
        <p className={panel.nothing}>
          Only the first {formatCount(traceLogsMax)} logs are shown. Open them in search to see all.
        </p>
      )}
    </>
  );
}

function LogRow({ trace, source, filters, row }: Omit<LogListProps, 'scope'> & { row: SearchRow }) {
  const text = (column: string | undefined): string =>
    column === undefined ? '' : String(row[column] ?? '');
  const severity = text(source.severityTextExpression);
  return (
    <li>
      <Link
        to="/search"
        search={searchParams(source, trace, filters, row._id)}
        className={classNames(panel.line, styles.log)}
      >
        <span>{signed(rowNanos(row._id ?? '', trace.startNanos))}</span>
        <span className={panel.severity} data-severity={severityOf(severity)}>
          {severity}
        </span>
        <span className={styles.logText}>{text(source.bodyExpression)}</span>
      </Link>
    </li>
  );
}

const signed = (nanos: number): string =>
  nanos < 0 ? `−${formatDuration(-nanos)}` : `+${formatDuration(nanos)}`;
