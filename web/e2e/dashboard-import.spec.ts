import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { grafanaShop } from './kit/grafana.ts';
import { tabTo } from './kit/journey.ts';
import { shopMetrics } from './kit/metrics.ts';
import { shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;
let directory = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  directory = await mkdtemp(join(tmpdir(), 'sightline-import-'));
  await world.send(shopRecords(Date.now(), 1200));
  await world.sendMetrics(shopMetrics(Date.now()));
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** What of the file cannot be carried over. */
const losses = [
  '“Requests”: rate and increase become the increase in each bucket.',
  '“Memory”: its thresholds are left out.',
  '“Latency”: there is no tile like the panel “heatmap”.',
  '“Forecast”: the query cannot be carried over: predict_linear(process_memory_usage_bytes[1h], 3600)',
  'Variable “env” (custom): only values of a label become a filter.',
];

async function reports(page: Page): Promise<void> {
  const report = page.getByRole('region', { name: 'What it becomes' });
  await report.getByText('Shop overview').waitFor();
  await expect.poll(() => report.getByRole('listitem').allTextContents()).toEqual(losses);
}

describe.skipIf(isMissing)('a dashboard of Grafana', () => {
  describe.each(views)('at $width px', (view) => {
    it('is imported from a file with a report, and shows its data', async () => {
      const file = join(directory, `shop-${view.width}.json`);
      await writeFile(file, JSON.stringify(grafanaShop, undefined, 2));
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/dashboards?import=1');
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await reports(page);
      await watch.isClean();
      await page.getByRole('button', { name: 'Import dashboard' }).click();
      await page.getByRole('heading', { name: 'Shop overview' }).waitFor();
      await page.waitForURL(/from=now-1h&to=now&every=30s/);
      await tile(page, 'Requests')
        .getByRole('group', { name: /\/cart: last/ })
        .waitFor();
      await tile(page, 'Memory').getByText(/GiB$/).waitFor();
      await tile(page, 'Queue')
        .getByRole('group', { name: /last \d+ ms/ })
        .waitFor();
      await tile(page, 'Refused payments').scrollIntoViewIfNeeded();
      await tile(page, 'Refused payments')
        .getByText(/charge \d+ failed/)
        .first()
        .waitFor();
      await watch.isClean();
      await context.close();
    });
  });

  it('has its variable as a filter with the values of the metric', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/dashboards?import=1');
    await page.getByLabel('or its text').fill(JSON.stringify(grafanaShop));
    await reports(page);
    await page.getByRole('button', { name: 'Import dashboard' }).click();
    await page.getByRole('button', { name: 'Route: all' }).click();
    await page.getByRole('option', { name: '/order' }).click();
    await page.keyboard.press('Escape');
    await tile(page, 'Requests')
      .getByRole('group', { name: /^Requests\. \/order: last/ })
      .waitFor();
    await watch.isClean();
    await context.close();
  });

  it('is pasted and imported by keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/dashboards');
    await tabTo(page, 'Import');
    await page.keyboard.press('Enter');
    await page.waitForURL(/import=1/);
    await tabTo(page, 'or its text');
    await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(grafanaShop));
    await page.keyboard.press('Control+v');
    await reports(page);
    await watch.isClean();
    await tabTo(page, 'Import dashboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shop overview' }).waitFor();
    await context.close();
  });
});
