import { useEffect, useRef } from 'react';
import { useMedia } from './use-media.ts';

/** How a panel opens and closes: on a phone it is a page of its own, which Back closes. */
export interface PagePanel {
  /** @param write gets whether the address replaces the one before. */
  open(write: (replace: boolean) => void): void;
  close(write: () => void): void;
}

/** @param back goes to the entry of the history before. */
export function usePagePanel(isOpen: boolean, back: () => void): PagePanel {
  const isPage = useMedia('(max-width: 640px)');
  const hasEntry = useRef(false);
  useEffect(() => {
    if (!isOpen) {
      hasEntry.current = false;
    }
  }, [isOpen]);
  return {
    open: (write) => {
      const adds = isPage && !isOpen && !hasEntry.current;
      hasEntry.current ||= adds;
      write(!adds);
    },
    close: (write) => {
      if (hasEntry.current) {
        hasEntry.current = false;
        back();
      } else {
        write();
      }
    },
  };
}
