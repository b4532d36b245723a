import { useEffect } from 'react';

/** Title of the browser's tab while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
}
