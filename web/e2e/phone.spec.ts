import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { shopMetrics } from './kit/metrics.ts';
import { openedSearch, rowPanel, rows } from './kit/search-page.ts';
import { smallTargets } from './kit/small-targets.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { shopRecords } from './kit/telemetry.ts';
import { wide, World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
const phone = { ...wide, width: 390, height: 844 };
const order = traceIdOf(0xa1);
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
    await world.send(shopRecords(nowMs, 1200));
    await world.sendSpans(orderTrace(nowMs - 60_000, order, traceIdOf(0xb2)));
    await world.sendMetrics(shopMetrics(nowMs));
  }
});
afterAll(() => world?.close());

const heading = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1 }).first().waitFor();

/** Paths of every screen, and what shows that it is there. */
const screens: [path: string, isThere: (page: Page) => Promise<void>][] = [
  ['/search', (page) => rows(page).first().waitFor()],
  [`/traces/${order}`, (page) => page.getByRole('treegrid').waitFor()],
  ['/services', heading],
  ['/metrics', heading],
  ['/explore', (page) => page.locator('[aria-roledescription="chart"]').waitFor()],
  ['/dashboards', heading],
  ['/alerts', heading],
  ['/alerts/maintenance', heading],
  ['/pipes', heading],
  ['/health', heading],
  ['/organization?tab=audit', (page) => page.getByRole('table').waitFor()],
  ['/welcome', heading],
  ...['webhooks', 'sources', 'keys', 'sessions', 'team', 'members'].map(
    (page): [string, typeof heading] => [`/settings/${page}`, heading],
  ),
];

describe.skipIf(isMissing)('a finger', () => {
  it.each(screens)('hits every control of %s', async (path, isThere) => {
    const { page, watch, context } = await world.signedIn(phone);
    await page.goto(path);
    await isThere(page);
    await page.waitForLoadState('networkidle');
    expect(await smallTargets(page)).toEqual([]);
    await watch.isClean();
    await context.close();
  });

  it('hits every control of an open row, and of the facets', async () => {
    const { page, context } = await openedSearch(world, '/search', phone);
    await page.getByRole('button', { name: 'Facets' }).click();
    await page.getByRole('dialog', { name: 'Facets' }).getByText('ServiceName').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await smallTargets(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rows(page).first().click();
    await rowPanel(page).getByText('service.name').first().waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await context.close();
  });

  it('hits every control of a dashboard', async () => {
    const { page, context } = await world.signedIn(phone);
    await page.goto('/settings');
    const id = await makeDashboard(page, shopDashboard(await logSource(page)));
    await page.goto(`/dashboards/${id}`);
    await page.locator('[aria-roledescription="chart"]').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await smallTargets(page)).toEqual([]);
    await context.close();
  });
});

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

const boxOf = async (element: Locator): Promise<Box> => {
  await element.waitFor();
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
};

describe.skipIf(isMissing)('search on a phone', () => {
  it('has no notice under the button of the facets', async () => {
    const { page, watch, context } = await openedSearch(world, '/search?q=bank', phone);
    watch.expect(/ERR_FAILED/);
    const facets = page.getByRole('button', { name: 'Facets' });
    const isBelow = async (text: RegExp): Promise<void> => {
      const above = await boxOf(page.getByText(text));
      expect((await boxOf(facets)).y).toBeGreaterThanOrEqual(above.y + above.height);
    };
    await page.route('**/api/v2/search', (route) => route.abort());
    await page.keyboard.press('r');
    await isBelow(/^The rows were not loaded again/);
    await page.unroute('**/api/v2/search');
    await page.goto('/search?q=bank&live=1');
    await isBelow(/^Following new rows/);
    await context.close();
  });
});

describe.skipIf(isMissing)('Explore on a phone', () => {
  it('has the links to the rows beside the numbers, within the screen', async () => {
    const { page, watch, context } = await world.signedIn(phone);
    await page.goto('/explore');
    await page.locator('[aria-roledescription="chart"]').waitFor();
    const numbers = page.getByRole('group', { name: 'Numbers of each series' });
    const link = numbers.getByRole('link', { name: /^Rows of / }).first();
    const { x, width, height } = await boxOf(link);
    expect(x + width).toBeLessThanOrEqual(phone.width);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await page.waitForURL(/\/search\?/);
    await rows(page).first().waitFor();
    await watch.isClean();
    await context.close();
  });
});
