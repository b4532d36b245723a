import type { PipeSampleRecord } from '../../../api/queries/new-pipe.ts';
import { Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import { plural } from '../../../view/number-format.ts';
import type { Discovery } from '../model/use-discovery.ts';
import styles from '../pipe-new.module.css';

interface RecordsProps {
  /** Whose records; empty: nothing is chosen. */
  item: string;
  sample: Discovery;
  /** What to choose, such as "a topic". */
  what: string;
}

/** Up to ten records of an item, as they are. */
export function Records({ item, sample: { data, error, isFetching, retry }, what }: RecordsProps) {
  if (item === '') {
    return <p className={styles.quiet}>Choose {what} to see its records.</p>;
  }
  if (error) {
    return <Failure title="The records cannot be read" error={error} onRetry={retry} />;
  }
  if (!data) {
    return <Skeleton lines={6} height={44} />;
  }
  const { records = [] } = data;
  return (
    <div className={styles.records}>
      <LoadBar isOn={isFetching} />
      <h3>
        {records.length === 0 ? 'No record' : plural(records.length, 'record')} of {item}
      </h3>
      {records.length === 0 && (
        <p className={styles.quiet}>
          There is nothing to show yet. You can name the columns yourself in the next step.
        </p>
      )}
      <ol className={styles.recordList}>
        {records.map((record) => (
          <Sample key={record.position} record={record} />
        ))}
      </ol>
    </div>
  );
}

function Sample({ record: { position, data, isCut, problem } }: { record: PipeSampleRecord }) {
  return (
    <li className={styles.record}>
      <span className={styles.quiet}>{position}</span>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <pre className={styles.code}>
        {indented(data)}
        {isCut && '…'}
      </pre>
    </li>
  );
}

/** A JSON text in lines; any other text as it is. Large numbers keep their digits. */
function indented(text: string): string {
  return text.length > 120
    ? text.replaceAll(/^\{|,(?="[^"\\]{1,80}":)/g, (part) => `${part}\n  `)
    : text;
}
