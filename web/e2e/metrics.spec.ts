import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { tabTo } from './kit/journey.ts';
import { shopMetrics } from './kit/metrics.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

describe.skipIf(browserMissing())('metrics', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.open();
    await world.sendMetrics(shopMetrics(Date.now()));
  });
  afterAll(() => world?.close());

  const table = (page: Page) => page.getByRole('table', { name: 'Metrics' });
  const chart = (page: Page) => page.locator('[aria-roledescription="chart"]');

  describe.each(views)('at $width px', (view) => {
    it('lists metrics with last values, and shows one', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/metrics');
      await table(page).getByText('2.95 GiB').or(table(page).getByText('GiB')).first().waitFor();
      await table(page).getByText(hostileText).first().waitFor();
      await page.getByText('4 metrics').waitFor();
      await watch.isClean();
      await page.getByRole('link', { name: 'process.memory.usage' }).click();
      await chart(page).waitFor();
      await page.getByText('3 metric series').waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says why there is none, and what to do', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/metrics?find=nothing');
      await page.getByText('No metric has “nothing” in its name').waitFor();
      await watch.isClean();
      await page.getByRole('button', { name: 'Show all metrics' }).click();
      await page.getByText('4 metrics').waitFor();
      await context.close();
    });

    it('shows a failure in its region, and tries again', async () => {
      const { page, watch, context } = await world.signedIn(view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/metrics?**', (route) => route.abort());
      await page.goto('/metrics');
      await page.getByText('The metrics cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute('**/metrics?**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('4 metrics').waitFor();
      await context.close();
    });
  });

  it('finds, splits by an attribute, and opens the chart in Explore', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/metrics');
    await page.getByLabel('Find a metric').fill('MEMORY');
    await page.getByText('1 metric', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'process.memory.usage' }).click();
    await page.getByRole('button', { name: 'Split by state' }).click();
    await page.waitForURL(/by=Attributes.state/);
    const numbers = page.getByRole('group', { name: 'Numbers of each series' });
    await numbers.getByText('used').waitFor();
    await numbers.getByText('GiB').first().waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Open in Explore' }).click();
    await page.waitForURL(/\/explore\?/);
    await chart(page).waitFor();
    expect(await page.getByLabel('Group by').inputValue()).toBe('Attributes.state');
    await watch.isClean();
    await context.close();
  });

  it('is read with the keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/metrics');
    await page.getByText('4 metrics').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('requests');
    await page.getByText('1 metric', { exact: true }).waitFor();
    await tabTo(page, 'http.server.requests');
    await page.keyboard.press('Enter');
    await chart(page).waitFor();
    await page.getByText('sum, {request}').waitFor();
    await watch.isClean();
    await context.close();
  });
});
