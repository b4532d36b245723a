import { useEffect, useState } from 'react';

/** A module that is loaded after the first paint; undefined until then. */
export function useLazy<M>(load: () => Promise<M>): M | undefined {
  const [loaded, setLoaded] = useState<M>();
  useEffect(() => {
    let isShown = true;
    void load().then((module) => isShown && setLoaded(() => module));
    return () => {
      isShown = false;
    };
  }, [load]);
  return loaded;
}
