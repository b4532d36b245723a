import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { shopRecords } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

/** Times by the clock are asserted at four times their budget, because other work shares the CPU. */
const slack = 4;
const recordCount = 100_000;
const recordsARequest = 10_000;
const scrolledFrames = 400;
/** 24,000 pixels a second, at 60 frames. */
const pixelsAFrame = 400;

describe.skipIf(browserMissing())('time and memory of the interface', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.open();
    const records = shopRecords(Date.now(), recordCount);
    for (let from = 0; from < recordCount; from += recordsARequest) {
      await world.send(records.slice(from, from + recordsARequest));
    }
  });
  afterAll(() => world?.close());

  it('paints within half a second', async () => {
    const { page, context } = await world.page();
    await page.goto('/sign-in');
    await page.getByLabel('Email').waitFor();
    const paintedMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    expect(paintedMs).toBeLessThanOrEqual(500 * slack);
    await context.close();
  });

  it('shows rows 100 ms after the engine has them, in the median of five queries', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
    const tookMs: number[] = [];
    for (const index of [10, 11, 12, 13, 14]) {
      tookMs.push(await beyondEngineMs(page, `order ${index} is placed`));
    }
    expect(tookMs.toSorted((a, b) => a - b)[2]).toBeLessThanOrEqual(100 * slack);
    await context.close();
  });

  it('scrolls through 100,000 rows with 4 ms of script a frame and 80 MB of memory', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/search');
    const grid = page.getByRole('grid', { name: 'Rows' });
    await grid.locator('[data-index]').first().waitFor();
    await loadAll(page);
    const session = await context.newCDPSession(page);
    // CPU time of the thread, which other work does not lengthen.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const scriptMs: number[] = [];
    for (const part of [0, 1, 2]) {
      const before = await metric(session, 'ScriptDuration');
      expect(await scroll(page, part / 3)).toBeLessThanOrEqual(16.7 * slack);
      const usedMs = ((await metric(session, 'ScriptDuration')) - before) * 1000;
      scriptMs.push(usedMs / scrolledFrames);
    }
    // Other work only adds to it.
    expect(Math.min(...scriptMs)).toBeLessThanOrEqual(4);
    expect(await grid.locator('[data-index]').count()).toBeLessThan(80);
    await session.send('HeapProfiler.collectGarbage');
    expect((await metric(session, 'JSHeapUsedSize')) / 2 ** 20).toBeLessThanOrEqual(80);
    await context.close();
  });
});

/** Time from Enter until the row is painted, without the time of the engine. */
async function beyondEngineMs(page: Page, body: string): Promise<number> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(`"${body}"`);
  const answer = page.waitForResponse(
    (response) => response.url().endsWith('/api/v2/search') && response.ok(),
  );
  await watchRows(page, body);
  await page.keyboard.press('Enter');
  const elapsedMs = Number((await answer).headers()['x-sightline-elapsed']);
  expect(elapsedMs).toBeGreaterThan(0);
  const paintedMs = await page.evaluate(() => globalThis.rowsPaintedMs);
  return (paintedMs ?? Infinity) - elapsedMs;
}

declare global {
  var rowsPaintedMs: Promise<number> | undefined;
}

/** Takes the time from the next key until the first row has the word and is painted. */
function watchRows(page: Page, word: string): Promise<void> {
  return page.evaluate((text) => {
    globalThis.rowsPaintedMs = new Promise<number>((resolve) => {
      const startedAt = (event: KeyboardEvent): void => {
        const look = (): void => {
          const row = document.querySelector('[role="grid"] [data-index]');
          const isPainted = row?.textContent?.includes(text) === true;
          requestAnimationFrame(
            isPainted ? () => resolve(performance.now() - event.timeStamp) : look,
          );
        };
        look();
      };
      window.addEventListener('keydown', startedAt, { capture: true, once: true });
    });
  }, word);
}

async function loadAll(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.focus();
  const end = page.getByText('End of the range: 100,000 rows.');
  while (!(await end.isVisible())) {
    const count = await grid.getAttribute('aria-rowcount');
    await page.keyboard.press('End');
    await page.waitForFunction(
      (known) =>
        document.body.textContent?.includes('End of the range') === true ||
        document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') !== known,
      count,
    );
  }
}

/**
 * Scrolls as a fast flick does, from a part of the way down. Returns the median time of a frame.
 */
function scroll(page: Page, from: number): Promise<number> {
  const options = { frames: scrolledFrames, from, step: pixelsAFrame };
  return page.evaluate(async ({ frames, from, step }) => {
    const scrolling = [...document.querySelectorAll('[role="grid"], [role="grid"] *')].find(
      (element) => element.scrollHeight > element.clientHeight * 2,
    );
    if (!scrolling) {
      throw new Error('nothing scrolls');
    }
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const took: number[] = [];
    let last = await frame();
    for (let index = 0; index < frames; index++) {
      scrolling.scrollTop = scrolling.scrollHeight * from + index * step;
      const at = await frame();
      took.push(at - last);
      last = at;
    }
    return took.toSorted((a, b) => a - b)[frames >> 1] ?? Infinity;
  }, options);
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Infinity;
}
