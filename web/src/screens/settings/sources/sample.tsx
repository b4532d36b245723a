import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { checkSource, type SourceCheck, type SourceInput } from '../../../api/queries/sources.ts';
import { queries } from '../../../api/query-client.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, Failure, LoadBar, Waiting } from '../../../kit/state.tsx';
import { inputOf } from './draft.ts';
import type { SourceForm } from './use-source-form.ts';
import styles from './sources.module.css';

interface Try {
  id: number;
  input: SourceInput;
}

/** The newest rows of a source before it is saved. Mistakes go to their fields. */
export function Sample({ form }: { form: SourceForm }) {
  const [tried, setTried] = useState<Try>();
  const queryKey = ['source-check', tried?.id];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => checkSource((tried as Try).input, signal),
    enabled: tried !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data, error, isFetching } = query;
  const isOfFields = error instanceof ApiError && error.issues.length > 0;
  const { refuse } = form;
  useEffect(() => {
    if (error instanceof ApiError && error.issues.length > 0) {
      refuse(error.issues);
    }
    // Once for each answer.
  }, [error]);
  const run = async (): Promise<void> => {
    if (await form.check()) {
      setTried((before) => ({ id: (before?.id ?? 0) + 1, input: inputOf(form.draft) }));
    }
  };
  const isOld = tried && JSON.stringify(tried.input) !== JSON.stringify(inputOf(form.draft));
  return (
    <section className={styles.part} aria-label="Newest rows">
      <div className={styles.sampleHead}>
        <h2>Newest rows</h2>
        <Button
          size="small"
          icon={<Play size={14} aria-hidden />}
          disabled={isFetching}
          onClick={() => void run()}
        >
          Try it
        </Button>
        {data && isOld && (
          <span className={styles.note} role="status">
            Read before your last change.
          </span>
        )}
      </div>
      <div className={styles.sample}>
        <LoadBar isOn={isFetching} />
        <Waiting
          isOn={isFetching}
          what="Reading rows"
          onCancel={() => void queries.cancelQueries({ queryKey })}
        />
        {error && !isOfFields && (
          <Failure
            title="The rows cannot be read"
            error={error}
            onRetry={() => void query.refetch()}
          />
        )}
        {!tried && (
          <p className={styles.note}>
            “Try it” checks every field and shows the five newest rows. Nothing is saved.
          </p>
        )}
        {data && <SampleRows sample={data} />}
      </div>
    </section>
  );
}

function SampleRows({ sample: { columns, rows } }: { sample: SourceCheck }) {
  if (rows.length === 0) {
    return <Empty title="No row yet">Every field fits the table, which has no row yet.</Empty>;
  }
  return (
    <div className={styles.rows} role="group" aria-label="Rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col" title={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={String(row['_id'] ?? index)}>
              {columns.map(({ name }) => (
                <td key={name}>
                  <span className={styles.cell}>{textOf(row[name])}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
