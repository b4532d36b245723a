import { lazy, useEffect, useId, useState } from 'react';
import type { SourceField } from '../../api/queries/sources.ts';
import { Late } from '../../kit/late.tsx';
import { readPref } from '../../view/prefs.ts';
import styles from './form.module.css';

const WhereEditor = lazy(() => import('../../editor/where-editor.tsx'));

interface WhereFieldProps {
  label: string;
  value: string;
  language: 'lucene' | 'sql';
  fields: readonly SourceField[];
  error: string | undefined;
  onDone(text: string, language: 'lucene' | 'sql'): void;
}

/** A condition with its language. It counts on Enter and when the field is left. */
export function WhereField({ label, value, language, fields, error, onDone }: WhereFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const id = useId();
  const done = (): void => {
    if (text !== value) {
      onDone(text, language);
    }
  };
  const placeholder = language === 'sql' ? "ServiceName = 'cart'" : 'Words, or field:value';
  const plain = (
    <input
      aria-label={label}
      className={styles.whereInput}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
  const other = language === 'sql' ? 'lucene' : 'sql';
  return (
    <div className={styles.whereField}>
      <span className={styles.label} aria-hidden>
        Where
      </span>
      <div
        className={styles.where}
        data-invalid={error === undefined ? undefined : true}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && done()}
      >
        <Late plain={plain}>
          <WhereEditor
            label={label}
            value={text}
            language={language}
            placeholder={placeholder}
            fields={[...fields]}
            history={readPref('queryHistory')}
            errorAt={undefined}
            onChange={setText}
            onRun={done}
          />
        </Late>
        <button
          type="button"
          className={styles.language}
          aria-label={`${label} is ${nameOf(language)}. Use ${nameOf(other)}`}
          onClick={() => onDone(text, other)}
        >
          {nameOf(language)}
        </button>
      </div>
      {error !== undefined && (
        <p id={id} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

const nameOf = (language: 'lucene' | 'sql'): string => (language === 'sql' ? 'SQL' : 'Lucene');
