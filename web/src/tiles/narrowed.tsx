import { useMemo, type ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { SceneContext, useScene } from './scene.ts';

interface NarrowedProps {
  /** A condition beside those of the page; absent: none. */
  only?: Schemas['Filter'] | undefined;
  children: ReactNode;
}

/** Tiles with a condition of their own. */
export function Narrowed({ only, children }: NarrowedProps) {
  const scene = useScene();
  const key = JSON.stringify(only);
  const narrowed = useMemo(
    () => (only ? { ...scene, filtersOf: (id: string) => [...scene.filtersOf(id), only] } : scene),
    [scene, key],
  );
  return <SceneContext value={narrowed}>{children}</SceneContext>;
}
