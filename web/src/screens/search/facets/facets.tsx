import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { facetsQuery, type Facet } from '../../../api/queries/facets.ts';
import { BareInput } from '../../../kit/field.tsx';
import { Failure, LoadBar, Skeleton } from '../../../kit/state.tsx';
import { formatShort } from '../../../view/number-format.ts';
import { usePref } from '../../../view/use-pref.ts';
import type { ReadyModel } from '../model.ts';
import { issueOf } from '../request.ts';
import { FacetSection } from './facet-section.tsx';
import styles from './facets.module.css';

/** Fields that a request may count at a time. */
const fieldsMax = 20;

/** Values of fields with their counts, for the very condition and range of the table. */
export function Facets({ model }: { model: ReadyModel }) {
  const { condition, runId, source } = model;
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const [pinnedBySource, setPinned] = usePref('pinnedFacets');
  const [opened, setOpened] = useState<readonly string[]>([]);
  const pinned = pinnedBySource[source.id] ?? [];
  const wanted = [...new Set([...pinned, ...opened])].slice(0, fieldsMax);

  const found = useQuery(facetsQuery(condition, undefined, search, runId));
  const chosen = useQuery({
    ...facetsQuery(condition, wanted, search, runId),
    enabled: wanted.length > 0,
  });
  const { data, error } = found;
  if (error && !data) {
    return issueOf(error) === undefined ? (
      <Failure title="The facets failed" error={error} onRetry={() => void found.refetch()} />
    ) : null;
  }
  const pin = (field: string): void => {
    const next = pinned.includes(field)
      ? pinned.filter((one) => one !== field)
      : [...pinned, field];
    setPinned({ ...pinnedBySource, [source.id]: next });
  };
  const open = (field: string): void =>
    setOpened(opened.includes(field) ? opened.filter((one) => one !== field) : [...opened, field]);
  const extra = wanted.length > 0 ? (chosen.data?.facets ?? []) : [];
  const first = extra.filter(({ field }) => pinned.includes(field));
  const columns = (data?.facets ?? []).filter(
    (facet) => !pinned.includes(facet.field) && isUseful(facet),
  );
  const facets: readonly Facet[] = [...first, ...columns];
  return (
    <div className={styles.facets}>
      <LoadBar isOn={found.isFetching || chosen.isFetching} />
      <div className={styles.find}>
        <BareInput
          label="Find in keys and values"
          placeholder="Find in keys and values"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {found.isPending && <Skeleton lines={12} />}
      {data?.sampled && (
        <p className={styles.note}>
          Counted in {formatShort(data.countedRows)} of {formatShort(data.rows)} rows.
        </p>
      )}
      {facets.map((facet) => (
        <FacetSection
          key={facet.field}
          model={model}
          facet={facet}
          isPinned={pinned.includes(facet.field)}
          onPin={() => pin(facet.field)}
        />
      ))}
      <Keys
        keys={(data?.keys ?? []).filter(({ field }) => !pinned.includes(field))}
        opened={opened}
        facets={extra}
        model={model}
        onOpen={open}
        onPin={pin}
      />
    </div>
  );
}

/** One value for every row tells nothing. */
const isUseful = ({ values }: Facet): boolean => values.some(({ value }) => value !== '');

interface KeysProps {
  keys: readonly { field: string; rows: number }[];
  opened: readonly string[];
  facets: readonly Facet[];
  model: ReadyModel;
  onOpen(field: string): void;
  onPin(field: string): void;
}

/** Keys of attributes: a click counts the values of one. */
function Keys({ keys, opened, facets, model, onOpen, onPin }: KeysProps) {
  if (keys.length === 0) {
    return null;
  }
  return (
    <section className={styles.section}>
      <h3 className={styles.keysTitle}>Attributes</h3>
      {keys.map(({ field, rows }) => {
        const isOpen = opened.includes(field);
        const facet = isOpen ? facets.find((one) => one.field === field) : undefined;
        return (
          <div key={field}>
            <button
              type="button"
              className={styles.key}
              aria-expanded={isOpen}
              title={field}
              onClick={() => onOpen(field)}
            >
              <span className={styles.keyName}>{shortKey(field)}</span>
              <span className={styles.count}>{formatShort(rows)}</span>
            </button>
            {facet && (
              <FacetSection
                model={model}
                facet={facet}
                isPinned={false}
                isNested
                onPin={() => onPin(field)}
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
