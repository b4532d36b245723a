import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Nearness } from '../../../tiles/use-tile-query.ts';

/** Whether an element is within one screen of view, and whether it is in view. */
export function useNearness(
  element: RefObject<HTMLElement | null>,
  scroll: RefObject<HTMLElement | null>,
): Nearness {
  const [isNear, setNear] = useState(false);
  const isVisible = useRef(false);
  useEffect(() => {
    const target = element.current;
    if (!target) {
      return undefined;
    }
    const root = scroll.current;
    const near = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      root,
      rootMargin: '100% 0px',
    });
    const seen = new IntersectionObserver(
      ([entry]) => {
        isVisible.current = entry?.isIntersecting === true;
      },
      { root },
    );
    // The one that decides the order comes first.
    seen.observe(target);
    near.observe(target);
    return () => {
      seen.disconnect();
      near.disconnect();
    };
  }, [element, scroll]);
  const nearness = useRef({ isVisible: () => isVisible.current });
  return { isNear, isVisible: nearness.current.isVisible };
}
