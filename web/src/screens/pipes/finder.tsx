import type { ListedPipe } from '../../api/queries/pipes.ts';
import { BareInput } from '../../kit/field.tsx';
import { kindOf, kindWords, pipeKinds } from '../../pipes/kinds.ts';
import { StateMark } from '../../pipes/state-mark.tsx';
import { pipeStates } from '../../pipes/states.ts';
import { useKeys } from '../../view/keys.ts';
import { fits, type PipesParams } from './params.ts';
import styles from './pipes.module.css';

interface FinderProps {
  pipes: readonly ListedPipe[];
  params: PipesParams;
  onShow(changes: Partial<PipesParams>): void;
}

/** How many pipes are in which state and of which kind, and what to show of them. */
export function Finder({ pipes, params, onShow }: FinderProps) {
  const { state, kind, find = '' } = params;
  useKeys({ '/': () => document.querySelector<HTMLInputElement>('#find-pipe')?.focus() });
  const inOtherState = pipes.filter((pipe) => fits(pipe, { kind, find }));
  const states = pipeStates
    .map((one) => ({ one, count: inOtherState.filter((pipe) => pipe.state === one).length }))
    .filter(({ one, count }) => count > 0 || one === 'Failed' || one === state);
  const kinds = pipeKinds.filter(
    (one) => one === kind || pipes.some((pipe) => kindOf(pipe) === one),
  );
  return (
    <div className={styles.finder}>
      <BareInput
        id="find-pipe"
        label="Find a pipe"
        placeholder="Find by name, source or table"
        aria-keyshortcuts="/"
        value={find}
        onChange={({ target }) => onShow({ find: target.value || undefined })}
      />
      <ul className={styles.choices} aria-label="States">
        {states.map(({ one, count }) => (
          <li key={one}>
            <button
              type="button"
              className={styles.choice}
              aria-pressed={one === state}
              onClick={() => onShow({ state: one === state ? undefined : one })}
            >
              <StateMark state={one} isQuiet={count === 0} /> <b>{count}</b>
            </button>
          </li>
        ))}
      </ul>
      {(kinds.length > 1 || kind !== undefined) && (
        <ul className={styles.choices} aria-label="Kinds">
          {kinds.map((one) => (
            <li key={one}>
              <button
                type="button"
                className={styles.choice}
                aria-pressed={one === kind}
                onClick={() => onShow({ kind: one === kind ? undefined : one })}
              >
                {kindWords[one]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
