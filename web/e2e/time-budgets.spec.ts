import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard } from './kit/dashboards.ts';
import { allDrawn, hundredTiles, pageMetric } from './kit/hundred-tiles.ts';
import { least } from './kit/least.ts';
import { paceOf } from './kit/pace.ts';
import { shopRecords } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

/**
 * Times by the clock are asserted at four times their budget, because other work shares the CPU.
 * Times of script are longer on a slower machine (`paceOf`).
 */
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
    const budget = 500 * slack;
    const paintedMs = async (): Promise<number> => {
      const { page, context } = await world.page();
      await page.goto('/sign-in');
      await page.getByLabel('Email').waitFor();
      // What is on the page may not be painted yet.
      const painted = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      const ms = await painted.jsonValue();
      await context.close();
      return ms ?? Infinity;
    };
    expect(await least(budget, paintedMs)).toBeLessThanOrEqual(budget);
  });

  it('shows rows 100 ms after the engine has them, in the median of five queries', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
    // Every 17th record is an error.
    let order = 18;
    const medianMs = async (): Promise<number> => {
      const tookMs: number[] = [];
      for (const end = order + 5; order < end; order += 1) {
        tookMs.push(await beyondEngineMs(page, `order ${order} is placed`));
      }
      return tookMs.toSorted((a, b) => a - b)[2] ?? Infinity;
    };
    const budget = 100 * slack;
    expect(await least(budget, medianMs)).toBeLessThanOrEqual(budget);
    await context.close();
  });

  it('shows 100 tiles with 1 s of script, and 1 s after their data', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    await makeDashboard(page, { name: 'Hundred', tiles: hundredTiles(await logSource(page)) });
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const scriptS: number[] = [];
    const paintedMs: number[] = [];
    // The best of three: other processes cost this one its caches.
    for (const _ of [0, 1, 2]) {
      await page.goto('/dashboards');
      const link = page.getByRole('link', { name: 'Hundred' });
      await link.waitFor();
      const before = await pageMetric(session, 'ScriptDuration');
      await link.click();
      await allDrawn(page);
      paintedMs.push(await sinceLastAnswer(page));
      scriptS.push((await pageMetric(session, 'ScriptDuration')) - before);
    }
    console.log(`100 tiles: ${scriptS.map((one) => one.toFixed(2)).join(', ')} s of script`);
    const pace = await paceOf(page);
    expect(Math.min(...scriptS)).toBeLessThanOrEqual(pace);
    expect(Math.min(...paintedMs)).toBeLessThanOrEqual(1000 * slack);

    const crosshair = await moveOverChart(page, session);
    console.log(`crosshair on 100 tiles: ${JSON.stringify(crosshair)}`);
    expect(crosshair.charts).toBeGreaterThan(1);
    expect(crosshair.scriptMs).toBeLessThanOrEqual(16.7 * pace);
    expect(crosshair.frameMs).toBeLessThanOrEqual(16.7 * slack);
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
    const frameMs: number[] = [];
    for (const part of [0, 1, 2]) {
      const before = await pageMetric(session, 'ScriptDuration');
      frameMs.push(await scroll(page, part / 3));
      const usedMs = ((await pageMetric(session, 'ScriptDuration')) - before) * 1000;
      scriptMs.push(usedMs / scrolledFrames);
    }
    // Other work only adds to it.
    expect(Math.min(...frameMs)).toBeLessThanOrEqual(16.7 * slack);
    expect(Math.min(...scriptMs)).toBeLessThanOrEqual(4 * (await paceOf(page)));
    expect(await grid.locator('[data-index]').count()).toBeLessThan(80);
    await session.send('HeapProfiler.collectGarbage');
    expect((await pageMetric(session, 'JSHeapUsedSize')) / 2 ** 20).toBeLessThanOrEqual(80);
    await context.close();
  });
});

/** How long ago the last data of the tiles arrived. */
function sinceLastAnswer(page: Page): Promise<number> {
  return page.evaluate(() => {
    const answers = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/charts/batch'));
    const ends = answers.map((one) => (one as PerformanceResourceTiming).responseEnd);
    return performance.now() - Math.max(...ends);
  });
}

/**
 * Moves the pointer over a chart. Returns on how many charts the crosshair is then, the script time
 * of a move, and the median time of a frame meanwhile.
 */
async function moveOverChart(page: Page, session: CDPSession) {
  const plot = (await page.locator('.u-over').first().boundingBox())!;
  const moves = 60;
  const frames = page.evaluate(async (count) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const took: number[] = [];
    let last = await frame();
    for (let index = 0; index < count; index++) {
      const at = await frame();
      took.push(at - last);
      last = at;
    }
    return took.toSorted((a, b) => a - b)[count >> 1] ?? Infinity;
  }, moves);
  const before = await pageMetric(session, 'ScriptDuration');
  for (let move = 0; move < moves; move += 1) {
    await page.mouse.move(plot.x + (plot.width * move) / moves, plot.y + plot.height / 2);
  }
  const scriptMs = (((await pageMetric(session, 'ScriptDuration')) - before) * 1000) / moves;
  const charts = await page.locator('.u-cursor-x:not(.u-off)').count();
  return { charts, scriptMs, frameMs: await frames };
}

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
