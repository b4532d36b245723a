import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { noon, shopErrors, webhook, worldStart } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard } from './kit/dashboards.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, type View } from './kit/world.ts';

const isMissing = browserMissing();
let play: AlertWorld;
let dashboardId = '';
let alertId = '';

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const firing = 'Firing: Errors of a service, at or above 10 in 1m';
const several = 'Alerts: Pending +1';
const open = (search = '', view?: View) => play.open(`/dashboards/${dashboardId}${search}`, view);

/** A chart with an alert that fires, a number with two alerts, and a number without. */
async function makeAlerts(page: Page): Promise<void> {
  const sourceId = await logSource(page);
  const errors = [{ aggFn: 'count', where: 'SeverityText:ERROR' }];
  const place = (x: number) => ({ x, y: 0, w: 8, h: 4 });
  const config = { sourceId, select: errors };
  dashboardId = await makeDashboard(page, {
    name: 'Shop',
    tags: [],
    filters: [],
    tiles: [
      {
        name: 'Errors by service',
        ...place(0),
        config: { ...config, displayType: 'line', groupBy: 'ServiceName' },
      },
      { name: 'Errors', ...place(8), config: { ...config, displayType: 'number' } },
      { name: 'Records', ...place(16), config: { ...config, displayType: 'number' } },
    ],
  });
  const { tiles } = await callApi<{ tiles: { id: string }[] }>(
    page,
    'GET',
    `/dashboards/${dashboardId}`,
  );
  const hook = await webhook(page, 'on-call', play.receiver.url);
  const make = async (name: string, at: number, change: object): Promise<string> => {
    const { id } = await callApi<{ id: string }>(page, 'POST', '/alerts', {
      name,
      source: 'tile',
      dashboardId,
      tileId: tiles[at]?.id,
      interval: '1m',
      threshold: 10,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: hook.id },
      ...change,
    });
    return id;
  };
  alertId = await make('Errors of a service', 0, {});
  await make(`Quiet ${hostileText}`, 1, { threshold: 1000 });
  await make('Errors for an hour', 1, { numConsecutiveWindows: 90, threshold: 2 });
}

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  play = await openAlertWorld(worldStart);
  await play.world.send(shopErrors());
  const { page, context } = await play.world.signedIn();
  await page.goto('/settings');
  await makeAlerts(page);
  await context.close();
  await play.runUntil(noon + 10_000);
});
afterAll(() => play?.close());

describe.skipIf(isMissing)('alerts on a dashboard', () => {
  it.each(views)('say their state on their tile at $width px', async (view) => {
    const { page, watch, context } = await open('', view);
    const lines = tile(page, 'Errors by service');
    await lines.getByRole('group', { name: /^Errors by service, threshold 10\. cart/ }).waitFor();
    await lines.getByRole('link', { name: firing }).getByText('Firing').waitFor();
    const bell = tile(page, 'Errors').getByRole('button', { name: several });
    await bell.scrollIntoViewIfNeeded();
    await bell.waitFor();
    await tile(page, 'Records').scrollIntoViewIfNeeded();
    await tile(page, 'Records').getByRole('definition').waitFor();
    expect(await tile(page, 'Records').getByRole('link').count()).toBe(0);
    await watch.isClean();
    await bell.click();
    await page.getByRole('menuitem', { name: `Quiet ${hostileText}` }).waitFor();
    await context.close();
  });

  it('lead to their page, by mouse and back', async () => {
    const { page, context } = await open();
    await page.getByRole('link', { name: firing }).click();
    await page.waitForURL(new RegExp(`/alerts/${alertId}$`));
    await page.getByRole('heading', { name: 'Errors of a service' }).waitFor();
    await page.goBack();
    await tile(page, 'Errors').getByRole('button', { name: several }).click();
    await page.getByRole('menuitem', { name: /Errors for an hour.*Pending/ }).click();
    await page.getByRole('heading', { name: 'Errors for an hour' }).waitFor();
    await context.close();
  });

  it('lead to their page by keyboard', async () => {
    const { page, context } = await open();
    await page.getByRole('link', { name: firing }).focus();
    await page.getByRole('tooltip').getByText(firing).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Errors of a service' }).waitFor();
    await page.goBack();
    await tile(page, 'Errors').getByRole('button', { name: several }).focus();
    await page.keyboard.press('Enter');
    const focused = (name: RegExp) =>
      page.locator('[role="menuitem"]:focus').filter({ hasText: name }).waitFor();
    await focused(/Errors for an hour/);
    await page.keyboard.press('ArrowDown');
    await focused(/Quiet/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Quiet/ }).waitFor();
    await context.close();
  });

  it('set the buckets of a chart that chooses its own, so that the threshold fits', async () => {
    const { page, context } = await play.open('/settings');
    const grouped: unknown[] = [];
    await page.route('**/api/v2/charts/batch', async (route) => {
      const { requests } = route.request().postDataJSON() as {
        requests: { granularity?: string; series: { groupBy: string[] }[] }[];
      };
      const own = requests.filter(({ series }) => series[0]?.groupBy.length === 1);
      grouped.push(...own.map(({ granularity }) => granularity));
      await route.continue();
    });
    await page.goto(`/dashboards/${dashboardId}`);
    await tile(page, 'Errors by service')
      .getByRole('group', { name: /threshold 10/ })
      .waitFor();
    expect(grouped.at(-1)).toBe('1m');
    await context.close();
  });

  it('stay on their tiles while these are arranged, and on a tile alone', async () => {
    const { page, watch, context } = await open('?edit=1');
    await page.getByRole('link', { name: firing }).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions of Errors by service' }).click();
    await page.getByRole('menuitem', { name: 'Show alone' }).click();
    await page
      .getByRole('dialog')
      .getByRole('group', { name: /threshold 10/ })
      .waitFor();
    await context.close();
  });

  it('leave the dashboard as it is if they cannot be read, and say so', async () => {
    const { page, watch, context } = await play.open('/settings');
    watch.expect(/ERR_FAILED/);
    await page.route('**/api/v2/alerts?*', (route) => route.abort());
    await page.goto(`/dashboards/${dashboardId}`);
    await tile(page, 'Errors by service')
      .getByRole('group', { name: /cart: last/ })
      .waitFor();
    await page.getByText(/^The states of alerts are not known\./).waitFor();
    await watch.isClean();
    await page.unroute('**/api/v2/alerts?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: firing }).waitFor();
    await context.close();
  });

  it('follow the incident', async () => {
    await play.runUntil(noon + 190_000);
    const { page, context } = await open();
    await page.getByRole('link', { name: firing.replace('Firing', 'Inactive') }).waitFor();
    await context.close();
  });
});
