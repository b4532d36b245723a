import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const recordCount = 1200;

describe.skipIf(browserMissing())('search', () => {
  let world: World;
  const nowMs = Date.now();

  beforeAll(async () => {
    world = await World.open();
    await world.send([
      ...shopRecords(nowMs, recordCount),
      {
        service: hostileText,
        severity: 'WARN',
        body: hostileText,
        atMs: nowMs - 500,
        attributes: { [hostileText]: hostileText, 'order.id': '=1+1' },
      },
    ]);
  });
  afterAll(() => world?.close());

  const rows = (page: Page) => page.getByRole('grid', { name: 'Rows' }).locator('[data-index]');

  describe.each(views)('at $width px in $theme', (view) => {
    it('shows rows, histogram and facets without a complaint', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/search');
      await rows(page).first().waitFor();
      await page.getByText('1,201 rows', { exact: true }).waitFor();
      await page.locator('.cm-content').waitFor();
      await watch.isClean();
      await rows(page).nth(1).click();
      await page.getByRole('region', { name: 'Row', exact: true }).getByText('order.id').waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says why there are no rows, and what to do', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/search?q=nowhere&filters=is|ServiceName|cart');
      await page.getByText('No row of Logs in this range matches').waitFor();
      await page.getByRole('button', { name: 'Drop the last filter' }).waitFor();
      await watch.isClean();
      await context.close();
    });

    it('shows a failure in its region, and tries again', async () => {
      const { page, watch, context } = await world.signedIn(view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/api/v2/search', (route) => route.abort());
      await page.goto('/search');
      await page.getByText('The search failed').waitFor();
      await page.getByText('1,201 rows', { exact: true }).waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/search');
      await page.getByRole('button', { name: 'Try again' }).click();
      await rows(page).first().waitFor();
      await context.close();
    });
  });
});
