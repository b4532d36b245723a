import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createSavedSearch } from '../../../api/queries/saved-searches.ts';
import { isRowSource, sourceFieldsQuery, type Source } from '../../../api/queries/sources.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../kit/button.tsx';
import { ControlField, Field } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { ErrorText } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import { WhereField } from '../../../tiles/form/where-field.tsx';
import styles from '../alert-editor.module.css';

interface NewSearchProps {
  sources: readonly Source[];
  onSaved(id: string): void;
}

/** Saves a search for the alert without leaving the page. */
export function NewSearch({ sources, onSaved }: NewSearchProps) {
  const rowSources = sources.filter(isRowSource);
  const [sourceId, setSourceId] = useState(rowSources[0]?.id ?? '');
  const [name, setName] = useState('');
  const [where, setWhere] = useState('');
  const [language, setLanguage] = useState<'lucene' | 'sql'>('lucene');
  const { data: fields = [] } = useQuery({
    ...sourceFieldsQuery(sourceId),
    enabled: sourceId !== '',
  });
  const { isBusy, error, run } = useAction();
  const save = (): Promise<void> =>
    run(async () => {
      const made = await createSavedSearch({
        name: name.trim(),
        sourceId,
        where: where.trim(),
        whereLanguage: language,
        select: '',
        orderBy: '',
        tags: [],
        filters: [],
      });
      toast(`“${made.name}” is saved.`);
      onSaved(made.id);
    });
  const issueOf = (path: string): string | undefined =>
    error?.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))
      ?.message;
  const hasPlace = error?.issues.some(({ path }) => /^(name|where|sourceId)\b/.test(path));
  return (
    <div className={styles.box} role="group" aria-label="New search">
      <div className={styles.pair}>
        <Field
          label="Name of the search"
          autoComplete="off"
          maxLength={1024}
          value={name}
          error={issueOf('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <ControlField label="Source" error={issueOf('sourceId')}>
          <Listbox
            label="Source"
            value={sourceId}
            choices={rowSources.map((source) => ({ value: source.id, label: source.name }))}
            onChange={setSourceId}
          />
        </ControlField>
      </div>
      <WhereField
        label="Query"
        value={where}
        language={language}
        fields={fields}
        error={issueOf('where')}
        onDone={(text, next) => {
          setWhere(text);
          setLanguage(next);
        }}
      />
      {!hasPlace && <ErrorText error={error} />}
      <div>
        <Button disabled={isBusy || name.trim() === ''} onClick={() => void save()}>
          Save this search
        </Button>
      </div>
    </div>
  );
}
