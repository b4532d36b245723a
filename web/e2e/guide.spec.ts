import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startS3, type S3Peer } from '../../test/kit/s3.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/kit/webhook-receiver.ts';
import { browserMissing } from './kit/browser.ts';
import { sentUntilNow } from './kit/demo-shop.ts';
import { filters, rowPanel, rows } from './kit/search-page.ts';
import { smallPicture } from './kit/small-picture.ts';
import { receiverAllowed } from './kit/webhooks.ts';
import { account, World } from './kit/world.ts';

/** Follows docs/guide, but for drags and commands of a shell. `UPDATE_PICTURES=true` makes its pictures again. */

const folder = fileURLToPath(new URL('../../docs/guide/', import.meta.url));
const isUpdate = process.env['UPDATE_PICTURES'] === 'true';
const bytesMax = 700 * 1024;
const isMissing = browserMissing();
let world: World;
let receiver: WebhookReceiver;
let storage: S3Peer;
let page: Page;
let watch: Awaited<ReturnType<World['page']>>['watch'];

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [world, receiver, storage] = await Promise.all([
    World.open({ ...receiverAllowed, SIGHTLINE_ALLOW_HTTP_SOURCES: 'true' }),
    startWebhookReceiver(),
    startS3(),
  ]);
  await storage.bucket('shop');
  const orders = [1, 2, 3].map((id) => JSON.stringify({ id, city: 'Bern', price: 4.5 * id }));
  await storage.put('shop', 'orders/1.json', orders.join('\n'));
  ({ page, watch } = await world.page({ width: 1280, height: 720, theme: 'light' }));
});
afterAll(async () => {
  await Promise.all([world?.close(), receiver?.close(), storage?.remove()]);
});

const button = (name: string | RegExp, at: Page | Locator = page): Locator =>
  at.getByRole('button', { name });
const rail = (name: string): Locator => page.getByRole('link', { name, exact: true }).first();

async function picture(name: string): Promise<void> {
  if (isUpdate) {
    mkdirSync(`${folder}pictures`, { recursive: true });
    const messages = page.getByRole('status').getByRole('button', { name: 'Close' });
    await expect.poll(() => messages.count()).toBe(0);
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    writeFileSync(`${folder}pictures/${name}.webp`, await smallPicture(page));
  }
}

describe.skipIf(isMissing)('the guide', () => {
  it('leads to first data', async () => {
    watch.expect(/401/);
    await page.goto('/');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await button('Sign in').click();
    await page.getByRole('heading', { name: 'Welcome to Sightline' }).waitFor();
    await page.getByRole('heading', { name: 'Your own password' }).waitFor();
    for (const sender of ['curl', 'Collector', 'Node.js', 'Python', 'Java', 'Go']) {
      await page.getByRole('tab', { name: sender }).click();
      await page.getByLabel(`Snippet for ${sender}`).getByText(account.ingestionKey).waitFor();
    }
    await button('Copy').waitFor();
    await button('Start the demo shop').click();
    await page.waitForURL(/\/search\?/);
    await rows(page).first().waitFor();
    await watch.isClean();
    if (isUpdate) {
      await sentUntilNow(page);
      await page.reload();
      await rows(page).first().waitFor();
    }
    await picture('first-data');
  });

  it('leads through a search', async () => {
    await page.goto('/search');
    await page.locator('.cm-content').click();
    await page.keyboard.type('bank');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=bank/);
    const facets = page.getByRole('complementary', { name: 'Facets' });
    await facets.getByTitle('payment', { exact: true }).click();
    await filters(page).getByText('ServiceName is payment').waitFor();
    await rows(page).first().getByText('the bank did not answer').click();
    await rowPanel(page).getByText('the bank did not answer').first().waitFor();
    await picture('search');
    await rowPanel(page).getByRole('tab', { name: 'Context' }).click();
    await rowPanel(page)
      .getByRole('list', { name: /before and after/ })
      .waitFor();
    await button('Saved searches').click();
    await button('Save this search…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Bank errors');
    await button('Save', dialog).click();
    await page.waitForURL(/savedSearchId=/);
    await watch.isClean();
  });

  it('leads to a trace', async () => {
    await page.goto('/search?q=ServiceName:payment SeverityText:ERROR');
    await rows(page).first().click();
    await rowPanel(page).getByRole('tab', { name: 'Trace' }).click();
    await rowPanel(page).getByRole('link', { name: 'Open the trace' }).click();
    await page.waitForURL(/\/traces\//);
    await page.getByRole('region', { name: 'Span', exact: true }).waitFor();
    await picture('traces');
    await page
      .getByRole('region', { name: 'Span', exact: true })
      .getByRole('tab', { name: 'Logs' })
      .click();
    await page.goBack();
    await rows(page).first().waitFor();
    await rail('Services').click();
    await page.getByRole('heading', { name: 'Services' }).waitFor();
    await watch.isClean();
  });

  it('leads to a dashboard', async () => {
    await rail('Dashboards').click();
    await button('Import').waitFor();
    await button('New dashboard').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Checkout');
    await button('Create dashboard').click();
    await button('Add tile').click();
    await page.getByRole('menuitem', { name: 'Lines over time' }).click();
    const panel = page.getByRole('complementary', { name: 'Tile' });
    await panel.getByLabel('Title').fill('Errors by service');
    await panel.locator('.cm-content').click();
    await page.keyboard.type('SeverityText:ERROR');
    await panel.getByLabel('Group by').fill('ServiceName');
    await panel.getByLabel('Group by').press('Enter');
    await page.getByRole('group', { name: /payment: last/ }).waitFor();
    // The query was left before its completions were there.
    expect(await page.getByRole('option', { name: 'ERROR' }).count()).toBe(0);
    await button('Save').first().click();
    await page.waitForURL((url) => !url.search.includes('edit'));
    await watch.isClean();
    await rail('Dashboards').click();
    await page.getByRole('link', { name: 'Shop (demo)' }).click();
    await page.getByRole('region', { name: 'Recent errors' }).getByText('ERROR').first().waitFor();
    await picture('dashboards');
  });
});

describe.skipIf(isMissing)('the guide, further on', () => {
  it('leads to an alert and its reason', async () => {
    await page.goto('/search');
    await button('Saved searches').click();
    await page.getByRole('option', { name: /^Bank errors/ }).click();
    await page.waitForURL(/savedSearchId=/);
    await rows(page).first().waitFor();
    await button('Saved searches').click();
    await button('Create alert').click();
    await page.getByLabel('Window', { exact: true }).fill('1m');
    await page.getByText(/^Would (not )?have fired/).waitFor();
    await button('New webhook…').click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Name', { exact: true }).fill('On call');
    await dialog.getByLabel('URL', { exact: true }).fill(receiver.url);
    await button('Send a test', dialog).click();
    await dialog.getByText(/^Delivered: status 200/).waitFor();
    await button('Create webhook', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await button('Create alert').click();
    await page.getByText('“Bank errors” is created.').waitFor();
    await rail('Alerts').click();
    await page.getByRole('link', { name: 'Payment is failing' }).click();
    await button(/^Why: /)
      .first()
      .waitFor({ timeout: 150_000 });
    if (isUpdate) {
      // The shop has an incident every six minutes.
      await page.getByRole('region', { name: 'Incident' }).waitFor({ timeout: 600_000 });
    }
    await picture('alerts');
    await button(/^Why: /)
      .first()
      .click();
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    await watch.isClean();
  });

  it('leads to a pipe', async () => {
    await rail('Pipes').click();
    await page.getByRole('link', { name: 'New pipe' }).first().click();
    await page.getByRole('link', { name: /^Object storage/ }).click();
    await page.getByLabel('URL of the objects').fill(`${storage.endpoint}/shop/orders/*.json`);
    await page.getByLabel('Access key id').fill(storage.accessKey.accessKeyId);
    await page.getByLabel('Secret key').fill(storage.accessKey.secretKey);
    await button('Check connection').click();
    await page.getByText('The connection works').waitFor();
    await button('Next').click();
    await page.getByText('Bern').first().waitFor();
    await button('Next').click();
    await page.getByText('Proposed from the sample.').waitFor();
    await picture('pipes');
    await button('Next').click();
    await page.getByRole('textbox', { name: 'Table', exact: true }).fill('orders');
    await button('Next').click();
    await button('Create pipe').click();
    await page.waitForURL(/\/pipes\/[0-9a-f-]{36}$/);
    await page.getByText('Completed').first().waitFor();
    await watch.isClean();
  });

  it('leads to people and keys', async () => {
    await rail('Settings').click();
    await rail('Members').click();
    await page.getByText(account.email).first().waitFor();
    await picture('keys-and-people');
    await button('Add member').click();
    await page.getByRole('dialog', { name: 'Add a member' }).waitFor();
    await page.keyboard.press('Escape');
    await rail('Access keys').click();
    await button('New key').waitFor();
    await rail('Sessions').click();
    await page.getByText('This session').waitFor();
    await rail('Team').click();
    await button('Replace key…').waitFor();
    await rail('Sources').click();
    await page.getByText('New source', { exact: true }).first().waitFor();
    await watch.isClean();
  });
});

describe('the pages of the guide', () => {
  it('are listed, link to one another, and show every picture', () => {
    const texts = readdirSync(folder).filter((name) => name.endsWith('.md'));
    const index = readFileSync(`${folder}README.md`, 'utf8');
    const all = texts.map((name) => readFileSync(folder + name, 'utf8')).join('\n');
    for (const name of texts.filter((one) => one !== 'README.md')) {
      expect(index).toContain(`(${name})`);
    }
    const made = readdirSync(`${folder}pictures`);
    const shown = [...all.matchAll(/\(pictures\/([\w-]+\.webp)\)/g)].map(([, name]) => name);
    expect(shown.toSorted()).toEqual(made.toSorted());
    const bytes = made.reduce((sum, name) => sum + statSync(`${folder}pictures/${name}`).size, 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  });
});
