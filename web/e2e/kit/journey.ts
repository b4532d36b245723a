import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Moves the focus with Tab alone to the control with this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let strokes = 0; strokes < 80; strokes++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
      const text = element?.textContent ?? '';
      return (element?.getAttribute('aria-label') ?? label?.textContent ?? text).trim();
    });
    if (focused === name) {
      return;
    }
    seen.push(focused);
  }
  throw new Error(`Tab does not reach “${name}”, only ${[...new Set(seen)].join(', ')}`);
}

/** No secret is in the address or in anything that the browser keeps for scripts. */
export async function keepsNothingOf(page: Page, ...secrets: string[]): Promise<void> {
  const kept = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(7);
    expect(kept).not.toContain(secret);
  }
}
