import { TextField } from '../../kit/text-field.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import type { ValueConfig } from '../model/requests.ts';
import { outputs } from '../model/series.ts';
import styles from './form.module.css';

type Format = NonNullable<ValueConfig['numberFormat']>;

interface FormatFormProps {
  format: ValueConfig['numberFormat'];
  onChange(format: Format): void;
}

/** How numbers are written. */
export function FormatForm({ format = { output: 'number' }, onChange }: FormatFormProps) {
  return (
    <>
      <div className={styles.field}>
        <span className={styles.label}>Number format</span>
        <Listbox
          label="Number format"
          value={format.output}
          choices={outputs}
          onChange={(output) => onChange({ ...format, output })}
        />
      </div>
      <div className={styles.triple}>
        <TextField
          label="Decimals"
          inputMode="decimal"
          value={format.mantissa === undefined ? '' : String(format.mantissa)}
          placeholder="Auto"
          onCommit={(text) => {
            const { mantissa: _, ...rest } = format;
            const isNumber = /^(\d|10)$/.test(text);
            onChange({ ...rest, ...(isNumber && { mantissa: Number(text) }) });
          }}
        />
        <TextField
          label="Factor"
          inputMode="decimal"
          value={format.factor === undefined ? '' : String(format.factor)}
          placeholder="1"
          onCommit={(text) => {
            const { factor: _, ...rest } = format;
            const isNumber = text !== '' && Number.isFinite(Number(text));
            onChange({ ...rest, ...(isNumber && { factor: Number(text) }) });
          }}
        />
        <TextField
          label="Unit"
          value={format.unit ?? ''}
          placeholder="None"
          onCommit={(unit) => onChange({ ...format, unit })}
        />
      </div>
    </>
  );
}
