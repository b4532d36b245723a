import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Everything that the screen says, once it has stopped to change. */
export async function stillScreen(page: Page): Promise<string> {
  let before = '';
  const isStill = async (): Promise<boolean> => {
    await page.waitForLoadState('networkidle');
    const now = await page.getByRole('main').ariaSnapshot();
    const isSame = now === before && !/progressbar|(?:Searching|Loading .*) for/.test(now);
    before = now;
    return isSame;
  };
  await expect.poll(isStill, { interval: 300 }).toBe(true);
  return before;
}
