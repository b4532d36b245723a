import { useEffect, useState, type RefObject } from 'react';

export interface Size {
  width: number;
  height: number;
}

/** Size of an element in whole pixels; undefined until it is known. */
export function useSize(host: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = host.current;
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      const next = { width: Math.floor(width), height: Math.floor(height) };
      setSize((before) =>
        before?.width === next.width && before.height === next.height ? before : next,
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return size;
}
