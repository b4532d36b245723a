import type { ListedPipe } from '../../api/queries/pipes.ts';
import { BareInput } from '../../kit/field.tsx';
import { FilterButtons } from '../../kit/filter-buttons.tsx';
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
      {(kinds.length > 1 || kind !== undefined) && (
        <FilterButtons
          label="Kinds"
          value={kind}
          choices={kinds.map((one) => ({ value: one, content: kindWords[one] }))}
          onChange={(next) => onShow({ kind: next })}
        />
      )}
    </div>
  );
}
