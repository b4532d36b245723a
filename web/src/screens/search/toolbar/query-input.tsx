import { lazy, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { sourceFieldsQuery } from '../../../api/queries/sources.ts';
import { readPref } from '../../../view/prefs.ts';
import { Late } from '../../../kit/late.tsx';
import { Tooltip } from '../../../kit/tooltip.tsx';
import type { SearchModel } from '../model.ts';
import type { Draft } from './use-draft.ts';
import styles from './toolbar.module.css';

const WhereEditor = lazy(() => import('../../../editor/where-editor.tsx'));

interface QueryInputProps {
  model: SearchModel;
  draft: Draft;
  error: string | undefined;
}

/** The query: a plain input at once, the editor with completion once it is loaded. */
export function QueryInput({ model, draft, error }: QueryInputProps) {
  const { params, source } = model;
  const { text, setText, run } = draft;
  const isEditorWanted = useIdle();
  const { data: fields } = useQuery({
    ...sourceFieldsQuery(source?.id ?? ''),
    enabled: source !== undefined && isEditorWanted,
  });
  const language = params.lang ?? 'lucene';
  const plain = (
    <input
      aria-label="Query"
      aria-keyshortcuts="/"
      className={styles.input}
      placeholder={placeholderOf(language)}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && run()}
    />
  );
  return (
    <div className={styles.query} data-query data-invalid={error ? true : undefined}>
      {isEditorWanted ? (
        <Late plain={plain}>
          <WhereEditor
            label="Query"
            value={text}
            language={language}
            placeholder={placeholderOf(language)}
            fields={fields ?? []}
            history={readPref('queryHistory')}
            errorAt={text === (params.q ?? '') ? positionOf(error) : undefined}
            onChange={setText}
            onRun={run}
          />
        </Late>
      ) : (
        plain
      )}
      <Tooltip text={language === 'sql' ? 'Use Lucene' : 'Use SQL'}>
        <button
          type="button"
          className={styles.language}
          onClick={() => model.ask({ lang: language === 'sql' ? undefined : 'sql' })}
        >
          {language === 'sql' ? 'SQL' : 'Lucene'}
        </button>
      </Tooltip>
    </div>
  );
}

const placeholderOf = (language: string): string =>
  language === 'sql'
    ? "SeverityText = 'ERROR' AND ServiceName = 'checkout'"
    : 'Words, or field:value, such as SeverityText:error';

/** Zero-based place that a message of the API names, or undefined. */
function positionOf(error: string | undefined): number | undefined {
  const match = /\(at position (\d+)\)/.exec(error ?? '');
  return match ? Number(match[1]) - 1 : undefined;
}

/** True once the first rows had time to paint. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}
