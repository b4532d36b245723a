import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { hostileRecord, openedSearch, rowPanel, rows, shopWorld } from './kit/search-page.ts';
import { views, type World } from './kit/world.ts';

describe.skipIf(browserMissing())('search', () => {
  let world: World;
  const nowMs = Date.now();

  beforeAll(async () => {
    world = await shopWorld(nowMs, hostileRecord(nowMs));
  });
  afterAll(() => world?.close());

  describe.each(views)('at $width px', (view) => {
    it('shows rows, histogram and facets without a complaint', async () => {
      const { page, watch, context } = await openedSearch(world, '/search', view);
      await page.getByText('1,201 rows', { exact: true }).waitFor();
      await watch.isClean();
      await rows(page).nth(1).click();
      await rowPanel(page).getByText('order.id').waitFor();
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
