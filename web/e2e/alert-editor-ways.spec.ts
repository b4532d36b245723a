import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { inEachTheme } from './kit/themes.ts';
import { shopRecords } from './kit/telemetry.ts';
import { makeFiringAlert, makeSavedSearch, makeWebhook } from './kit/webhooks.ts';
import { account, World } from './kit/world.ts';

/** The ways into the editor of alerts, and out of it. */

const isMissing = browserMissing();
let world: World;
let alertId = '';
let searchId = '';
let dashboardId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.send(shopRecords(Date.now(), 300));
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  const hookId = await makeWebhook(page, 'on-call', { url: 'https://hooks.example.com/a' });
  alertId = await makeFiringAlert(page, 'Errors', hookId);
  searchId = await makeSavedSearch(page, 'Slow orders', 'order');
  dashboardId = await makeDashboard(page, shopDashboard(await logSource(page)));
  await context.close();
});
afterAll(() => world?.close());

const verdict = (page: Page) => page.getByText(/^Would (not )?have fired/);
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const chosen = (page: Page, label: string, value: string) =>
  page.getByRole('button', { name: `${label}: ${value}`, exact: true }).waitFor();

async function opened(path: string) {
  const made = await world.signedIn();
  await made.page.goto(path);
  return made;
}

describe.skipIf(isMissing)('the editor of alerts opens', () => {
  it('from the list of alerts, for a new alert and for one by its key', async () => {
    const { page, watch, context } = await opened('/alerts');
    await page.getByRole('link', { name: 'Errors', exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/alerts/${alertId}/edit`);
    await page.goBack();
    await page.getByRole('link', { name: 'New alert' }).click();
    await page.getByText('Nothing to preview yet').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('from an alert, by its button, its key and its menu', async () => {
    const { page, watch, context } = await opened(`/alerts/${alertId}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await verdict(page).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.keyboard.press('e');
    await verdict(page).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'More actions of Errors' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await verdict(page).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('from a saved search', async () => {
    const { page, watch, context } = await opened(`/search?savedSearchId=${searchId}`);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Create alert' }).click();
    await chosen(page, 'Saved search', 'Slow orders');
    await verdict(page).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('from a tile of a dashboard', async () => {
    const { page, watch, context } = await opened(`/dashboards/${dashboardId}`);
    await page.getByRole('button', { name: 'Actions of Orders by service' }).click();
    await page.getByRole('menuitem', { name: 'Create alert' }).click();
    await chosen(page, 'Dashboard', 'Shop');
    await chosen(page, 'Tile', 'Orders by service');
    await verdict(page).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('from a chart of Explore, once a dashboard has it', async () => {
    const { page, watch, context } = await opened('/explore');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the dashboard').fill('Explored');
    await dialog.getByLabel('Title of the tile').fill('Records');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('link', { name: 'Create an alert for the chart' }).click();
    await chosen(page, 'Dashboard', 'Explored');
    await chosen(page, 'Tile', 'Records');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('an alert that is not saved', () => {
  it('is safe from Back, which asks first', async () => {
    const { page, watch, context } = await opened(`/alerts/${alertId}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await nameField(page).fill('Another name');
    await page.goBack();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await nameField(page).inputValue()).toBe('Another name');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.waitForURL(`**/alerts/${alertId}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await expect.poll(() => nameField(page).inputValue()).toBe('Errors');
    await watch.isClean();
    await context.close();
  });

  it('survives the end of the session, and is saved after the password', async () => {
    const { page, watch, context } = await opened(`/alerts/${alertId}/edit`);
    watch.expect(/401/);
    await verdict(page).waitFor();
    await page.getByRole('textbox', { name: 'Message (optional)' }).fill('Look at the bank.');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('“Errors” is saved.').waitFor();
    const { message } = await callApi<{ message: string }>(page, 'GET', `/alerts/${alertId}`);
    expect(message).toBe('Look at the bank.');
    await watch.isClean();
    await context.close();
  });

  it('survives a save that the server cannot take, and is saved later', async () => {
    const { page, watch, context } = await opened(`/alerts/${alertId}/edit`);
    watch.expect(/ERR_FAILED/);
    await verdict(page).waitFor();
    await nameField(page).fill('Errors of the shop');
    await page.route(`**/api/v2/alerts/${alertId}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await nameField(page).inputValue()).toBe('Errors of the shop');
    await watch.isClean();
    await page.unroute(`**/api/v2/alerts/${alertId}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“Errors of the shop” is saved.').waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('a draft', () => {
  it('survives a reload and a visit elsewhere, and is discarded', async () => {
    const { page, watch, context } = await opened(`/alerts/new?savedSearchId=${searchId}`);
    await verdict(page).waitFor();
    await nameField(page).fill('Half done');
    await page.getByText('This browser keeps a draft').waitFor();
    await page.reload();
    await page.getByText('This is your draft from an earlier visit.').waitFor();
    expect(await nameField(page).inputValue()).toBe('Half done');
    await watch.isClean();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Keep the draft and leave' }).click();
    await page.waitForURL('**/search*');
    // At once, while Search still loads.
    await page.goBack();
    await page.waitForURL('**/alerts/new*');
    expect(await nameField(page).inputValue()).toBe('Half done');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    expect(await nameField(page).inputValue()).toBe('');
    await page.reload();
    await verdict(page).waitFor();
    expect(await nameField(page).inputValue()).toBe('');
    await watch.isClean();
    await context.close();
  });

  it('of another build, or of anything else, is left out', async () => {
    const { page, watch, context } = await opened('/settings');
    await page.evaluate(() => {
      const broken = { version: '', base: {}, draft: { threshold: 5 } };
      localStorage.setItem('sightline.alertDrafts', JSON.stringify({ new: broken }));
    });
    await page.goto('/alerts/new');
    expect(await page.getByRole('textbox', { name: 'Threshold' }).inputValue()).toBe('1');
    await watch.isClean();
    await context.close();
  });
});

/** A person scrolls through the form, while its buttons stay in view. */
describe.skipIf(isMissing)('a webhook that is made in a dialog', () => {
  it('has the ground of the dialog, and buttons that nothing shines through', async () => {
    const { page, watch, context } = await opened('/alerts/new');
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.getByRole('button', { name: 'New webhook…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    const create = dialog.getByRole('button', { name: 'Create webhook' });
    await inEachTheme(page, async () => {
      expect(await groundOf(create)).toEqual(await groundOf(dialog));
    });
    await dialog.getByText('Credentials').scrollIntoViewIfNeeded();
    const isCovered = await create.evaluate((button) => {
      const { left, bottom } = button.closest('[role="dialog"]')!.getBoundingClientRect();
      return document.elementFromPoint(left + 30, bottom - 4)?.contains(button);
    });
    expect(isCovered).toBe(true);
    await watch.isClean();
    await context.close();
  });
});

/** The colour behind an element: its own, or that of what it is in. */
const groundOf = (element: Locator): Promise<string> =>
  element.evaluate((found) => {
    const isOpaque = (color: string): boolean => !/^(transparent|rgba\(.*, 0\))$/.test(color);
    let at: Element | null =
      found.closest('[role="dialog"]') === found ? found : found.parentElement;
    while (at && !isOpaque(getComputedStyle(at).backgroundColor)) {
      at = at.parentElement;
    }
    return at ? getComputedStyle(at).backgroundColor : '';
  });
