import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startCluster, type ClickHouseCluster } from '../../test/kit/clickhouse-cluster.ts';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { shopMetrics } from './kit/metrics.ts';
import { shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
const away = 'Shard 2 of the ClickHouse cluster does not respond. Its rows are missing';
let cluster: ClickHouseCluster;
let world: World;
let dashboardId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  cluster = await startCluster(2);
  world = await World.open({
    SIGHTLINE_CLICKHOUSE_URL: cluster.servers.map(({ url }) => url).join(','),
    SIGHTLINE_CLICKHOUSE_CLUSTER: cluster.name,
  });
  // The times differ, because a request that repeats is stored once.
  for (const secondsAgo of [0, 60]) {
    await world.send(shopRecords(Date.now() - secondsAgo * 1000, 1200));
  }
  // Each request goes to one shard: enough of them that both have metrics.
  for (let secondsAgo = 0; secondsAgo < 16; secondsAgo++) {
    await world.sendMetrics(shopMetrics(Date.now() - secondsAgo * 1000));
  }
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  dashboardId = await makeDashboard(page, shopDashboard(await logSource(page)));
  await page.goto(`/dashboards/${dashboardId}`);
  await tile(page, 'Records').getByText('2,400', { exact: true }).waitFor();
  await context.close();
  await cluster.servers[1]?.kill();
});
afterAll(async () => {
  await world?.close();
  await cluster?.close();
});

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe.skipIf(isMissing)('a shard that does not respond', () => {
  describe.each(views)('at $width px', (view) => {
    it('is named on every tile that lacks its rows', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto(`/dashboards/${dashboardId}`);
      for (const name of ['Orders by service', 'Records', 'Services', 'Errors']) {
        await tile(page, name).scrollIntoViewIfNeeded();
        await tile(page, name).getByText(`${away} here.`).waitFor();
      }
      await watch.isClean();
      await context.close();
    });

    it('is named in Explore, in the metrics and in the search', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/explore');
      await page.getByText(`${away} here.`).waitFor();
      await watch.isClean();
      await page.goto('/metrics');
      await page.getByText(`${away} in this list.`).waitFor();
      await watch.isClean();
      await page.getByRole('link', { name: 'process.memory.usage' }).first().click();
      await page.getByText(`${away} here.`).waitFor();
      await watch.isClean();
      await page.goto('/search');
      await page.getByText(`${away} here, in the counts and in the facets.`).waitFor();
      await watch.isClean();
      await context.close();
    });
  });
});
