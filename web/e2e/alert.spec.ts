import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { names, noon, playShop, worldStart, type ShopAlerts } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, wide, type View } from './kit/world.ts';

const isMissing = browserMissing();
const minute = 60_000;
let play: AlertWorld;
let made: ShopAlerts;

beforeAll(async () => {
  if (!isMissing) {
    play = await openAlertWorld(worldStart);
    made = await playShop(play);
  }
});
afterAll(() => play?.close());

const open = (which: keyof ShopAlerts, search = '', view?: View) =>
  play.open(`/alerts/${made[which]}${search}`, view);
const chart = (page: Page) => page.getByRole('group', { name: /^Value\. / });
const why = (page: Page) => page.getByRole('region', { name: 'Why' });
/** Newest first; the first row is the head. */
const evaluation = (page: Page, number: number) =>
  page.getByRole('table', { name: 'Evaluations' }).getByRole('row').nth(number);
const phone: View = { width: 390, height: 844, theme: 'light' };

interface Message {
  data: { title: string; reason: string; links: { alert: string; data: string } };
}

describe.skipIf(isMissing)('alert', () => {
  describe.each(views)('at $width px', (view) => {
    it('shows value, state, incident and evaluations', async () => {
      const { page, watch, context } = await open('firing', '', view);
      await chart(page).waitFor();
      await page.getByRole('img', { name: /^State\. / }).waitFor();
      await page
        .getByRole('region', { name: 'Incident' })
        .getByText(/^Fires since/)
        .waitFor();
      await evaluation(page, 1).getByText('Firing').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('says why, beside the page or over it', async () => {
      const { page, watch, context } = await open('firing', `?window=${noon}`, view);
      await why(page).getByText('There was nothing to tell').waitFor();
      await watch.isClean();
      await context.close();
    });

    it('lists deliveries and the definition', async () => {
      const { page, watch, context } = await open('firing', '?tab=deliveries', view);
      await page
        .getByRole('row', { name: /Began to fire/ })
        .first()
        .waitFor();
      await watch.isClean();
      await page.getByRole('tab', { name: 'Definition' }).click();
      await page.getByText(`Call the bank. ${hostileText}`).waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says that it is gone', async () => {
      const { page, watch, context } = await play.open(`/alerts/${'f'.repeat(24)}`, view);
      watch.expect(/404/);
      await page.getByText('There is no such alert').waitFor();
      await watch.isClean();
      await page.getByRole('link', { name: 'Alerts' }).last().click();
      await page.waitForURL(/\/alerts$/);
      await context.close();
    });

    it('keeps the page if its history fails, and tries again', async () => {
      const { page, watch, context } = await play.open('/settings', view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/history?*', (route) => route.abort());
      await page.goto(`/alerts/${made.firing}`);
      await page.getByText('The history cannot be shown').waitFor();
      await page.getByText(/^Fires if the number of rows of/).waitFor();
      await watch.isClean();
      await page.unroute('**/history?*');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await chart(page).waitFor();
      await context.close();
    });
  });

  it('says in a sentence when it fires, and what it watches', async () => {
    const { page, context } = await open('firing');
    await page
      .getByText(
        'Fires if the number of rows of Errors of the shop in 1m is at or above 12, 2 windows in a row.',
      )
      .waitFor();
    await page.getByRole('link', { name: 'Errors of the shop' }).click();
    await page.waitForURL(/\/search\?.*savedSearchId=/);
    await context.close();
  });

  it('says which values and states there were, for people who see no chart', async () => {
    const { page, context } = await open('firing');
    await expect
      .poll(() => chart(page).getAttribute('aria-label'))
      .toMatch(/^Value\. Value: last 1\d, highest 1\d\.$/);
    const lanes = page.getByRole('img', { name: /^State\. / });
    expect(await lanes.getAttribute('aria-label')).toMatch(/: firing; .*: inactive; .*: firing\.$/);
    await context.close();
  });
});

describe.skipIf(isMissing)('what an alert saw', () => {
  it('shows groups, and one of them alone, which the link keeps', async () => {
    const { page, watch, context } = await open('grouped');
    await page
      .getByRole('region', { name: 'Incident' })
      .getByText('cart', { exact: true })
      .waitFor();
    await page.getByRole('list', { name: 'Series' }).getByText('payment').waitFor();
    await evaluation(page, 1).getByText('1 of 2 firing').waitFor();
    await page.goto(`/alerts/${made.grouped}?group=payment`);
    await page.getByText('Only payment of 2 groups.').waitFor();
    await evaluation(page, 1).getByText('Inactive').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Show all groups' }).click();
    await page.getByText('Only payment of 2 groups.').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('explains a window step by step, and opens its rows with their group', async () => {
    const { page, watch, context } = await open('grouped');
    const first = page.getByRole('row').filter({ hasText: 'Breached the threshold' }).first();
    await first.getByRole('button', { name: /^Why: / }).click();
    await page.waitForURL(/window=\d{13}/);
    await why(page).getByText('A receiver was told').waitFor();
    const steps = why(page).getByRole('list', { name: 'Steps' });
    await steps.getByText(/^The value is 1\d\.$/).waitFor();
    await steps.getByText(/breaches the threshold \(at or above 10\)/).waitFor();
    await steps.getByText(`“on-call ${hostileText}”`).waitFor();
    await why(page).getByText('status 200').waitFor();
    const value = Number(/\d+/.exec(await steps.getByText(/^The value is/).innerText())?.[0]);
    await watch.isClean();
    await why(page).getByRole('link', { name: 'Open the rows of this window' }).click();
    await page.waitForURL(/\/search\?.*filters=is%7CServiceName%7Ccart/);
    await page.getByText(`${value} rows`).first().waitFor();
    await page.goBack();
    await why(page).getByText('A receiver was told').waitFor();
    await why(page)
      .getByRole('button', { name: /^Group: cart/ })
      .click();
    await page.getByRole('option', { name: /payment/ }).click();
    await page.waitForURL(/group=payment/);
    await why(page).getByText('There was nothing to tell').waitFor();
    await context.close();
  });

  it('shows what receivers answered, attempt by attempt', async () => {
    const { page, watch, context } = await open('firing', '?tab=deliveries');
    const row = page.getByRole('row', { name: /Still fires/ }).first();
    await row.getByText('Delivered').waitFor();
    await row.getByRole('button', { name: /^1 attempt: / }).click();
    await page.getByText('status 200').waitFor();
    await page.getByText('ok', { exact: true }).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Why it was sent' }).click();
    await why(page).getByText('A receiver was told').waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('address of an alert', () => {
  it('opens from the link of a message', async () => {
    const message = play.receiver.received
      .map(({ json }) => json as Message)
      .find(({ data }) => data.title === `${names.firing} is firing`);
    const { page, context } = await play.open('/settings');
    await page.goto(message?.data.links.alert ?? '');
    await page.getByRole('heading', { name: names.firing }).waitFor();
    await page.goto(message?.data.links.data ?? '');
    await page
      .getByText(/\d+ rows/)
      .first()
      .waitFor();
    await context.close();
  });

  it('zooms by the brush, and Back returns', async () => {
    const { page, watch, context } = await open('firing');
    await evaluation(page, 1).waitFor();
    const box = (await chart(page).boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+&to=\d+/);
    await evaluation(page, 1).waitFor();
    await watch.isClean();
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
    await context.close();
  });

  it('drops broken parameters, and says which', async () => {
    const { page, context } = await open('firing', '?window=soon&tab=nothing&from=yesterday');
    await page.getByText(/^Left out, .*: window, tab, from\.$/).waitFor();
    await chart(page).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('work on an alert', () => {
  it('acknowledges one group with a note that stays text, and withdraws it', async () => {
    const { page, watch, context } = await open('grouped');
    const incident = page.getByRole('region', { name: 'Incident' });
    await incident.getByRole('button', { name: 'Acknowledge cart' }).click();
    await page.getByLabel('Note for the others').fill(`Calling the bank ${hostileText}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await incident.getByText('ada@example.com').waitFor();
    await incident.getByText(`Calling the bank ${hostileText}`).waitFor();
    await watch.isClean();
    await incident.getByRole('button', { name: 'Withdraw' }).click();
    await incident.getByText('Nobody has acknowledged it.').waitFor();
    await context.close();
  });

  it('silences in two taps on a phone', async () => {
    const { page, watch, context } = await open('grouped', '', phone);
    await page.getByRole('button', { name: 'Silence', exact: true }).tap();
    await page.getByRole('menuitem', { name: '1 hour' }).tap();
    await page.getByText(/^Silenced until Nov 20 13:00/).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'End the silence' }).tap();
    await page.getByText(/^Silenced until/).waitFor({ state: 'detached' });
    await context.close();
  });

  it('closes the explanation with Back on a phone', async () => {
    const { page, context } = await open('firing', '', phone);
    await evaluation(page, 1).getByRole('button').tap();
    await why(page).waitFor();
    await page.goBack();
    await why(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: names.firing }).waitFor();
    await context.close();
  });

  it('shows both versions if somebody else changed the tags meanwhile', async () => {
    const { page, watch, context } = await open('quiet', '?tab=definition');
    watch.expect(/412/);
    await page.getByRole('button', { name: 'Change tags' }).click();
    await page.getByLabel('Tags', { exact: true }).fill('mine, night');
    await callApi(page, 'PUT', `/alerts/${made.quiet}`, { tags: ['theirs'] });
    await page.getByRole('button', { name: 'Save tags' }).click();
    const dialog = page.getByRole('dialog', { name: /has changed$/ });
    await dialog.getByRole('cell', { name: 'theirs' }).waitFor();
    await dialog.getByRole('cell', { name: 'mine, night' }).waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { tags } = await callApi<{ tags: string[] }>(page, 'GET', `/alerts/${made.quiet}`);
    expect(tags).toEqual(['mine', 'night']);
    await context.close();
  });

  it('says at the field which tag is wrong', async () => {
    const { page, context } = await open('quiet', '?tab=definition');
    await page.getByRole('button', { name: 'Change tags' }).click();
    await page.getByLabel('Tags', { exact: true }).fill('x'.repeat(40));
    await page.getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('must have at most 32 characters').waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('alert by keyboard alone', () => {
  it('acknowledges, silences, goes through the windows and picks one on the chart', async () => {
    const { page, watch, context } = await open('firing');
    await evaluation(page, 1).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: `Acknowledge “${names.firing}”` }).waitFor();
    await page.keyboard.type('Mine');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Incident' }).getByText('Mine').waitFor();
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: '1 hour' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(/^Silenced until/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await why(page).getByText('2 of ').waitFor();
    await page.keyboard.press('j');
    await why(page).getByText('3 of ').waitFor();
    await page.waitForURL(new RegExp(`window=${noon - 2 * minute}`));
    await page.keyboard.press('k');
    await why(page).getByText('2 of ').waitFor();
    await watch.isClean();
    await page.keyboard.press('Escape');
    await why(page).waitFor({ state: 'detached' });
    await chart(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await why(page).getByRole('link', { name: 'Open the rows of this window' }).waitFor();
    await page.keyboard.press('o');
    await page.waitForURL(/\/search\?/);
    await context.close();
  });
});

describe.skipIf(isMissing)('alert in the course of time', () => {
  it('shows without a reload that it ended, and what was sent', async () => {
    const { page, watch, context } = await play.open(`/alerts/${made.grouped}`, wide);
    await page.getByRole('region', { name: 'Incident' }).waitFor();
    const before = play.receiver.received.length;
    await play.runUntil(noon + 2 * minute);
    await play.receiver.waitFor(before + 1);
    await page.clock.setFixedTime(play.now());
    await page
      .getByRole('region', { name: 'Incident' })
      .waitFor({ state: 'detached', timeout: 60_000 });
    await evaluation(page, 1).getByText('Inactive').waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page
      .getByRole('row', { name: /Resolved/ })
      .first()
      .waitFor();
    await watch.isClean();
    await context.close();
  });
});
