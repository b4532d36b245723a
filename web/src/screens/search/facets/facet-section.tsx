import { ListX, Pin, PinOff } from 'lucide-react';
import { useState, type FormEvent, type MouseEvent } from 'react';
import type { Facet } from '../../../api/queries/facets.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { BareInput } from '../../../kit/field.tsx';
import { withoutValue, withValue } from '../../../view/filters.ts';
import { formatShort } from '../../../view/number-format.ts';
import type { ReadyModel } from '../model.ts';
import styles from './facets.module.css';

interface FacetSectionProps {
  model: ReadyModel;
  facet: Facet;
  isPinned: boolean;
  /** Within a key, which has the name already. */
  isNested?: boolean;
  onPin(): void;
}

/** The most frequent values of a field. A click shows only one, Alt and a click exclude it. */
export function FacetSection({ model, facet, isPinned, isNested, onPin }: FacetSectionProps) {
  const { field, values, type, approximate } = facet;
  const top = Math.max(1, ...values.map(({ rows }) => rows));
  return (
    <section className={isNested ? styles.nested : styles.section} aria-label={field}>
      <div className={styles.head}>
        {!isNested && (
          <h3 className={styles.name} title={field}>
            {field}
          </h3>
        )}
        <IconButton
          label={isPinned ? `Unpin ${field}` : `Pin ${field}`}
          size="small"
          className={styles.pin}
          aria-pressed={isPinned}
          onClick={onPin}
        >
          {isPinned ? <PinOff size={12} aria-hidden /> : <Pin size={12} aria-hidden />}
        </IconButton>
      </div>
      <ul>
        {values.map(({ value, rows }) => (
          <FacetValue
            key={value}
            model={model}
            field={field}
            value={value}
            rows={rows}
            share={rows / top}
            isApproximate={approximate}
          />
        ))}
      </ul>
      {values.length === 0 && <p className={styles.note}>No value matches.</p>}
      {type === 'number' && <RangeForm model={model} facet={facet} />}
    </section>
  );
}

interface FacetValueProps {
  model: ReadyModel;
  field: string;
  value: string;
  rows: number;
  share: number;
  isApproximate: boolean;
}

function FacetValue({ model, field, value, rows, share, isApproximate }: FacetValueProps) {
  const { filters, setFilters } = model;
  const isChosen = filters.some(
    (filter) => filter.field === field && filter.op === 'is' && filter.values?.includes(value),
  );
  const exclude = (): void => setFilters(withValue(filters, 'is_not', field, value));
  const onClick = (event: MouseEvent): void => {
    if (event.altKey) {
      exclude();
    } else if (isChosen) {
      setFilters(withoutValue(filters, field, value));
    } else {
      setFilters(withValue(filters, 'is', field, value));
    }
  };
  const label = value === '' ? '(empty)' : value;
  return (
    <li className={styles.value}>
      <button
        type="button"
        className={styles.choose}
        aria-pressed={isChosen}
        title={label}
        onClick={onClick}
      >
        <span className={styles.bar} style={{ width: `${share * 100}%` }} />
        <span className={styles.text}>{label}</span>
        <span className={styles.count}>
          {isApproximate ? '≤ ' : ''}
          {formatShort(rows)}
        </span>
      </button>
      <IconButton
        label={`Exclude ${field} = ${label}`}
        size="small"
        className={styles.exclude}
        onClick={exclude}
      >
        <ListX size={14} aria-hidden />
      </IconButton>
    </li>
  );
}

function RangeForm({ model, facet }: { model: ReadyModel; facet: Facet }) {
  const { filters, setFilters } = model;
  const { field } = facet;
  const [min, setMin] = useState('');
  const [max, setMax] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const others = filters.filter((one) => one.field !== field || one.op !== 'between');
    setFilters([
      ...others,
      { field, op: 'between', ...(min !== '' && { min }), ...(max !== '' && { max }) },
    ]);
  };
  return (
    <form className={styles.range} onSubmit={submit}>
      <BareInput
        label={`Least ${field}`}
        inputMode="decimal"
        placeholder={facet.min ?? 'min'}
        value={min}
        onChange={(event) => setMin(event.target.value)}
      />
      <span aria-hidden>–</span>
      <BareInput
        label={`Greatest ${field}`}
        inputMode="decimal"
        placeholder={facet.max ?? 'max'}
        value={max}
        onChange={(event) => setMax(event.target.value)}
      />
      <Button size="small" type="submit" disabled={min === '' && max === ''}>
        Set
      </Button>
    </form>
  );
}
