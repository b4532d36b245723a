import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { goTo, tabTo } from './kit/journey.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;
let sourceId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.send(shopRecords(Date.now(), 60));
});
afterAll(() => world?.close());

/** A page of the list with these dashboards and no others. */
async function listOf(
  bodies: (source: string) => object[],
  ...given: Parameters<World['signedIn']>
) {
  const made = await world.signedIn(...given);
  const { page } = made;
  await page.goto('/settings');
  sourceId = await logSource(page);
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/dashboards')) {
    await callApi(page, 'DELETE', `/dashboards/${id}`);
  }
  for (const body of bodies(sourceId)) {
    await makeDashboard(page, body);
  }
  await page.goto('/dashboards');
  return made;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const two = (source: string): object[] => [
  shopDashboard(source),
  { name: `${hostileText} of the night`, tags: ['night', hostileText.slice(0, 32)] },
];

describe.skipIf(isMissing)('list of dashboards', () => {
  describe.each(views)('at $width px', (view) => {
    it('shows dashboards with their tags, also hostile ones, without a complaint', async () => {
      const { page, watch, context } = await listOf(two, view);
      await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
      await page.getByRole('link', { name: `${hostileText} of the night` }).waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('says that there is none, and offers the first', async () => {
      const { page, watch, context } = await listOf(() => [], view);
      await page.getByText('There is no dashboard').waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says that the list failed, and tries again', async () => {
      const { page, watch, context } = await listOf(two, view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/api/v2/dashboards/summaries*', (route) => route.abort());
      await page.reload();
      await page.getByText('The dashboards cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/dashboards/summaries*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
      await context.close();
    });
  });

  it('finds by words and by tag, which the link keeps', async () => {
    const { page, watch, context } = await listOf(two);
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await page.getByLabel('Find a dashboard').fill('night');
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor({ state: 'detached' });
    await page.waitForURL(/find=night/);
    await page.getByLabel('Find a dashboard').fill('');
    await page.getByRole('list', { name: 'Tags' }).getByRole('button', { name: 'shop' }).click();
    await page.waitForURL(/tag=shop/);
    await page.reload();
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /of the night/ }).count()).toBe(0);
    await page.getByLabel('Find a dashboard').fill('night');
    await page.getByText('No dashboard is found').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('duplicates, and deletes what the person types the name of', async () => {
    const { page, watch, context } = await listOf(two);
    await page.getByRole('button', { name: 'Actions of Shop' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Actions of Shop (copy)' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const button = page.getByRole('button', { name: 'Delete dashboard' });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Type “Shop (copy)” to confirm').fill('Shop (copy)');
    await watch.isClean();
    await button.click();
    await row(page, 'Shop (copy)').waitFor({ state: 'detached' });
    await row(page, 'Shop').first().waitFor();
    await context.close();
  });

  it('names the alerts that a deleted dashboard takes with it', async () => {
    const { page, context } = await listOf((source) => [shopDashboard(source)]);
    interface Made {
      id: string;
      tiles: { id: string; name: string }[];
    }
    const [shop] = await callApi<Made[]>(page, 'GET', '/dashboards');
    const hook = { name: 'ops', service: 'generic', url: 'https://example.com/hook' };
    const webhook = await callApi<{ id: string }>(page, 'POST', '/webhooks', hook);
    await callApi(page, 'POST', '/alerts', {
      name: 'Too many records',
      source: 'tile',
      dashboardId: shop?.id,
      tileId: shop?.tiles.find(({ name }) => name === 'Records')?.id,
      interval: '1m',
      threshold: 5,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: webhook.id },
    });
    await page.getByRole('button', { name: 'Actions of Shop' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByText('Its alerts go with it: Too many records.').waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('dashboards as files', () => {
  it('exports and imports, and maps a source that this team does not have', async () => {
    const { page, watch, context } = await listOf((source) => [shopDashboard(source)]);
    await page.evaluate(
      () => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker,
    );
    await page.getByRole('button', { name: 'Actions of Shop' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    const file = await (await download).path();
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ sightline: 'dashboard', sources: [{ kind: 'log' }] });

    const foreign = text.replaceAll(sourceId, 'f'.repeat(24)).replaceAll('"Logs"', '"Their logs"');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('or its text').fill(foreign.replace('"Shop"', '"Shop, again"'));
    await page.getByText('Shop, again', { exact: true }).waitFor();
    const make = page.getByRole('button', { name: 'Import dashboard' });
    expect(await make.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Source for Their logs' }).click();
    await page.getByRole('option', { name: /Logs/ }).click();
    await watch.isClean();
    await make.click();
    await page.getByRole('heading', { name: 'Shop, again' }).waitFor();
    await page.getByRole('region', { name: 'Records', exact: true }).getByText('60').waitFor();
    await context.close();
  });

  it('says what is wrong with a file, and where', async () => {
    const { page, watch, context } = await listOf(() => []);
    watch.expect(/400/);
    await page.getByRole('button', { name: 'Import' }).click();
    const text = page.getByLabel('or its text');
    await text.fill('{"rows": 1}');
    await page.getByText('The file is not a dashboard: it has no list of "tiles".').waitFor();
    await text.fill('{"name": "x", "tiles": [{"x": 99, "config": {"displayType": "markdown"}}]}');
    await page.getByRole('button', { name: 'Import dashboard' }).click();
    await page.getByText('tiles.0.x: must be at most 23').waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('dashboards by keyboard alone', () => {
  it('makes a dashboard and comes back to it', async () => {
    const { page, watch, context } = await listOf(() => []);
    await page.goto('/search');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await goTo(page, 'd', '/dashboards');
    await page.getByText('There is no dashboard').waitFor();
    await tabTo(page, 'New dashboard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('By hand');
    await page.keyboard.press('Tab');
    await page.keyboard.type('mine, mine, yours');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By hand' }).waitFor();
    await watch.isClean();
    await goTo(page, 'd', '/dashboards');
    await row(page, 'By hand').getByRole('button', { name: 'Only the tag yours' }).waitFor();
    await context.close();
  });
});
