import type { Page } from 'playwright-core';

/** Holds requests back, as a slow server does. Returns what lets them and all later ones go. */
export async function hold(page: Page, pattern: string): Promise<() => Promise<void>> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release();
    await page.unroute(pattern);
  };
}
