import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { grid, openedSearch, rowPanel, rows, shopWorld } from './kit/search-page.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { views, wide, type World } from './kit/world.ts';
import { isWithin } from './kit/within.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
const order = traceIdOf(0xa1);
const phone = views.find(({ width }) => width < 640) ?? wide;
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await shopWorld(nowMs);
    await world.sendSpans(orderTrace(nowMs - 60_000, order, traceIdOf(0xb2)));
  }
});
afterAll(() => world?.close());

const topOf = async (page: Page, index: number): Promise<number> =>
  (
    await rows(page)
      .and(page.locator(`[data-index="${index}"]`))
      .boundingBox()
  )?.y ?? 0;

/** Pixels from the top of a row to the top of the next one. */
const stepAt = async (page: Page, index: number): Promise<number> =>
  (await topOf(page, index + 1)) - (await topOf(page, index));

describe.skipIf(isMissing)('the context of a row', () => {
  it('begins at the row, between later and earlier ones', async () => {
    const { page, watch, context } = await openedSearch(world);
    await rows(page).nth(20).click();
    const panel = rowPanel(page);
    await panel.getByRole('tab', { name: 'Context' }).click();
    await panel.getByRole('button', { name: 'Rows of: Same service' }).click();
    await page.getByRole('option', { name: 'All rows' }).click();
    const lines = panel.getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(41);
    await isWithin(panel.locator('[aria-current="true"]'), panel);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the open row in the list', () => {
  it('stands below its row, and j and k walk with it', async () => {
    const { page, watch, context } = await openedSearch(world);
    const low = await stepAt(page, 1);
    await rows(page).nth(1).click();
    await rowPanel(page).getByRole('button', { name: 'Show rows in the list' }).click();
    const inline = grid(page).getByRole('region', { name: 'Row', exact: true });
    await inline.getByText('2 of 200+').waitFor();
    await inline.getByText('order.id').waitFor();
    await expect.poll(() => stepAt(page, 1)).toBeGreaterThan(200);
    await watch.isClean();
    await page.keyboard.press('j');
    await inline.getByText('3 of 200+').waitFor();
    await expect.poll(() => stepAt(page, 1)).toBe(low);
    await expect.poll(() => stepAt(page, 2)).toBeGreaterThan(200);
    for (const position of [4, 5, 6, 7, 8]) {
      await page.keyboard.press('j');
      await inline.getByText(`${position} of 200+`).waitFor();
    }
    await isWithin(inline, grid(page));
    await page.keyboard.press('k');
    await inline.getByText('7 of 200+').waitFor();
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await inline.getByText('8 of 200+').waitFor();
    await page.reload();
    await inline.getByText('8 of 200+').waitFor();
    await page.keyboard.press('Escape');
    await inline.waitFor({ state: 'detached' });
    await expect.poll(() => stepAt(page, 7)).toBe(low);
    await context.close();
  });

  it('is a choice of the preferences, and can be taken back at the row', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    await page.getByRole('group', { name: 'Open rows of search' }).getByText('In the list').click();
    await watch.isClean();
    await page.goto('/search');
    await rows(page).nth(2).click();
    const inline = grid(page).getByRole('region', { name: 'Row', exact: true });
    await inline.getByText('3 of 200+').waitFor();
    await inline.getByRole('button', { name: 'Show rows beside the table' }).click();
    await inline.waitFor({ state: 'detached' });
    await rowPanel(page).getByText('3 of 200+').waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('Back on a phone', () => {
  it('closes the open row first, then leaves the question', async () => {
    const { page, watch, context } = await openedSearch(world, '/search?q=bank', phone);
    await page.goto('/search?q=order');
    await rows(page).nth(1).click();
    await rowPanel(page).getByText('order.id').waitFor();
    await rowPanel(page).getByRole('button', { name: 'Next row' }).click();
    await rowPanel(page).getByText('3 of 200+').waitFor();
    await watch.isClean();
    await page.goBack();
    await rowPanel(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=order');
    await page.goBack();
    await page.waitForURL(/q=bank/);
    await page.goForward();
    await page.waitForURL(/q=order/);
    await rows(page).nth(1).click();
    await rowPanel(page).getByRole('button', { name: 'Close' }).click();
    await rowPanel(page).waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL(/q=bank/);
    await context.close();
  });

  it('closes the open span first, then leaves the trace', async () => {
    const { page, watch, context } = await openedSearch(world, '/search', phone);
    await page.goto(`/traces/${order}`);
    const tree = page.getByRole('treegrid', { name: 'Spans of the trace' });
    const panel = page.getByRole('region', { name: 'Span', exact: true });
    await tree.locator('[data-index]').filter({ hasText: 'charge card' }).click();
    await panel.getByText('order.id').waitFor();
    await panel.getByRole('tab', { name: 'Logs' }).click();
    await page.waitForURL(/view=logs/);
    await watch.isClean();
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await page.waitForURL(/\/search/);
    await context.close();
  });
});
