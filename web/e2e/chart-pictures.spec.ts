import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { shopMetrics } from './kit/metrics.ts';
import { looksAsKept } from './kit/pictures.ts';
import { shopOrders } from './kit/services.ts';
import { shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

/** The time on every picture. */
const now = new Date('2026-11-20T12:00:00Z');

describe.skipIf(browserMissing())('pictures of charts', () => {
  let world: World;
  let dashboardId = '';

  beforeAll(async () => {
    world = await World.open({
      SIGHTLINE_RETENTION_DAYS_LOGS: '0',
      SIGHTLINE_RETENTION_DAYS_METRICS: '0',
      SIGHTLINE_RETENTION_DAYS_TRACES: '0',
    });
    await world.send(shopRecords(now.getTime(), 1200));
    await world.sendMetrics(shopMetrics(now.getTime()));
    await world.sendSpans(shopOrders(now.getTime(), 200, 25));
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    dashboardId = await makeDashboard(page, shopDashboard(await logSource(page)));
    await context.close();
  });
  afterAll(() => world?.close());

  describe.each(views)('$width px', (view) => {
    const named = (name: string): string => `${name}-${view.width}`;

    it('dashboards, one with tiles, and one without rows', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto(`/dashboards/${dashboardId}`);
      const tile = (name: string) => page.getByRole('region', { name, exact: true });
      await tile('Orders by service')
        .getByRole('group', { name: /cart: last/ })
        .waitFor();
      await tile('By severity')
        .getByRole('group', { name: /INFO: last/ })
        .waitFor();
      await tile('Records').getByText('1,200', { exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('dashboard'));
      await page.goto(`/dashboards/${dashboardId}?from=1500000000000&to=1500000900000`);
      await tile('Records').getByText('No row in this range matches.').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('dashboard-empty'));
      await context.close();
    });

    it('metrics', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto('/metrics');
      await page.getByText('4 metrics').waitFor();
      await looksAsKept(page, named('metrics'));
      await context.close();
    });

    it('services, one of them, and their map', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto('/services');
      await page.getByRole('table', { name: 'Services' }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('services'));
      await page.goto('/services?service=payment');
      await page.getByRole('table', { name: 'Calls' }).waitFor();
      await page.getByRole('group', { name: /^Duration of payment/ }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('service'));
      await page.goto('/services?view=map');
      await page.locator('[data-key="service payment"]').waitFor();
      await looksAsKept(page, named('services-map'));
      await context.close();
    });

    it('explore', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto('/explore');
      await page.locator('.cm-content').waitFor();
      await page.getByLabel('Group by').fill('ServiceName');
      await page.getByLabel('Group by').press('Enter');
      await page.getByRole('group', { name: 'Numbers of each series' }).getByText('cart').waitFor();
      await page.locator('main h1, h1').first().click();
      await looksAsKept(page, named('explore'));
      await context.close();
    });
  });
});
