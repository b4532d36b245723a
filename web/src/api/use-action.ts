import { useState } from 'react';
import { ApiError } from './api-error.ts';

interface Action {
  isBusy: boolean;
  error: ApiError | undefined;
  /** Runs a change. Its error stays until the next run. */
  run(change: () => Promise<void>): Promise<void>;
}

/** The state of a change that a form or a dialog makes. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async (change: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await change();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError(0, undefined));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
