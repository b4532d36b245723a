import { useDeferredValue, useState } from 'react';
import { BareInput } from '../../../kit/field.tsx';
import { Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import { formatShort } from '../../../view/number-format.ts';
import type { ReadyModel } from '../model.ts';
import { issueOf } from '../request.ts';
import { FacetSection } from './facet-section.tsx';
import { useFacets, type ShownFacets } from './use-facets.ts';
import styles from './facets.module.css';

/** Values of fields with their counts, for the very condition and range of the table. */
export function Facets({ model }: { model: ReadyModel }) {
  const [text, setText] = useState('');
  const shown = useFacets(model, useDeferredValue(text.trim()));
  const { data, error, pinned } = shown;
  if (error && !data) {
    return issueOf(error) === undefined ? (
      <Failure title="The facets failed" error={error} onRetry={shown.retry} />
    ) : null;
  }
  return (
    <div className={styles.facets}>
      <LoadBar isOn={shown.isFetching} />
      <div className={styles.find}>
        <BareInput
          label="Find in keys and values"
          placeholder="Find in keys and values"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {shown.isPending && <Skeleton lines={12} />}
      {data?.sampled && (
        <p className={styles.note}>
          Counted in {formatShort(data.countedRows)} of {formatShort(data.rows)} rows.
        </p>
      )}
      {shown.facets.map((facet) => (
        <FacetSection
          key={facet.field}
          model={model}
          facet={facet}
          isPinned={pinned.includes(facet.field)}
          onPin={() => shown.pin(facet.field)}
        />
      ))}
      <Keys title="Attributes" keys={shown.keys} shown={shown} model={model} />
      <Keys title="More columns" keys={shown.columns} shown={shown} model={model} />
    </div>
  );
}

interface KeysProps {
  title: string;
  keys: readonly { field: string; rows?: number }[];
  shown: ShownFacets;
  model: ReadyModel;
}

/** Fields that are not counted yet: a click counts the values of one. */
function Keys({ title, keys, shown, model }: KeysProps) {
  if (keys.length === 0) {
    return null;
  }
  return (
    <section className={styles.section}>
      <h3 className={styles.keysTitle}>{title}</h3>
      {keys.map(({ field, rows }) => {
        const isOpen = shown.opened.includes(field);
        const facet = isOpen ? shown.openedFacets.find((one) => one.field === field) : undefined;
        return (
          <div key={field}>
            <button
              type="button"
              className={styles.key}
              aria-expanded={isOpen}
              title={field}
              onClick={() => shown.open(field)}
            >
              <span className={styles.keyName}>{shortKey(field)}</span>
              {rows !== undefined && <span className={styles.count}>{formatShort(rows)}</span>}
            </button>
            {facet && (
              <FacetSection
                model={model}
                facet={facet}
                isPinned={false}
                isNested
                onPin={() => shown.pin(field)}
              />
            )}
          </div>
        );
      })}
    </section>
  );
}

/** `host.name` of `ResourceAttributes.host.name`. */
const shortKey = (field: string): string => field.slice(field.indexOf('.') + 1);
