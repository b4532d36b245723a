import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard } from './kit/dashboards.ts';
import { allDrawn, hundredTiles, pageMetric } from './kit/hundred-tiles.ts';
import { shopRecords } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

const tileCount = 25;
/** Until then the browser compiles, and fills its own lists. */
const warmUpRefreshes = 15;
const rounds = 6;
const refreshesARound = 6;
/** A tenth of the answers of a refresh. */
const keptBytesMax = 25 * 1024;

describe.skipIf(browserMissing())('memory of a dashboard', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.open();
    await world.send(shopRecords(Date.now(), 2000));
  });
  afterAll(() => world?.close());

  it('stays the same over many refreshes', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    const id = await makeDashboard(page, {
      name: 'Kept',
      tiles: hundredTiles(await logSource(page)).slice(0, tileCount),
    });
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    let asked = 0;
    page.on('request', (request) => {
      asked += request.url().endsWith('/charts/batch') ? 1 : 0;
    });
    await page.goto(`/dashboards/${id}`);
    await allDrawn(page, tileCount);
    await refreshed(page, warmUpRefreshes);
    const readings: Memory[] = [];
    for (let round = 0; round < rounds; round++) {
      readings.push(await memoryOf(session));
      await refreshed(page, refreshesARound);
    }
    expect(asked).toBeGreaterThan(warmUpRefreshes + rounds * refreshesARound);
    const growth = (name: keyof Memory): number =>
      medianSlope(readings.map((one) => one[name])) / refreshesARound;
    console.log(`a refresh of ${tileCount} tiles keeps ${(growth('bytes') / 1024).toFixed(1)} KiB`);
    expect(growth('nodes')).toBeLessThan(1);
    expect(growth('listeners')).toBeLessThan(1);
    expect(growth('bytes')).toBeLessThan(keptBytesMax);
    await context.close();
  });
});

interface Memory {
  bytes: number;
  nodes: number;
  listeners: number;
}

/** What is used after several collections: the first ones leave what waits for its finalizer. */
async function memoryOf(session: CDPSession): Promise<Memory> {
  for (let round = 0; round < 4; round++) {
    await session.send('HeapProfiler.collectGarbage');
  }
  return {
    bytes: await pageMetric(session, 'JSHeapUsedSize'),
    nodes: await pageMetric(session, 'Nodes'),
    listeners: await pageMetric(session, 'JSEventListeners'),
  };
}

/** Refreshes, each time until every tile has its answer. */
async function refreshed(page: Page, times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    await page.keyboard.press('r');
    await page.waitForFunction(
      () => document.querySelectorAll('[data-tiles] [aria-busy="true"]').length === 0,
    );
  }
}

/** Median of the slopes between any two readings: one that is far off does not count. */
function medianSlope(readings: readonly number[]): number {
  const slopes = readings.flatMap((one, at) =>
    readings.slice(at + 1).map((other, further) => (other - one) / (further + 1)),
  );
  return slopes.toSorted((a, b) => a - b)[slopes.length >> 1] ?? 0;
}
