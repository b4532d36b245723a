import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Moves the focus with Tab alone to the control with this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let strokes = 0; strokes < 80; strokes++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const named = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
      const label = named ?? element?.closest('label');
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

/**
 * Goes to a screen by `g` and its letter. Two strokes belong together for 1.2 s, which a busy machine
 * may need for one: then once more.
 */
export async function goTo(page: Page, letter: string, path: string): Promise<void> {
  const strokes = async (): Promise<string> => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    return new URL(page.url()).pathname;
  };
  await expect.poll(strokes, { interval: 1500 }).toBe(path);
}

/** The text that a click or a key copies. */
export async function copied(page: Page, act: () => Promise<void>): Promise<string> {
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(read).not.toBe('');
  return read();
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
