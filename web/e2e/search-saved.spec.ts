import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, sourceId } from './kit/call-api.ts';
import { filters, openedSearch, rows, shopWorld } from './kit/search-page.ts';
import { views, type World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await shopWorld(nowMs);
  }
});
afterAll(() => world?.close());

const opened = (path: string) => openedSearch(world, path);

async function save(page: Page, body: object): Promise<string> {
  const input = { sourceId: await sourceId(page, 'log'), where: '', ...body };
  return (await callApi<{ id: string }>(page, 'POST', '/saved-searches', input)).id;
}

const stored = (page: Page, id: string) =>
  callApi<{ where: string; filters: unknown[] }>(page, 'GET', `/saved-searches/${id}`);

async function change(page: Page, action: 'Update' | 'Delete'): Promise<void> {
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** Opens the search; meanwhile another person changes it. Then asks `bank` and saves that. */
async function inConflict(page: Page, id: string, theirs: string): Promise<void> {
  await page.goto(`/search?savedSearchId=${id}`);
  await page.waitForURL(/q=order/);
  await rows(page).first().waitFor();
  await page.waitForLoadState('networkidle');
  await callApi(page, 'PUT', `/saved-searches/${id}`, { where: theirs });
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('bank');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=bank/);
  await change(page, 'Update');
  await page.getByRole('dialog', { name: /has changed$/ }).waitFor();
}

describe.skipIf(isMissing)('saved searches', () => {
  it('conditions of a saved search are chips, and stay when it is updated', async () => {
    const { page, watch, context } = await opened('/search');
    const saved = await save(page, {
      name: 'With conditions',
      filters: [
        { type: 'lucene', condition: 'bank OR "is placed"' },
        { type: 'sql', condition: "ServiceName != 'cart'" },
        { type: 'field', field: 'SeverityText', op: 'is', values: ['ERROR'] },
      ],
    });
    await page.goto(`/search?savedSearchId=${saved}`);
    for (const label of ['bank OR "is placed"', "ServiceName != 'cart'", 'SeverityText is ERROR']) {
      await filters(page).getByText(label).waitFor();
    }
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Remove filter: SeverityText is ERROR' }).click();
    await filters(page).getByText('SeverityText is ERROR').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByText('“With conditions” updated.').waitFor();
    expect((await stored(page, saved)).filters).toEqual([
      { type: 'lucene', condition: 'bank OR "is placed"' },
      { type: 'sql', condition: "ServiceName != 'cart'" },
    ]);
    await watch.isClean();
    await context.close();
  });

  it.each(views)('of two people show theirs and mine, at $width px', async (view) => {
    const { page, watch, context } = await openedSearch(world, '/search', view);
    watch.expect(/412/);
    const id = await save(page, { name: 'Shared', where: 'order' });
    await inConflict(page, id, 'cart');
    const dialog = page.getByRole('dialog', { name: '“Shared” has changed' });
    await dialog.getByRole('row', { name: 'Query cart bank' }).waitFor();
    await watch.isClean();
    expect((await stored(page, id)).where).toBe('cart');
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('“Shared” updated.').waitFor();
    expect((await stored(page, id)).where).toBe('bank');
    await context.close();
  });

  it('of two people: theirs can be opened, and changed from there', async () => {
    const { page, watch, context } = await opened('/search');
    watch.expect(/412/);
    const id = await save(page, { name: 'Theirs', where: 'order' });
    await inConflict(page, id, 'SeverityText:ERROR');
    await page.getByRole('button', { name: 'Open theirs' }).click();
    await page.waitForURL(/q=SeverityText/);
    await page.getByText('71 rows', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await change(page, 'Update');
    await page.getByText('“Theirs” updated.').waitFor();
    expect((await stored(page, id)).where).toBe('SeverityText:ERROR');
    await context.close();
  });

  it('that are gone are said to be, and the link shows all rows', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/404/);
    await page.goto(`/search?savedSearchId=${'0'.repeat(24)}`);
    await page.getByText('The saved search of this link is deleted').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('savedSearchId'));
    await rows(page).first().waitFor();
    await watch.isClean();
    await context.close();
  });

  it('are deleted only after a question that names what goes along', async () => {
    const { page, watch, context } = await opened('/search');
    const id = await save(page, { name: 'Old', where: 'order' });
    await page.goto(`/search?savedSearchId=${id}`);
    await page.waitForURL(/q=order/);
    await change(page, 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete “Old”?' });
    await dialog.getByText('Its alerts are deleted, too.').waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Old” deleted.').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('savedSearchId'));
    const left = await callApi<{ id: string }[]>(page, 'GET', '/saved-searches');
    expect(left.map((one) => one.id)).not.toContain(id);
    await context.close();
  });
});
