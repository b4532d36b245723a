import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/kit/webhook-receiver.ts';
import { makeFiringAlert, makeSavedSearch, makeWebhook, receiverAllowed } from './kit/webhooks.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { hold } from './kit/hold.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World, type View } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;
/** A server without an object. */
let fresh: World;
let receiver: WebhookReceiver;
let searchId = '';
let hookId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [world, fresh, receiver] = await Promise.all([
    World.open(receiverAllowed),
    World.open(),
    startWebhookReceiver(),
  ]);
  await world.send(shopRecords(Date.now(), 1200));
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  hookId = await makeWebhook(page, 'on-call', { url: receiver.url });
  searchId = await makeSavedSearch(page, 'Errors', 'SeverityText:ERROR');
  await context.close();
});
afterAll(async () => {
  await Promise.all([world?.close(), fresh?.close(), receiver?.close()]);
});

const field = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).and(page.locator('input, textarea'));
const preview = (page: Page) => page.getByRole('region', { name: 'Preview', exact: true });
const verdict = (page: Page) => preview(page).getByText(/^Would (not )?have fired/);
const handle = (page: Page, name = 'Threshold') => page.getByRole('slider', { name, exact: true });
const toastOf = (page: Page, text: string) => page.getByRole('status').getByText(text);
const createButton = (page: Page) => page.getByRole('button', { name: 'Create alert' });

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click();
  await page.getByRole('option', { name: option }).first().click();
}

async function opened(path: string, view?: View) {
  const made = await world.signedIn(view);
  await made.page.goto(path);
  return made;
}

const newAlert = (view?: View) => opened(`/alerts/new?savedSearchId=${searchId}`, view);

interface StoredAlert {
  id: string;
  name?: string;
  threshold: number;
  channel: { webhookId: string };
  message?: string;
  tags?: string[];
}

const stored = (page: Page, id: string) => callApi<StoredAlert>(page, 'GET', `/alerts/${id}`);

/** The alert with that name. */
async function named(page: Page, name: string): Promise<StoredAlert & Record<string, unknown>> {
  const all = await callApi<(StoredAlert & Record<string, unknown>)[]>(page, 'GET', '/alerts');
  const found = all.find((one) => one.name === name);
  expect(found, name).toBeDefined();
  return found!;
}

/** An alert of one test, open in its editor. */
async function editing(name: string, fields: object = {}) {
  const made = await opened('/settings');
  const id = await makeFiringAlert(made.page, name, hookId, { threshold: 5, ...fields });
  await made.page.goto(`/alerts/${id}/edit`);
  await verdict(made.page).waitFor();
  return { ...made, id };
}

async function center(locator: Locator): Promise<{ x: number; y: number }> {
  const box = (await locator.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe.skipIf(isMissing).each(views)('the alert editor at $width px', (view) => {
  it('shows a preview of a search and of a tile, with groups, and a range', async () => {
    const { page, watch, context } = await newAlert(view);
    await verdict(page).waitFor();
    await watch.isClean();
    await field(page, 'Group by (optional)').fill('ServiceName');
    await preview(page).getByRole('list', { name: 'Series' }).getByText('checkout').waitFor();
    await choose(page, 'Fires when the value is', /^between/);
    await field(page, 'Upper threshold').fill('9');
    await handle(page, 'Upper threshold').waitFor();
    await watch.isClean();
    await page.getByText('notification', { exact: false }).first().waitFor();
    await context.close();
  });

  it('says what is missing on an empty server, and what failed', async () => {
    const { page, watch, context } = await fresh.signedIn(view);
    await page.goto('/alerts/new');
    await page.getByText('Nothing to preview yet').waitFor();
    await page.getByRole('group', { name: 'New search' }).waitFor();
    await page.locator('.cm-content').waitFor();
    await watch.isClean();
    await page.getByText('Dashboard tile', { exact: true }).click();
    await page.getByText('There is no dashboard yet.').waitFor();
    await watch.isClean();
    watch.expect(/ERR_FAILED|404/);
    await page.route('**/api/v2/webhooks', (route) => route.abort());
    await page.reload();
    await page.getByText('The editor cannot be shown').waitFor();
    await watch.isClean();
    await page.unroute('**/api/v2/webhooks');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing to preview yet').waitFor();
    await page.goto('/alerts/65f0c1d2e3a4b5c6d7e8f901/edit');
    await page.getByText('There is no such alert').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('shows a preview that failed in its place', async () => {
    const { page, watch, context } = await world.signedIn(view);
    watch.expect(/ERR_FAILED/);
    await page.route('**/api/v2/alerts/preview', (route) => route.abort());
    await page.goto(`/alerts/new?savedSearchId=${searchId}`);
    await preview(page).getByText('The preview failed').waitFor();
    await watch.isClean();
    await page.unroute('**/api/v2/alerts/preview');
    await preview(page).getByRole('button', { name: 'Try again' }).click();
    await verdict(page).waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the threshold', () => {
  it('is dragged by pointer, moved by keys and typed, and the preview follows', async () => {
    const { page, watch, context } = await newAlert();
    await field(page, 'Window').fill('1m');
    await preview(page).getByText('in 50 windows').waitFor();
    await verdict(page).getByText('Would have fired').waitFor();
    await handle(page).hover();
    const from = await center(handle(page));
    await page.mouse.down();
    await page.mouse.move(from.x, from.y - 60);
    // Above every value.
    await page.mouse.move(from.x, from.y - 320);
    await page.mouse.up();
    const dragged = Number(await field(page, 'Threshold').inputValue());
    expect(dragged).toBeGreaterThan(1);
    expect(Number(await handle(page).getAttribute('aria-valuenow'))).toBe(dragged);
    await preview(page).getByText('Would not have fired in 50 windows').waitFor();
    await handle(page).focus();
    await page.keyboard.press('ArrowUp');
    expect(Number(await field(page, 'Threshold').inputValue())).toBe(dragged + 1);
    await page.keyboard.press('PageDown');
    expect(Number(await field(page, 'Threshold').inputValue())).toBe(dragged - 9);
    await field(page, 'Threshold').fill('1');
    await verdict(page).getByText('Would have fired').waitFor();
    await watch.isClean();
    await field(page, 'Threshold').fill('many');
    await field(page, 'Threshold').blur();
    await page.getByText('must be a number').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('counts windows as the server does', async () => {
    const { page, watch, context } = await newAlert();
    await verdict(page).waitFor();
    const answered = page.waitForResponse('**/api/v2/alerts/preview');
    await choose(page, 'Windows', 'Last 20 windows');
    await preview(page).getByText('in 20 windows').waitFor();
    const { data } = (await (await answered).json()) as {
      data: { notifications: { reason: string }[] };
    };
    const { notifications } = data;
    const fired = notifications.filter(({ reason }) => reason === 'fired').length;
    await preview(page)
      .getByText(fired === 0 ? 'Would not have fired' : `Would have fired ${fired} time`)
      .waitFor();
    await preview(page)
      .getByText(/^\d+ notifications?$/)
      .click();
    await preview(page)
      .getByRole('group', { name: /notification/ })
      .getByText('● Began to fire')
      .first()
      .waitFor();
    await watch.isClean();
    await context.close();
  });

  it('waits for a slow preview, and lets the person cancel it', async () => {
    const { page, watch, context } = await newAlert();
    await verdict(page).waitFor();
    const release = await hold(page, '**/api/v2/alerts/preview');
    await field(page, 'Threshold').fill('7');
    await preview(page)
      .getByText(/Evaluating for \d+ s/)
      .waitFor();
    await watch.isClean();
    await preview(page).getByRole('button', { name: 'Cancel' }).click();
    await preview(page)
      .getByText(/Evaluating for/)
      .waitFor({ state: 'detached' });
    await release();
    await context.close();
  });
});

describe.skipIf(isMissing)('a new alert', () => {
  it('is made by mouse of a search that is saved here, with a webhook made here', async () => {
    const { page, watch, context } = await opened('/alerts/new');
    await choose(page, 'Saved search', 'New search…');
    await field(page, 'Name of the search').fill('Failed charges');
    await page.locator('.cm-content').click();
    await page.keyboard.type('SeverityText:ERROR ServiceName:checkout');
    await page.getByRole('button', { name: 'Save this search' }).click();
    await toastOf(page, '“Failed charges” is saved.').waitFor();
    await verdict(page).waitFor();
    await page.getByText('SeverityText:ERROR ServiceName:checkout', { exact: true }).waitFor();
    await field(page, 'Message (optional)').fill('Call the bank');
    await field(page, 'Tags (optional)').fill('shop, money');
    await page.getByRole('button', { name: 'Remove webhook on-call' }).click();
    await page.getByRole('button', { name: 'New webhook…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Name', { exact: true }).fill('made here');
    await dialog.getByLabel('URL', { exact: true }).fill(receiver.url);
    await dialog.getByLabel('Signing secret').fill('EXAMPLE-SECRET-OF-HOOK');
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.waitFor({ state: 'detached' });
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send a test to made here' }).click();
    await page.getByText(/^Delivered: status 200/).waitFor();
    await receiver.waitFor(before + 1);
    await watch.isClean();
    await createButton(page).click();
    await toastOf(page, '“Failed charges” is created.').waitFor();
    expect(await named(page, 'Failed charges')).toMatchObject({
      message: 'Call the bank',
      tags: ['shop', 'money'],
      interval: '5m',
      threshold: 1,
    });
    await keepsNothingOf(page, 'EXAMPLE-SECRET-OF-HOOK', receiver.url);
    // Another test begins with the only webhook.
    const { id, channel } = await named(page, 'Failed charges');
    await callApi(page, 'DELETE', `/alerts/${id}`);
    await callApi(page, 'DELETE', `/webhooks/${channel.webhookId}`);
    await watch.isClean();
    await context.close();
  });

  it('is made by keyboard alone, from the palette', async () => {
    const { page, watch, context } = await opened('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new alert');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/alerts/new');
    await tabTo(page, 'Saved search: Choose a saved search');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Errors');
    await page.keyboard.press('Enter');
    await verdict(page).waitFor();
    await tabTo(page, 'Threshold');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3');
    await tabTo(page, 'Name');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Control+Enter');
    await toastOf(page, '“By keys” is created.').waitFor();
    expect(await named(page, 'By keys')).toMatchObject({ threshold: 3, savedSearch: searchId });
    await watch.isClean();
    await context.close();
  });

  it('begins with a tile, and follows the groups and the numbers of it', async () => {
    const { page, watch, context } = await opened('/settings');
    const id = await makeDashboard(page, shopDashboard(await logSource(page), 'Shop of tiles'));
    const { tiles } = await callApi<{ tiles: { id: string; name: string }[] }>(
      page,
      'GET',
      `/dashboards/${id}`,
    );
    const tile = (name: string) => tiles.find((one) => one.name === name)?.id;
    await page.goto(`/alerts/new?dashboardId=${id}&tileId=${tile('Orders by service')}`);
    await preview(page).getByRole('list', { name: 'Series' }).getByText('checkout').waitFor();
    await watch.isClean();
    await choose(page, 'Tile', 'Share of errors');
    await handle(page).getByText('≥ 100.0 %').waitFor();
    await page.getByText('Shown as 100.0 %.').waitFor();
    await createButton(page).click();
    await toastOf(page, '“Share of errors” is created.').waitFor();
    expect(await named(page, 'Share of errors')).toMatchObject({
      source: 'tile',
      dashboard: id,
      tileId: tile('Share of errors'),
    });
    await context.close();
  });

  it('says at its field what is missing, and what the server refuses', async () => {
    const { page, watch, context } = await opened('/alerts/new');
    watch.expect(/400/);
    await page.getByRole('button', { name: 'Remove webhook on-call' }).click();
    await field(page, 'Window').fill('8d');
    await field(page, 'Windows in a row').fill('0');
    await createButton(page).click();
    await page.getByText('Choose a saved search, or save a new one.').waitFor();
    await page.getByText('must be a duration such as 5m').waitFor();
    await page.getByText('must be at least 1').waitFor();
    await page.getByText('Choose a webhook, or create one.').waitFor();
    await watch.isClean();
    await choose(page, 'Saved search', 'Errors');
    await field(page, 'Window').fill('5m');
    await field(page, 'Windows in a row').fill('1');
    await field(page, 'Group by (optional)').fill('no such ( column');
    await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
    await choose(page, 'Add a webhook', /on-call/);
    await createButton(page).click();
    const groupBy = field(page, 'Group by (optional)');
    await expect.poll(() => groupBy.getAttribute('aria-invalid')).toBe('true');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('an alert', () => {
  it('is changed, and keeps what the editor does not show', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { page, watch, context, id } = await editing('To change', { silencedUntil: until });
    await field(page, 'Threshold').fill('12');
    await choose(page, 'Severity', 'Warning');
    await page.keyboard.press('Control+s');
    await toastOf(page, '“To change” is saved.').waitFor();
    expect(await stored(page, id)).toMatchObject({
      threshold: 12,
      severity: 'warning',
      silencedUntil: until,
    });
    await watch.isClean();
    await context.close();
  });

  it('that somebody else changed shows theirs and mine', async () => {
    const { page, watch, context, id } = await editing('Shared');
    watch.expect(/412/);
    await field(page, 'Threshold').fill('8');
    await callApi(page, 'PUT', `/alerts/${id}`, { threshold: 9, message: 'theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '“Shared” has changed' });
    await dialog.getByRole('row', { name: 'Condition at or above 9 at or above 8' }).waitFor();
    await dialog.getByRole('row', { name: /^Message theirs/ }).waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Open theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await field(page, 'Threshold').inputValue()).toBe('9');
    await field(page, 'Threshold').fill('10');
    await callApi(page, 'PUT', `/alerts/${id}`, { message: 'theirs again' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await toastOf(page, '“Shared” is saved.').waitFor();
    expect(await stored(page, id)).toMatchObject({ threshold: 10, message: 'theirs' });
    await watch.isClean();
    await context.close();
  });

  it('with hostile names, messages, tags and groups stays text', async () => {
    const { page, watch, context } = await editing(hostileText, {
      message: hostileText,
      tags: ['<img src=x onerror=alert(1)>'],
      groupBy: 'Body',
    });
    expect(await field(page, 'Tags (optional)').inputValue()).toBe('<img src=x onerror=alert(1)>');
    await world.send([
      { service: hostileText, severity: 'ERROR', body: hostileText, atMs: Date.now() - 90_000 },
    ]);
    await choose(page, 'Windows', 'Last 100 windows');
    await preview(page).getByText('in 100 windows').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe(`Edit ${hostileText} · Sightline`);
    await watch.isClean();
    await context.close();
  });
});
