import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo, tabTo } from './kit/journey.ts';
import {
  makeShopPipes,
  names,
  openPipeWorld,
  pipePeersMissing,
  orders,
  produce,
  type PipeRecord,
  type PipeWorld,
  type ShopPipes,
} from './kit/pipes.ts';
import { smallTargets } from './kit/small-targets.ts';
import { views } from './kit/world.ts';

const isMissing = pipePeersMissing();
let play: PipeWorld;
let made: ShopPipes;
let making: Promise<ShopPipes> | undefined;

beforeAll(async () => {
  if (!isMissing) {
    play = await openPipeWorld();
  }
});
afterAll(() => play?.close());

/** Once: the list is empty before. */
const makeOnce = async (): Promise<void> => {
  making ??= makeShopPipes(play);
  made = await making;
};
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const bulk = (page: Page) => page.getByRole('group', { name: 'Chosen pipes' });
const results = (page: Page) => page.getByRole('region', { name: 'Results' });
const list = /\/v1\/.*\/pipes\?/;
const stored = (id: string) => play.call<PipeRecord>('GET', `/${id}`);

describe.skipIf(isMissing)('list without pipes', () => {
  it.each(views)('says how to make one at $width px in $theme', async (view) => {
    const { page, watch, context } = await play.open('/pipes', view);
    await page.getByText('There is no pipe').waitFor();
    await watch.isClean();
    const reference = page.getByRole('link', { name: 'Reference of the API' });
    const path = (await reference.getAttribute('href')) ?? '';
    const answer = await page.request.get(path);
    expect([answer.status(), await answer.text()]).toEqual([
      200,
      expect.stringContaining('createPipe'),
    ]);
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.waitForURL(/\/welcome$/);
    await page.getByRole('tab', { name: 'Pipe' }).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('list of pipes', () => {
  beforeAll(makeOnce);

  describe.each(views)('at $width px in $theme', (view) => {
    it('shows what needs a person first, and hostile names as text', async () => {
      const { page, watch, context } = await play.open('/pipes', view);
      await link(page, names.archive).waitFor();
      expect(await page.locator('[data-row-link]').allInnerTexts()).toEqual([
        names.prices,
        names.backup,
        names.orders,
        names.items,
        names.archive,
      ]);
      expect(await page.locator('img').count()).toBe(0);
      await select(page, names.items).check();
      await watch.isClean();
      if (view.width < 640) {
        expect(await smallTargets(page)).toEqual([]);
      }
      await context.close();
    });

    it('says that the list failed, and tries again', async () => {
      const { page, watch, context } = await play.open('/settings', view);
      watch.expect(/ERR_FAILED/);
      await page.route(list, (route) => route.abort());
      await page.goto('/pipes');
      await page.getByText('The pipes cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute(list);
      await page.getByRole('button', { name: 'Try again' }).click();
      await link(page, names.orders).waitFor();
      await context.close();
    });
  });

  it('says state and reason, kind, target, lag and bad records of each', async () => {
    const { page, context } = await play.open('/pipes');
    const prices = row(page, names.prices);
    await prices.getByText('Failed').last().waitFor();
    await prices
      .getByText(/public\.prices/)
      .last()
      .waitFor();
    const items = row(page, names.items);
    await items.getByText('PostgreSQL', { exact: true }).waitFor();
    await items.getByText('default.items', { exact: true }).waitFor();
    await items
      .getByText(/of log/)
      .last()
      .waitFor();
    await items.getByText('40 in all').waitFor();
    const kafka = row(page, names.orders);
    await kafka.getByText('Kafka', { exact: true }).waitFor();
    await kafka.getByText('0 records').last().waitFor();
    await kafka.getByRole('link', { name: '1 bad records' }).click();
    await page.waitForURL(new RegExp(`/pipes/${made.orders}\\?tab=errors$`));
    await context.close();
  });

  it('refreshes by itself, and says how fast rows come', async () => {
    const { page, watch, context } = await play.open('/pipes');
    const kafka = row(page, names.orders);
    await kafka.getByText('500 in all').waitFor();
    await kafka.getByText('–', { exact: true }).waitFor();
    await produce(play, 'orders', orders(500, 900));
    await kafka.getByText('900 in all').waitFor();
    await kafka.getByText(/^[\d.]+\/s$/).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('finds by state, kind and words, which the link and Back keep', async () => {
    const { page, watch, context } = await play.open('/pipes');
    await page.getByRole('button', { name: 'Running 2' }).click();
    await page.waitForURL(/state=Running/);
    await link(page, names.archive).waitFor({ state: 'detached' });
    await page
      .getByRole('list', { name: 'Kinds' })
      .getByRole('button', { name: 'PostgreSQL' })
      .click();
    await page.waitForURL(/kind=postgres/);
    await page.reload();
    await link(page, names.items).click();
    await page.getByRole('heading', { level: 1, name: names.items }).waitFor();
    await page.goBack();
    await link(page, names.items).waitFor();
    expect(await page.locator('[data-row-link]').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No pipe is found').waitFor();
    await page.getByRole('button', { name: 'Show all 5' }).click();
    await link(page, names.archive).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('what the list does with pipes', () => {
  beforeAll(makeOnce);

  it('is to stop and to start one from its row', async () => {
    const { page, watch, context } = await play.open('/pipes');
    await page.getByRole('button', { name: `Stop ${names.orders}` }).click();
    await page.getByRole('button', { name: `Start ${names.orders}` }).waitFor();
    await play.reaches(made.orders, 'Stopped');
    await row(page, names.orders).getByText('Stopped').last().waitFor();
    await page.getByRole('button', { name: `Start ${names.orders}` }).click();
    await play.reaches(made.orders, 'Running');
    await watch.isClean();
    await context.close();
  });

  it('is to start several, and to name the one that was not', async () => {
    const { page, watch, context } = await play.open('/pipes');
    watch.expect(/400/);
    await select(page, names.items).check();
    await select(page, names.archive).check();
    await bulk(page).getByText('2 selected').waitFor();
    await bulk(page).getByRole('button', { name: 'Start' }).click();
    await results(page).getByRole('heading', { name: '1 of 2 pipes started' }).waitFor();
    await results(page).getByText(`${names.items}: the pipe is running already`).waitFor();
    await results(page).getByText(`${names.archive}: Provisioning`).waitFor();
    await watch.isClean();
    await play.reaches(made.archive, 'Completed');
    await bulk(page).getByRole('button', { name: 'Stop' }).click();
    await results(page).getByRole('heading', { name: '2 pipes stopped' }).waitFor();
    await play.reaches(made.items, 'Paused');
    await play.reaches(made.archive, 'Stopped');
    await results(page).getByRole('button', { name: 'Close the results' }).click();
    await results(page).waitFor({ state: 'detached' });
    await bulk(page).getByRole('button', { name: 'Start' }).click();
    await results(page).getByRole('heading', { name: '2 pipes started' }).waitFor();
    await play.reaches(made.items, 'Running');
    await play.reaches(made.archive, 'Completed');
    await watch.isClean();
    await context.close();
  });

  it('is to stay if a refresh fails, and to say of when it is', async () => {
    const { page, watch, context } = await play.open('/pipes');
    watch.expect(/ERR_FAILED/);
    await link(page, names.orders).waitFor();
    await page.route(list, (route) => route.abort());
    await page.getByText(/^As of \d\d:\d\d:\d\d: The server does not answer/).waitFor();
    await link(page, names.orders).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('is nothing for a member, who sees all of it and why actions are off', async () => {
    const { page, watch, context } = await play.world.joined({ email: 'reader@example.com' });
    await page.goto('/pipes');
    await link(page, names.orders).waitFor();
    await page.getByText('You have the role member. Only an admin can start').waitFor();
    await page.getByText('Ask ada@example.com.').waitFor();
    await select(page, names.items).check();
    expect(await bulk(page).getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    const stop = page.getByRole('button', { name: `Stop ${names.items}` });
    expect([await stop.isDisabled(), await stop.getAttribute('title')]).toEqual([
      true,
      'Only an admin can change pipes.',
    ]);
    await page.getByRole('button', { name: `More actions of ${names.items}` }).click();
    await page.getByText('Only an admin can change pipes.').waitFor();
    const remove = page.getByRole('menuitem', { name: 'Delete…' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await watch.isClean();
    await page.keyboard.press('Escape');
    await page.keyboard.press('shift+s');
    await page.getByRole('status').getByText('Only an admin can change pipes.').waitFor();
    expect((await stored(made.items)).state).toBe('Running');
    await context.close();
  });
});

describe.skipIf(isMissing)('list of pipes by keyboard alone', () => {
  beforeAll(makeOnce);

  it('selects two, stops and starts them, and opens one', async () => {
    const { page, watch, context } = await play.open('/settings');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await goTo(page, 'p', '/pipes');
    await link(page, names.archive).waitFor();
    const isFocused = (name: string) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    await page.keyboard.press('x');
    await page.getByText('Choose a pipe first').waitFor();
    for (const name of [names.prices, names.backup, names.orders]) {
      await page.keyboard.press('j');
      await isFocused(name);
    }
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await isFocused(names.items);
    await page.keyboard.press('x');
    await bulk(page).getByText('2 selected').waitFor();
    await page.keyboard.press('Shift+S');
    await results(page).getByRole('heading', { name: '2 pipes stopped' }).waitFor();
    await play.reaches(made.orders, 'Stopped');
    await play.reaches(made.items, 'Paused');
    await page.keyboard.press('s');
    await results(page).getByRole('heading', { name: '2 pipes started' }).waitFor();
    await play.reaches(made.orders, 'Running');
    await play.reaches(made.items, 'Running');
    await tabTo(page, 'Close the results');
    await page.keyboard.press('Enter');
    await results(page).waitFor({ state: 'detached' });
    await tabTo(page, names.prices);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/pipes/${made.prices}$`));
    await watch.isClean();
    await context.close();
  });

  it('is a page of the palette', async () => {
    const { page, context } = await play.open('/settings');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('kafka');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/pipes$/);
    await context.close();
  });
});
