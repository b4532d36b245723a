import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { inEachTheme } from './themes.ts';

const kept = fileURLToPath(new URL('../snapshots/', import.meta.url));
const failed = fileURLToPath(new URL('../../../.cache/pictures/', import.meta.url));

/** Share of the pixels that may differ: the browser's rounding of curves and glyphs. */
const maxShare = 0.001;
/** How far two colours of a pixel may differ to count as the same, from 0 to 1. */
const colourThreshold = 0.1;

/**
 * Compares the page in both themes with its pictures in `snapshots/`. `UPDATE_PICTURES=true` writes
 * the pictures instead. A difference leaves the new picture and the difference in `.cache/pictures/`.
 *
 * @param name of the picture, without its theme
 * @param changing what differs from run to run, such as ids and ports: it is hidden
 */
export async function looksAsKept(
  page: Page,
  name: string,
  changing: readonly Locator[] = [],
): Promise<void> {
  // The pointer would leave one control in its hover state.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await show(changing, false);
  await inEachTheme(page, async (theme) => compare(page, `${name}-${theme}`));
  await show(changing, true);
}

async function compare(page: Page, name: string): Promise<void> {
  const now = await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
  const file = `${kept}${name}.png`;
  if (process.env['UPDATE_PICTURES'] === 'true') {
    mkdirSync(kept, { recursive: true });
    writeFileSync(file, now);
    return;
  }
  expect(existsSync(file), `${name}.png is missing; UPDATE_PICTURES=true makes it`).toBe(true);
  const [before, after] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(now)];
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  const difference = new PNG({ width: after.width, height: after.height });
  const differing = pixelmatch(
    before.data,
    after.data,
    difference.data,
    after.width,
    after.height,
    { threshold: colourThreshold },
  );
  const share = differing / (after.width * after.height);
  if (share > maxShare) {
    mkdirSync(failed, { recursive: true });
    writeFileSync(`${failed}${name}.png`, now);
    writeFileSync(`${failed}${name}.difference.png`, PNG.sync.write(difference));
  }
  expect(share, `share of pixels of ${name} that differ`).toBeLessThanOrEqual(maxShare);
}

async function show(elements: readonly Locator[], isVisible: boolean): Promise<void> {
  for (const element of elements) {
    await element.evaluateAll(
      (all, visibility) => {
        for (const one of all) {
          (one as HTMLElement).style.visibility = visibility;
        }
      },
      isVisible ? '' : 'hidden',
    );
  }
}
