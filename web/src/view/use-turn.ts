import { useCallback, useRef, useState } from 'react';

export interface Turn {
  isBusy: boolean;
  /** Runs a change. While another one is under way, it does nothing and resolves to undefined. */
  take<T>(change: () => Promise<T>): Promise<T | undefined>;
}

/**
 * One change at a time: a second click or key makes no second object. A turn that includes the way
 * to the next page also holds while that page loads.
 */
export function useTurn(): Turn {
  const [isBusy, setBusy] = useState(false);
  // Known at once: the next key may come before the next render.
  const isTaken = useRef(false);
  const take = useCallback(async <T>(change: () => Promise<T>): Promise<T | undefined> => {
    if (isTaken.current) {
      return undefined;
    }
    isTaken.current = true;
    setBusy(true);
    try {
      return await change();
    } finally {
      isTaken.current = false;
      setBusy(false);
    }
  }, []);
  return { isBusy, take };
}
