import { createContext, useContext } from 'react';
import type { Schemas } from '../api/client.ts';
import type { ColorBook } from '../view/series-colors.ts';
import type { Span } from '../view/time-range.ts';

/** What all tiles of a page share. */
export interface Scene {
  span: Span;
  /** Changes at each refresh. */
  runId: number;
  zone: string;
  /** One name has one colour on the whole page. */
  book: ColorBook;
  /** Charts with the same key share the crosshair. */
  syncKey: string;
  /** Conditions of the page for a tile of a source. */
  filtersOf(sourceId: string): readonly Schemas['Filter'][];
  onZoom(span: Span): void;
  onZoomOut(): void;
}

export const SceneContext = createContext<Scene | undefined>(undefined);

export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) {
    throw new Error('a tile needs a scene');
  }
  return scene;
}
