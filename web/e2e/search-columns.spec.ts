import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { copied } from './kit/journey.ts';
import { openedSearch, rowPanel, rows, shopWorld } from './kit/search-page.ts';
import type { World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await shopWorld(Date.now());
  }
});
afterAll(() => world?.close());

/** Names of the columns behind the time. */
const columns = async (page: Page): Promise<string[]> =>
  (await page.getByRole('columnheader').allInnerTexts()).slice(1).map((text) => text.trim());

const areColumns = (page: Page, names: string[]): Promise<void> =>
  expect.poll(() => columns(page)).toEqual(names);

describe.skipIf(isMissing)('columns of the table', () => {
  it('are added, moved and hidden, and stay in the URL and in the browser', async () => {
    const { page, watch, context } = await openedSearch(world, '/search?cols=ServiceName,Body');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('combobox', { name: 'Columns' }).fill('region');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await areColumns(page, ['ServiceName', 'Body', 'LogAttributes.region']);
    await rows(page)
      .first()
      .getByText(/^(eu|us)$/)
      .waitFor();
    const change = async (name: string, item: string): Promise<void> => {
      await page.getByRole('columnheader', { name }).getByRole('button').click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await change('LogAttributes.region', 'Move left');
    await areColumns(page, ['ServiceName', 'LogAttributes.region', 'Body']);
    await change('ServiceName', 'Hide');
    await areColumns(page, ['LogAttributes.region', 'Body']);
    expect(new URL(page.url()).searchParams.get('cols')).toBe('LogAttributes.region,Body');
    await page.goto('/search');
    await areColumns(page, ['LogAttributes.region', 'Body']);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('every value of an open row', () => {
  it('is copied, becomes a column, and is charted over time', async () => {
    const { page, watch, context } = await openedSearch(world, '/search?cols=Body');
    await rows(page).nth(1).click();
    const value = rowPanel(page).locator('dt', { hasText: 'ServiceName' }).locator('..');
    const more = async (item: string): Promise<void> => {
      await value.hover();
      await value.getByRole('button', { name: /^More for/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    expect(await copied(page, () => more('Copy value'))).toMatch(/^(cart|checkout|payment)$/);
    await more('Add as column');
    await areColumns(page, ['Body', 'ServiceName']);
    await more('Count by this over time');
    await page.waitForURL(/group=ServiceName/);
    await page
      .getByRole('region', { name: 'Rows over time' })
      .getByText(/^payment \d{3}$/)
      .waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the history of queries', () => {
  it('is offered in an empty field, newest first', async () => {
    const { page, watch, context } = await openedSearch(world);
    for (const [text, count] of [
      ['bank', '71 rows'],
      ['placed', '1,129 rows'],
    ]) {
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`q=${text}`));
      await page.getByText(count ?? '', { exact: true }).waitFor();
    }
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'placed' }).waitFor();
    const offered = await page.getByRole('option').allInnerTexts();
    expect(offered.map((text) => text.split('\n'))).toEqual([
      ['placed', 'earlier'],
      ['bank', 'earlier'],
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'bank', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=bank/);
    await watch.isClean();
    await context.close();
  });
});
