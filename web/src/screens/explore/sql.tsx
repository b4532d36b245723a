import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { explainQuery } from '../../api/queries/explain.ts';
import { Button } from '../../kit/button.tsx';
import { copy, Failure, Skeleton } from '../../kit/state.tsx';
import { seriesRequests } from '../../tiles/model/requests.ts';
import { formatCount, plural } from '../../view/number-format.ts';
import type { ExploreModel } from './model.ts';
import styles from './explore.module.css';

/** The SQL of the chart, and what it would read. */
export function SqlOf({ model }: { model: ExploreModel }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.sql} aria-label="SQL">
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide SQL' : 'Show SQL'}
      </Button>
      {isOpen && <Statements model={model} />}
    </section>
  );
}

function Statements({ model: { config, span } }: { model: ExploreModel }) {
  const [body] = seriesRequests(config, { span, filters: [] });
  const { data, error, refetch } = useQuery(explainQuery(body));
  if (error) {
    return (
      <Failure title="The chart cannot be explained" error={error} onRetry={() => void refetch()} />
    );
  }
  if (!data) {
    return <Skeleton lines={4} />;
  }
  return (
    <ol className={styles.statements}>
      {data.queries.map(({ sql, reads }, index) => (
        <li key={index}>
          <p className={styles.note}>
            {reads.length === 0 ? 'Reads no table.' : reads.map((read) => readText(read)).join(' ')}
          </p>
          <div className={styles.statement}>
            <pre tabIndex={0} role="group" aria-label={`Statement ${index + 1}`}>
              {sql}
            </pre>
            <Button size="small" look="plain" onClick={() => void copy(sql, 'SQL')}>
              Copy
            </Button>
          </div>
        </li>
      ))}
    </ol>
  );
}

function readText({ table, parts, rows }: { table: string; parts: number; rows: number }): string {
  return `Reads about ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} in ${plural(parts, 'part')} of ${table}.`;
}
