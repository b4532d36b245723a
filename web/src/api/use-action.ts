import { useState } from 'react';
import { useTurn } from '../view/use-turn.ts';
import { ApiError } from './api-error.ts';

interface Action {
  isBusy: boolean;
  error: ApiError | undefined;
  /** Runs a change, unless one is under way. Its error stays until the next run. */
  run(change: () => Promise<void>): Promise<void>;
}

/** The state of a change that a form or a dialog makes. */
export function useAction(): Action {
  const { isBusy, take } = useTurn();
  const [error, setError] = useState<ApiError>();
  const run = async (change: () => Promise<void>): Promise<void> => {
    await take(async () => {
      setError(undefined);
      try {
        await change();
      } catch (failure) {
        setError(failure instanceof ApiError ? failure : new ApiError(0, undefined));
      }
    });
  };
  return { isBusy, error, run };
}
