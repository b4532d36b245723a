import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/kit/webhook-receiver.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { shopRecords } from './kit/telemetry.ts';
import { receiverAllowed } from './kit/webhooks.ts';
import { World } from './kit/world.ts';

/**
 * The first ten minutes of a person who knows other systems: a dashboard with a variable, an alert
 * with a preview and a webhook, and a maintenance window. Each step uses only what the page names.
 */

const isMissing = browserMissing();
/** A screen that needs many more clicks has become harder. */
const clicksMax = 30;
let world: World;
let receiver: WebhookReceiver;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [world, receiver] = await Promise.all([World.open(receiverAllowed), startWebhookReceiver()]);
  await world.send(shopRecords(Date.now(), 1200));
});
afterAll(async () => {
  await Promise.all([world?.close(), receiver?.close()]);
});

type Click = (target: Locator) => Promise<void>;

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });
const input = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true });

async function buildDashboard(page: Page, click: Click): Promise<void> {
  await click(page.getByRole('link', { name: 'Dashboards' }));
  await click(button(page, 'New dashboard').first());
  await input(page, 'Name').fill('Shop');
  await click(button(page, 'Create dashboard'));
  await click(button(page, 'Add tile'));
  await click(page.getByRole('menuitem', { name: 'Lines over time' }));
  const panel = page.getByRole('complementary', { name: 'Tile' });
  await panel.getByLabel('Title').fill('Errors by service');
  await click(panel.locator('.cm-content'));
  await page.keyboard.type('SeverityText:ERROR');
  await page.keyboard.press('Enter');
  await panel.getByLabel('Group by').fill('ServiceName');
  await panel.getByLabel('Group by').press('Enter');
  await page.getByRole('group', { name: /checkout: last/ }).waitFor();
}

async function addVariable(page: Page, click: Click): Promise<void> {
  await click(button(page, /variables/));
  await click(button(page, 'Add filter'));
  await click(button(page.getByRole('dialog'), 'Done'));
  await click(button(page, 'Save').first());
  await page.waitForURL((url) => !url.search.includes('edit'));
  await click(button(page, /^Service:/));
  await click(page.getByRole('option', { name: /^checkout/ }));
  await page.keyboard.press('Escape');
  await button(page, 'Service: checkout').waitFor();
}

async function alertOfTile(page: Page, click: Click): Promise<void> {
  await click(button(page, 'Actions of Errors by service'));
  await click(page.getByRole('menuitem', { name: 'Create alert' }));
  await input(page, 'Window').fill('1m');
  await page.getByText('Would have fired').waitFor();
  const line = (await page.getByRole('slider', { name: 'Threshold' }).boundingBox())!;
  await page.mouse.move(line.x + 100, line.y + line.height / 2);
  await page.mouse.down();
  await page.mouse.move(line.x + 100, line.y - 300, { steps: 3 });
  await page.mouse.up();
  await page.getByText('Would not have fired').waitFor();
  await page.getByRole('textbox', { name: 'Threshold' }).fill('2');
  await click(button(page, 'New webhook…'));
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await input(dialog, 'Name').fill('On call');
  await input(dialog, 'URL').fill(receiver.url);
  await click(button(dialog, 'Send a test'));
  await dialog.getByText(/^Delivered: status 200/).waitFor();
  await click(button(dialog, 'Create webhook'));
  await dialog.waitFor({ state: 'detached' });
  await click(button(page, 'Create alert'));
  await page.getByText('“Errors by service” is created.').waitFor();
}

async function planMaintenance(page: Page, click: Click): Promise<void> {
  await click(page.getByRole('link', { name: 'Alerts' }).first());
  await click(page.getByRole('link', { name: 'Maintenance' }));
  await click(button(page, 'New window').first());
  const dialog = page.getByRole('dialog', { name: 'New maintenance window' });
  await input(dialog, 'Name').fill('Upgrade');
  await click(dialog.getByText('Some', { exact: true }));
  await click(button(dialog, 'Add an alert'));
  await click(page.getByRole('option', { name: 'Errors by service' }));
  await click(button(dialog, 'Create window'));
  await dialog.waitFor({ state: 'detached' });
}

interface Made {
  id: string;
  name: string;
}

describe.skipIf(isMissing)('the first ten minutes', () => {
  it('make a dashboard with a variable, an alert with a webhook, and a maintenance window', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search');
    let clicks = 0;
    const click: Click = async (target) => {
      clicks++;
      await target.click();
    };
    for (const step of [buildDashboard, addVariable, alertOfTile, planMaintenance]) {
      await step(page, click);
      await watch.isClean();
    }
    expect(clicks).toBeLessThanOrEqual(clicksMax);

    type Dashboard = Made & { filters: { expression: string }[]; tiles: { id: string }[] };
    const [dashboard] = await callApi<Dashboard[]>(page, 'GET', '/dashboards');
    expect(dashboard?.filters).toMatchObject([{ expression: 'ServiceName' }]);
    const [webhook] = await callApi<Made[]>(page, 'GET', '/webhooks');
    const [alert] = await callApi<Made[]>(page, 'GET', '/alerts');
    expect(alert).toMatchObject({
      dashboard: dashboard?.id,
      tileId: dashboard?.tiles[0]?.id,
      threshold: 2,
      interval: '1m',
      channel: { type: 'webhook', webhookId: webhook?.id },
    });
    const [window] = await callApi<Made[]>(page, 'GET', '/maintenance-windows');
    expect(window).toMatchObject({ name: 'Upgrade', alerts: { ids: [alert?.id] } });
    expect(receiver.received[0]?.json).toMatchObject({ type: 'alert.test' });
    await context.close();
  });
});
