import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

const headHeight = 28;

/** Waits until all of a row is seen: below the head of its grid and above the end. */
export async function isWithin(row: Locator, grid: Locator): Promise<void> {
  await row.waitFor();
  const hiddenPixels = async (): Promise<number> => {
    const [inner, outer] = [await row.boundingBox(), await grid.boundingBox()];
    if (!inner || !outer) {
      return Infinity;
    }
    const above = outer.y + headHeight - inner.y;
    const below = inner.y + inner.height - (outer.y + outer.height);
    return Math.max(0, above, below);
  };
  await expect.poll(hiddenPixels).toBe(0);
}
