import { Copy } from 'lucide-react';
import { Button } from '../../../kit/button.tsx';
import { copy } from '../../../kit/state.tsx';
import styles from './row.module.css';

/** The row as the API returns it. */
export function RowJson({ row }: { row: Record<string, unknown> }) {
  const { _id, ...values } = row;
  const text = JSON.stringify(values, null, 2);
  return (
    <div className={styles.json}>
      <Button
        size="small"
        icon={<Copy size={14} aria-hidden />}
        onClick={() => void copy(text, 'JSON')}
      >
        Copy
      </Button>
      <pre tabIndex={0} aria-label="Row as JSON">
        {text}
      </pre>
    </div>
  );
}
