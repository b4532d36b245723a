import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import {
  filters,
  grid,
  hostileRecord,
  openedSearch,
  rowPanel,
  rows,
  shopWorld,
} from './kit/search-page.ts';
import { copied } from './kit/journey.ts';
import { hostileText } from './kit/telemetry.ts';
import type { World } from './kit/world.ts';
import { isWithin } from './kit/within.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await shopWorld(nowMs, hostileRecord(nowMs));
});
afterAll(() => world?.close());

describe.skipIf(isMissing)('journeys through search', () => {
  it('leads by mouse from a query to a row, a filter and back', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search');
    await page.locator('.cm-content').click();
    await page.keyboard.type('bank');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForURL(/q=bank/);
    await page.getByText('71 rows', { exact: true }).waitFor();

    await rows(page).first().getByText('the bank did not answer').click();
    const panel = rowPanel(page);
    const service = panel.locator('dt', { hasText: 'ServiceName' }).locator('..');
    await service.hover();
    await service.getByRole('button', { name: /^Exclude ServiceName/ }).click();
    await page.waitForURL(/filters=is_not/);
    await filters(page)
      .getByText(/ServiceName is not/)
      .waitFor();

    await page.goBack();
    await page.getByText('71 rows', { exact: true }).waitFor();
    expect(page.url()).toMatch(/q=bank/);
    await watch.isClean();
    await context.close();
  });

  it('leads by keyboard alone from a query to a row and its context', async () => {
    const { page, watch, context } = await openedSearch(world, '/search');
    await page.keyboard.press('/');
    await page.keyboard.type('SeverityText:ERR');
    await page.getByRole('option', { name: 'ERROR' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'ERROR', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=SeverityText.*ERROR/);
    await page.getByText('71 rows', { exact: true }).waitFor();
    await rows(page).first().getByText('the bank did not answer').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await rows(page).and(page.locator('[data-index="1"][data-current]')).waitFor();
    await page.keyboard.press('b');
    const panel = rowPanel(page);
    await panel.getByRole('list', { name: /before and after/ }).waitFor();
    await panel.getByRole('tab', { name: 'Context', selected: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('keeps the text of telemetry text, in rows, facets, panel and chips', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search?q=bold');
    await rows(page).getByText(hostileText).first().waitFor();
    await rows(page).first().click();
    const panel = rowPanel(page);
    await panel.getByText(hostileText).first().waitFor();
    const service = panel.locator('dt', { hasText: 'ServiceName' }).locator('..');
    await service.hover();
    await service.getByRole('button', { name: /^Only ServiceName/ }).click();
    await filters(page).getByText(hostileText).waitFor();
    await page.getByRole('tab', { name: 'JSON' }).waitFor({ state: 'detached' });
    expect(await page.locator('img').count()).toBe(0);
    await watch.isClean();
    await context.close();
  });

  it('shows the same in a fresh profile that opens the copied link', async () => {
    const first = await world.signedIn();
    await first.page.goto('/search?q=order&filters=is|ServiceName|cart&cols=Body,SeverityText');
    await rows(first.page).first().click();
    await rowPanel(first.page).getByText('order.id').waitFor();
    await first.page.waitForURL(/row=/);
    await first.page.getByRole('button', { name: 'Share' }).click();
    const link = await copied(first.page, () =>
      first.page.getByRole('menuitem', { name: 'Copy link with these times' }).click(),
    );
    expect(link).toMatch(/from=\d{13}&to=\d{13}/);
    const texts = await rows(first.page).allInnerTexts();

    const second = await world.signedIn();
    await second.page.goto(link);
    await rowPanel(second.page).waitFor();
    await rows(second.page).first().waitFor();
    await expect.poll(() => rows(second.page).allInnerTexts()).toEqual(texts);
    await Promise.all([first.context.close(), second.context.close()]);
  });
});

describe.skipIf(isMissing)('search in use', () => {
  it('drops broken parameters and says which', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/search?from=yesterday&lang=perl&q=order&c=${'x'.repeat(5000)}`);
    await page.getByText('Left out, because the link has no valid value: from, lang, c.').waitFor();
    await rows(page).first().waitFor();
    await watch.isClean();
    await context.close();
  });

  it('underlines the place of an error in the query', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/400/);
    await page.goto('/search?q=ServiceName:(cart');
    await page.getByText('this parenthesis is not closed (at position 13)').waitFor();
    await page.locator('.cm-line [class*="error"]').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('follows new rows, and pauses on scroll', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/search?live=1');
    await page.getByText('Following new rows').waitFor();
    const send = (body: string): Promise<void> =>
      world.send([{ service: 'live', severity: 'INFO', body, atMs: Date.now() }]);
    await send('the first live row');
    await rows(page).getByText('the first live row').waitFor();
    await page.keyboard.press('Space');
    await send('the second live row');
    await page.getByText('Paused: 1 new row').waitFor();
    await page.keyboard.press('Space');
    await rows(page).getByText('the second live row').waitFor();
    await context.close();
  });

  it('saves a search and opens it again from a link', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search?q=bank&filters=is|ServiceName|payment');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Save this search…' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Bank troubles');
    await page.keyboard.press('Enter');
    await page.waitForURL(/savedSearchId=/);
    const id = new URL(page.url()).searchParams.get('savedSearchId');
    await page.goto(`/search?savedSearchId=${id}`);
    await page.waitForURL(/q=bank/);
    await filters(page).getByText('ServiceName is payment').waitFor();
    await watch.isClean();
    await context.close();
  });

  it.each(['America/St_Johns', 'Asia/Kathmandu'])('shows one zone everywhere: %s', async (zone) => {
    const { page, context } = await world.signedIn();
    await page.goto('/search?q="order 1 is placed"');
    await page.evaluate(
      (name) => localStorage.setItem('sightline.zone', JSON.stringify(name)),
      zone,
    );
    await page.reload();
    await rows(page).first().waitFor();
    const offset = { 'America/St_Johns': /UTC−[23]:30/, 'Asia/Kathmandu': /UTC\+5:45/ }[zone];
    expect(await page.getByRole('columnheader').first().innerText()).toMatch(offset ?? /never/);
    const shown = await rows(page).first().getByRole('gridcell').first().innerText();
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(nowMs - 2000);
    expect(shown).toContain(parts);
    await context.close();
  });

  it('keeps few rows in the document, however far one scrolls', async () => {
    const { page, context } = await openedSearch(world, '/search?q=order');
    await grid(page).focus();
    await page.keyboard.press('End');
    await page.locator('[role="grid"][aria-rowcount="1130"]').waitFor();
    await page.keyboard.press('End');
    await page.getByText('End of the range: 1,129 rows.').waitFor();
    expect(await rows(page).count()).toBeLessThan(80);
    await page.keyboard.press('Home');
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await isWithin(grid(page).locator('[data-index="40"][data-current]'), grid(page));
    await context.close();
  });
});
