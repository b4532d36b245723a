import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { manyServices, shopOrders } from './kit/services.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;
let many: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [world, many] = await Promise.all([World.open(), World.open()]);
  const nowMs = Date.now();
  await world.send(shopRecords(nowMs, 60));
  await world.sendSpans(shopOrders(nowMs, 200, 20));
  await many.sendSpans(manyServices(nowMs, 50));
});
afterAll(async () => {
  await Promise.all([world?.close(), many?.close()]);
});

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const row = (page: Page, name: string) => table(page, 'Services').getByRole('row', { name });
const node = (page: Page, name: string) => page.locator(`[data-key="service ${name}"]`);

describe.skipIf(isMissing).each(views)('services at $width px', (view) => {
  it('show the list, a service and the map without a complaint', async () => {
    const { page, watch, context } = await world.signedIn(view);
    await page.goto('/services');
    await table(page, 'Services').getByRole('link', { name: hostileText }).waitFor();
    await watch.isClean();
    await table(page, 'Services').getByRole('link', { name: 'checkout' }).click();
    await table(page, 'Calls').waitFor();
    await page.locator('[aria-roledescription="chart"]').nth(2).waitFor();
    await table(page, 'Operations').getByText('POST /checkout').waitFor();
    await watch.isClean();
    await page.goto('/services?view=map');
    await node(page, 'checkout').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const views = page.getByRole('navigation', { name: 'Views of services' });
    const current = views.locator('[aria-current="page"]');
    expect(await current.allTextContents()).toEqual(['Map']);
    await watch.isClean();
    await context.close();
  });

  it('say that nothing is there, and what failed', async () => {
    const { page, watch, context } = await world.signedIn(view);
    watch.expect(/ERR_FAILED/);
    const past = 'from=1500000000000&to=1500000900000';
    for (const path of [`/services?${past}`, `/services?view=map&${past}`]) {
      await page.goto(path);
      await page.getByText('No span in this range').waitFor();
      await watch.isClean();
    }
    await page.route('**/api/v2/services/map', (route) => route.abort());
    await page.goto('/services?view=map');
    await page.getByText('The map cannot be drawn').waitFor();
    await watch.isClean();
    await page.unroute('**/api/v2/services/map');
    await page.getByRole('button', { name: 'Try again' }).click();
    await node(page, 'checkout').waitFor();
    await context.close();
  });

  it('draw fifty services', async () => {
    const { page, watch, context } = await many.signedIn(view);
    await page.goto('/services?view=map');
    await node(page, 'service-01').waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('services', () => {
  it('have the figures of their requests, and lead to their rows', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/services');
    // Every tenth of 200 orders is refused.
    await row(page, 'payment').getByRole('cell', { name: '10 %' }).waitFor();
    await row(page, 'cart').getByRole('cell', { name: '0 %' }).waitFor();
    await page.getByLabel('Find a service').fill('pay');
    await page.getByText('1 service, worst first').waitFor();
    await page.waitForURL(/find=pay/);
    await table(page, 'Services').getByRole('link', { name: 'payment' }).click();
    await table(page, 'Errors by message')
      .getByRole('link', { name: 'card declined' })
      .first()
      .click();
    await page.waitForURL(/\/search\?.*payment/);
    await page.goBack();
    await table(page, 'Called by').getByRole('link', { name: 'checkout' }).waitFor();
    await page.goBack();
    await page.getByText('1 service, worst first').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('are walked on the map with the keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/services?view=map');
    await node(page, 'frontend').focus();
    await page.keyboard.press('ArrowRight');
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-key') ?? null);
    await expect.poll(focused).toMatch(/^service /);
    expect(await focused()).not.toBe('service frontend');
    await watch.isClean();
    await page.keyboard.press('Enter');
    await page.waitForURL(/service=/);
    await context.close();
  });
});
