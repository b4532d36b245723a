import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { noon, shopErrors } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { tabTo } from './kit/journey.ts';
import { isReady, rows } from './kit/search-page.ts';

/** Save a search, make its alert, get the message, and open the alert from its link. */

const isMissing = browserMissing();
const query = 'SeverityText:ERROR ServiceName:cart';
let play: AlertWorld;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  // The incident of the shop began nine minutes before noon.
  play = await openAlertWorld(noon - 5 * 60_000);
  await play.world.send(shopErrors());
});
afterAll(() => play?.close());

interface Message {
  type: string;
  data: { title: string; links: { alert: string; data: string } };
}

async function followsMessage(page: Page, alert: string, untilMs: number): Promise<void> {
  await play.runUntil(untilMs);
  const messages = play.receiver.received.map(({ json }) => json as Message);
  const fired = messages.filter(({ data }) => data.title === `${alert} is firing`);
  expect(fired.map(({ type }) => type)).toEqual(['alert.firing']);
  const { links } = fired[0]!.data;
  await page.clock.setFixedTime(play.now());
  await page.goto(links.alert);
  await page.getByRole('heading', { name: alert }).waitFor();
  await page.goto(links.data);
  await rows(page).first().waitFor();
}

describe.skipIf(isMissing)('from a search to the message of its alert and back', () => {
  it('by mouse', async () => {
    const { page, watch, context } = await play.open('/search');
    await isReady(page);
    await page.locator('.cm-content').click();
    await page.keyboard.type(query);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForURL(/q=/);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Save this search…' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Cart errors');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/savedSearchId=/);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByLabel('Window', { exact: true }).fill('1m');
    await page.getByText(/^Would have fired/).waitFor();
    await page.getByRole('button', { name: 'New webhook…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Name', { exact: true }).fill('On call');
    await dialog.getByLabel('URL', { exact: true }).fill(play.receiver.url);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByText('“Cart errors” is created.').waitFor();
    await followsMessage(page, 'Cart errors', noon - 2 * 60_000);
    await watch.isClean();
    await context.close();
  });

  it('by keyboard alone', async () => {
    const { page, watch, context } = await play.open('/search');
    await isReady(page);
    await page.keyboard.press('/');
    await page.keyboard.type(`${query} `);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=/);
    await tabTo(page, 'Saved searches');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Save this search…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save this search' }).waitFor();
    await page.keyboard.type('Cart by keys');
    await page.keyboard.press('Enter');
    await page.waitForURL(/savedSearchId=/);
    // The focus is where it was before the dialog.
    await page
      .getByRole('button', { name: 'Saved searches' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Create alert');
    await page.keyboard.press('Enter');
    await page.waitForURL(/alerts\/new/);
    await page.getByText(/^Would (not )?have fired/).waitFor();
    await tabTo(page, 'Window');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('1m');
    await page.getByText(/^Would have fired/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('“Cart by keys” is created.').waitFor();
    await followsMessage(page, 'Cart by keys', noon);
    await watch.isClean();
    await context.close();
  });
});
