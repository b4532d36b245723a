import { useMedia } from '../view/use-media.ts';
import { usePref } from '../view/use-pref.ts';

const heights = { compact: 20, normal: 24, roomy: 32 };
const touchHeight = 40;

/** Height of a row in pixels: the density that the person chose, or a finger. */
export function useRowHeight(): number {
  const [density] = usePref('density');
  const isTouch = useMedia('(pointer: coarse)');
  return isTouch ? touchHeight : heights[density];
}
