import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { goTo, tabTo } from './kit/journey.ts';
import { shopMetrics } from './kit/metrics.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const chart = (page: Page) => page.locator('[aria-roledescription="chart"]');
const numbers = (page: Page) => page.getByRole('group', { name: 'Numbers of each series' });
const choose = async (page: Page, list: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`^${list}: `) }).click();
  await page.getByRole('option', { name: new RegExp(`^${value}`) }).click();
};
const groupBy = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Group by').fill(text);
  await page.getByLabel('Group by').press('Enter');
};

/** The program with telemetry of a shop. */
async function openShop(): Promise<World> {
  const nowMs = Date.now();
  const world = await World.open();
  await world.send([
    ...shopRecords(nowMs, 1200),
    { service: hostileText, severity: 'WARN', body: 'x', atMs: nowMs - 500, attributes: {} },
  ]);
  await world.sendMetrics(shopMetrics(nowMs));
  return world;
}

describe.skipIf(browserMissing())('explore', () => {
  let world: World;

  beforeAll(async () => {
    world = await openShop();
  });
  afterAll(() => world?.close());

  describe.each(views)('at $width px', (view) => {
    it('charts rows without a complaint, by any group', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/explore');
      await chart(page).waitFor();
      await groupBy(page, 'ServiceName');
      await numbers(page).getByText('checkout').waitFor();
      await numbers(page).getByText(hostileText).waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says what is missing, and what went wrong', async () => {
      const { page, watch, context } = await world.signedIn(view);
      watch.expect(/400|ERR_FAILED/);
      await page.goto('/explore');
      await chart(page).waitFor();
      await choose(page, 'Function of Series 1', 'Sum');
      await page.getByText('The chart is not complete').waitFor();
      await page.getByLabel('Field').fill('NoSuchColumn');
      await page.getByLabel('Field').press('Enter');
      await page.getByRole('alert').filter({ hasText: 'NoSuchColumn' }).first().waitFor();
      await watch.isClean();
      await page.route('**/api/v2/charts/batch', (route) => route.abort());
      await page.getByLabel('Field').fill('SeverityNumber');
      await page.getByLabel('Field').press('Enter');
      await page.getByText('The server does not answer').first().waitFor();
      await context.close();
    });
  });

  it('keeps a query and a group that are entered at once', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/explore');
    await chart(page).waitFor();
    await page.locator('.cm-content').first().click();
    await page.keyboard.type('SeverityText:ERR');
    await groupBy(page, 'ServiceName');
    await numbers(page).getByText('payment').waitFor();
    await expect.poll(() => numbers(page).getByText(hostileText).count()).toBe(0);
    await context.close();
  });

  it('opens the same chart from its address, and Back undoes the last change', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/explore');
    await chart(page).waitFor();
    await groupBy(page, 'ServiceName');
    await numbers(page).getByText('checkout').waitFor();
    await page.waitForURL(/[?&]c=/);
    const address = page.url();
    const other = await world.signedIn();
    await other.page.goto(address);
    await numbers(other.page).getByText('checkout').waitFor();
    expect(await other.page.getByLabel('Group by').inputValue()).toBe('ServiceName');
    await other.context.close();
    await page.goBack();
    await numbers(page).getByText('count').waitFor();
    expect(await page.getByLabel('Group by').inputValue()).toBe('');
    await watch.isClean();
    await context.close();
  });

  it.each(['AAAA', 'x'.repeat(3000), '%3Cscript%3E'])(
    'drops a chart that cannot be read (%#)',
    async (broken) => {
      const { page, watch, context } = await world.signedIn();
      await page.goto(`/explore?c=${broken}`);
      await chart(page).waitFor();
      await watch.isClean();
      await context.close();
    },
  );
});

describe.skipIf(browserMissing())('journeys through explore', () => {
  let world: World;

  beforeAll(async () => {
    world = await openShop();
  });
  afterAll(() => world?.close());

  it('leads from a bucket to its rows, with the group', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/explore');
    await chart(page).waitFor();
    await groupBy(page, 'ServiceName');
    await numbers(page).getByText('checkout').waitFor();
    await chart(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const bucket = page.getByRole('region', { name: 'Bucket' });
    await bucket.waitFor();
    await watch.isClean();
    await page.keyboard.press('Escape');
    await bucket.waitFor({ state: 'detached' });
    const box = await chart(page).boundingBox();
    await chart(page).click({ position: { x: (box?.width ?? 0) * 0.6, y: 60 } });
    const link = bucket.getByRole('link', { name: 'Rows of checkout' });
    await link.click();
    await page.waitForURL(/\/search\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('filters')).toBe('is|ServiceName|checkout');
    expect(Number(searchParams.get('to')) - Number(searchParams.get('from'))).toBeLessThan(600_000);
    await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
    await context.close();
  });

  it('divides two series, shows a table, and the SQL of both', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/explore');
    await chart(page).waitFor();
    await page.getByRole('button', { name: 'Add series' }).click();
    await page.getByRole('group', { name: 'Series 2' }).waitFor();
    await page.getByRole('switch', { name: 'Ratio' }).click();
    await numbers(page).getByText('count / count').waitFor();
    await page.getByRole('button', { name: 'Show SQL' }).click();
    await page.getByRole('group', { name: 'Statement 1' }).getByText('SELECT').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Remove Series 2' }).click();
    await groupBy(page, 'SeverityText');
    await page.getByRole('radio', { name: 'Table' }).click({ force: true });
    await page.getByRole('cell', { name: 'ERROR' }).first().waitFor();
    await watch.isClean();
    await context.close();
  });

  it('charts a metric of the list, and saves it to a new dashboard', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/explore');
    await chart(page).waitFor();
    await choose(page, 'Source', 'Metrics');
    await page.getByText('Choose a metric for every series').waitFor();
    await page.getByLabel('Metric', { exact: true }).fill('http.server.requests');
    await page.getByLabel('Metric', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Type of the metric: Sum' }).waitFor();
    await chart(page).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name of the dashboard').fill('Requests');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The chart is saved').waitFor();
    await watch.isClean();
    const dashboards = await page.evaluate(async () => {
      const response = await fetch('/api/v2/dashboards', { headers: { 'x-sightline': '1' } });
      return ((await response.json()) as { data: { name: string; tiles: unknown[] }[] }).data;
    });
    expect(dashboards.find(({ name }) => name === 'Requests')?.tiles).toHaveLength(1);
    await context.close();
  });

  it('is built with the keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
    await goTo(page, 'e', '/explore');
    await chart(page).waitFor();
    await tabTo(page, 'Group by');
    await page.keyboard.type('SeverityText');
    await page.keyboard.press('Enter');
    await numbers(page).getByText('ERROR').waitFor();
    await watch.isClean();
    await context.close();
  });
});
