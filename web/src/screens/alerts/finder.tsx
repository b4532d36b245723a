import type { Alert } from '../../api/queries/alerts.ts';
import { StateMark } from '../../alerting/state-mark.tsx';
import { isInState, stateFilters } from '../../alerting/states.ts';
import { BareInput } from '../../kit/field.tsx';
import { FilterButtons } from '../../kit/filter-buttons.tsx';
import { useKeys } from '../../view/keys.ts';
import type { AlertsParams } from './params.ts';
import styles from './alerts.module.css';

interface FinderProps {
  all: readonly Alert[];
  /** Alerts that have the tag and the words. */
  fitting: readonly Alert[];
  params: AlertsParams;
  onShow(changes: Partial<AlertsParams>): void;
}

/** How many alerts are in which state, and what to show of them. */
export function Finder({ all, fitting, params, onShow }: FinderProps) {
  const { state, tag, find = '' } = params;
  useKeys({ '/': () => document.querySelector<HTMLInputElement>('#find-alert')?.focus() });
  const tags = [...new Set(all.flatMap((alert) => alert.tags ?? []))].toSorted();
  const states = stateFilters
    .map((one) => ({ one, count: fitting.filter((alert) => isInState(alert, one)).length }))
    .filter(({ one, count }) => count > 0 || one === 'firing' || one === state);
  return (
    <div className={styles.finder}>
      <BareInput
        id="find-alert"
        label="Find an alert"
        placeholder="Find by name, tag or what it watches"
        aria-keyshortcuts="/"
        value={find}
        onChange={(event) => onShow({ find: event.target.value || undefined })}
      />
      <FilterButtons
        label="States"
        value={state}
        choices={states.map(({ one, count }) => ({
          value: one,
          content: (
            <>
              <StateMark state={one} isQuiet={count === 0} /> <b>{count}</b>
            </>
          ),
        }))}
        onChange={(next) => onShow({ state: next })}
      />
      {tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {tags.map((name) => (
            <li key={name}>
              <button
                type="button"
                className={styles.tag}
                aria-pressed={name === tag}
                onClick={() => onShow({ tag: name === tag ? undefined : name })}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
