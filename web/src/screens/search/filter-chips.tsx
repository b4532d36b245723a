import { X } from 'lucide-react';
import { Button } from '../../kit/button.tsx';
import { Tooltip } from '../../kit/tooltip.tsx';
import { filterLabel, type FieldFilter, type Filter } from '../../view/filters.ts';
import type { SearchModel } from './model.ts';
import styles from './search.module.css';

const opposite: Partial<Record<Filter['op'], FieldFilter['op']>> = {
  is: 'is_not',
  is_not: 'is',
  exists: 'not_exists',
  not_exists: 'exists',
};

/** Filters beside the query: a click turns one around, the cross removes it. */
export function FilterChips({ model }: { model: SearchModel }) {
  const { filters, setFilters } = model;
  if (filters.length === 0) {
    return null;
  }
  const turn = (filter: Filter): void => {
    const op = opposite[filter.op];
    if (op && filter.field !== undefined) {
      setFilters(filters.map((one) => (one === filter ? { ...filter, op } : one)));
    }
  };
  return (
    <ul className={styles.chips} aria-label="Filters">
      {filters.map((filter) => {
        const label = filterLabel(filter);
        const isNegative = filter.op === 'is_not' || filter.op === 'not_exists';
        return (
          <li key={label} className={styles.chip} data-negative={isNegative || undefined}>
            {opposite[filter.op] ? (
              <Tooltip text={isNegative ? 'Include instead' : 'Exclude instead'}>
                <button type="button" className={styles.chipText} onClick={() => turn(filter)}>
                  {label}
                </button>
              </Tooltip>
            ) : (
              <span className={styles.chipText}>{label}</span>
            )}
            <button
              type="button"
              className={styles.chipRemove}
              aria-label={`Remove filter: ${label}`}
              onClick={() => setFilters(filters.filter((one) => one !== filter))}
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <Button size="small" look="plain" onClick={() => setFilters([])}>
            Remove all
          </Button>
        </li>
      )}
    </ul>
  );
}
