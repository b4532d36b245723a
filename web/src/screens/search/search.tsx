import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { histogramQuery, rowsQuery } from '../../api/queries/search.ts';
import { sourceFieldsQuery } from '../../api/queries/sources.ts';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { useSearchModel, type ReadyModel } from './model.ts';
import { Toolbar } from './toolbar/toolbar.tsx';
import { bucketOf } from './bucket.ts';
import { FilterChips } from './filter-chips.tsx';
import { HistogramBand } from './histogram-band.tsx';
import { Results } from './results.tsx';
import { issueOf, rowsRequest } from './request.ts';
import { severityField } from './columns.ts';
import { useSearchKeys } from './search-keys.ts';
import styles from './search.module.css';

/** Rows of logs and spans: query, filters, histogram, facets, table and the open row. */
export function Search() {
  const { model, isLoading, error, retry } = useSearchModel();
  if (isLoading) {
    return <Skeleton lines={12} />;
  }
  if (error) {
    return <Failure title="The sources cannot be listed" error={error} onRetry={retry} />;
  }
  const { source, condition } = model;
  if (!source || !condition) {
    return (
      <Empty title="There is nothing to search">
        This team has no source of logs or traces. Create one with <code>POST /api/v2/sources</code>
        .
      </Empty>
    );
  }
  return <Question model={{ ...model, source, condition }} />;
}

function Question({ model }: { model: ReadyModel }) {
  const { condition, source, runId, params } = model;
  const [isTimeOpen, setTimeOpen] = useState(false);
  const severity = severityField(source);
  const rows = useInfiniteQuery(rowsQuery(rowsRequest(model), runId));
  const histogram = useQuery(
    histogramQuery(condition, params.group ?? severity, bucketOf(model.span).name, runId),
  );
  const fields = useQuery({ ...sourceFieldsQuery(source.id), enabled: rows.isFetched });
  useSearchKeys(model, () => setTimeOpen(true));
  useEffect(() => {
    document.title = params.q ? `${params.q} · Sightline` : 'Search · Sightline';
  }, [params.q]);

  const issue = issueOf(rows.error);
  return (
    <div className={styles.search} data-row={params.row !== undefined || undefined}>
      <h1 className={styles.title}>Search</h1>
      <Toolbar model={model} queryError={issue} isTimeOpen={isTimeOpen} onTimeOpen={setTimeOpen} />
      {issue !== undefined && (
        <p className={styles.issue} role="alert">
          {issue}
        </p>
      )}
      <FilterChips model={model} />
      <HistogramBand model={model} query={histogram} />
      <Results model={model} rows={rows} fields={fields.data ?? []} />
    </div>
  );
}
