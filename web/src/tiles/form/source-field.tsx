import type { Source } from '../../api/queries/sources.ts';
import { Listbox } from '../../kit/listbox.tsx';
import styles from './form.module.css';

interface SourceFieldProps {
  sources: readonly Source[];
  value: string;
  onChange(source: Source): void;
}

/** The source of a chart or of rows. */
export function SourceField({ sources, value, onChange }: SourceFieldProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>Source</span>
      <Listbox
        label="Source"
        value={value}
        choices={sources.map(({ id, name, kind }) => ({ value: id, label: name, hint: kind }))}
        onChange={(id) => {
          const source = sources.find((one) => one.id === id);
          if (source) {
            onChange(source);
          }
        }}
      />
    </div>
  );
}
