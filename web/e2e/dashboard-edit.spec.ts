import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { tabTo } from './kit/journey.ts';
import { shopRecords } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.send(shopRecords(Date.now(), 60));
});
afterAll(() => world?.close());

interface Stored {
  name: string;
  tiles: { id: string; name: string; x: number; y: number; w: number; h: number }[];
}

/** A page that edits a dashboard of its own. */
async function editing() {
  const made = await world.signedIn();
  const { page } = made;
  await page.goto('/settings');
  const id = await makeDashboard(page, shopDashboard(await logSource(page)));
  await page.goto(`/dashboards/${id}?edit=1`);
  await place(page, 'Records').waitFor();
  const stored = (): Promise<Stored> => callApi<Stored>(page, 'GET', `/dashboards/${id}`);
  return { ...made, id, stored };
}

/** A tile as it can be moved; its label says where it is. */
const place = (page: Page, name: string, where = '') =>
  page.locator(`[data-tile][aria-label^="${name}: ${where}"]`);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

describe.skipIf(isMissing)('edit of a dashboard', () => {
  it('moves and resizes with the pointer, and saves', async () => {
    const { page, watch, context, stored } = await editing();
    const head = page.getByRole('heading', { name: 'By severity' });
    const box = (await head.boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x - 700, box.y + 5, { steps: 5 });
    await page.mouse.up();
    await place(page, 'By severity', 'column 1, row 1,').waitFor();
    await place(page, 'Orders by service', 'column 1, row 5,').waitFor();
    const corner = (await place(page, 'By severity').boundingBox())!;
    await page.mouse.move(corner.x + corner.width - 4, corner.y + corner.height - 4);
    await page.mouse.down();
    await page.mouse.move(corner.x + corner.width + 300, corner.y + corner.height + 60, {
      steps: 5,
    });
    await page.mouse.up();
    await place(page, 'By severity', 'column 1, row 1, 18 wide, 5 high').waitFor();
    await watch.isClean();
    await save(page).click();
    await page.waitForURL((url) => !url.search.includes('edit'));
    const moved = (await stored()).tiles.find(({ name }) => name === 'By severity');
    expect(moved).toMatchObject({ x: 0, y: 0, w: 18, h: 5 });
    await context.close();
  });

  it('moves, resizes, duplicates, edits, removes and saves by keyboard alone', async () => {
    const { page, watch, context, stored } = await editing();
    const records = place(page, 'Records');
    await tabTo(page, (await records.getAttribute('aria-label')) ?? '');
    await page.keyboard.press('ArrowRight');
    await place(page, 'Records', 'column 2,').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await place(page, 'Records', 'column 2, row 5, 7 wide, 4 high').waitFor();
    await page.keyboard.press('d');
    await expect.poll(() => records.count()).toBe(2);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Tile' });
    await panel.getByLabel('Title').waitFor();
    await expect
      .poll(() => panel.getByLabel('Title').evaluate((one) => one === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('All records');
    await page.keyboard.press('Enter');
    await place(page, 'All records').waitFor();
    await watch.isClean();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^All records: /);
    await page.keyboard.press('Delete');
    await place(page, 'All records').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.waitForURL((url) => !url.search.includes('edit'));
    const names = (await stored()).tiles.map(({ name }) => name);
    expect(names).toContain('Records');
    expect(names).not.toContain('All records');
    await context.close();
  });

  it('adds a tile, and copies one to another dashboard', async () => {
    const { page, context, stored } = await editing();
    await page.getByRole('button', { name: 'Add tile' }).click();
    await page.getByRole('menuitem', { name: 'Pie' }).click();
    const panel = page.getByRole('complementary', { name: 'Tile' });
    // The focus goes to the form, not back to the menu's button.
    const isInForm = () => panel.getByLabel('Title').evaluate((one) => one.matches(':focus'));
    await expect.poll(isInForm).toBe(true);
    await panel.getByLabel('Group by').fill('ServiceName');
    await panel.getByLabel('Title').fill('Shares');
    await panel.getByLabel('Title').press('Enter');
    await page.getByRole('region', { name: 'Shares' }).getByText('33.3 %').first().waitFor();
    await panel.getByRole('button', { name: 'Close the tile' }).click();
    await place(page, 'Shares').focus();
    await page.keyboard.press('Control+c');
    await page.getByText('Tile copied.').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(text)).toMatchObject({ name: 'Shares', config: { displayType: 'pie' } });
    await page.keyboard.press('Control+v');
    await expect.poll(() => place(page, 'Shares').count()).toBe(2);
    await save(page).click();
    await page.waitForURL((url) => !url.search.includes('edit'));
    expect((await stored()).tiles.filter(({ name }) => name === 'Shares')).toHaveLength(2);
    await context.close();
  });

  it('says at its field what is wrong with a tile, while the others are shown', async () => {
    const { page, watch, context } = await editing();
    await place(page, 'Orders by service').focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Tile' });
    await panel.locator('.cm-content').click();
    await page.keyboard.type('NoSuchColumn:x');
    await page.keyboard.press('Enter');
    await panel
      .getByRole('alert')
      .getByText(/NoSuchColumn/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Orders by service' })
      .getByText(/^Data of .*NoSuchColumn/)
      .waitFor();
    await page
      .getByRole('region', { name: 'By severity' })
      .getByRole('group', { name: /INFO: last/ })
      .waitFor();
    await panel.getByRole('button', { name: 'Function of Series 1' }).click();
    await page.getByRole('option', { name: 'Average' }).click();
    await panel.getByText('Name the field to compute with.').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('keeps the draft over a reload, and asks before it is left', async () => {
    const { page, context, stored } = await editing();
    await place(page, 'Records').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Not saved. This browser keeps the draft.').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await place(page, 'Services', 'column').first().waitFor();
    expect(await place(page, 'Records').count()).toBe(0);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.waitForURL(/\/search/);
    expect((await stored()).tiles.map(({ name }) => name)).toContain('Records');
    await context.close();
  });
});

describe.skipIf(isMissing)('the tile with the focus', () => {
  it('shows its whole outline, also at the edge of the screen', async () => {
    const { page, watch, context } = await editing();
    await page.keyboard.press('Tab');
    await place(page, 'Records').focus();
    await page.keyboard.press('ArrowRight');
    const outside = await place(page, 'Records').evaluate((tile) => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(tile);
      return outlineStyle === 'none'
        ? 'none'
        : parseFloat(outlineWidth) + parseFloat(outlineOffset);
    });
    expect(outside).toBe(0);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('save of a dashboard', () => {
  it('shows the changes of both if somebody else was faster', async () => {
    const { page, watch, context, id, stored } = await editing();
    watch.expect(/412/);
    await place(page, 'Records').focus();
    await page.keyboard.press('ArrowRight');
    await place(page, 'Records', 'column 2,').waitFor();
    await callApi(page, 'PUT', `/dashboards/${id}`, { name: 'Store' });
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this dashboard' });
    await dialog.getByRole('region', { name: 'Their changes' }).getByText('Name: Store').waitFor();
    await dialog
      .getByRole('region', { name: 'Your changes' })
      .getByText('Tile moved: Records')
      .waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.waitForURL((url) => !url.search.includes('edit'));
    expect(await stored()).toMatchObject({ name: 'Shop' });
    await context.close();
  });

  it('says which alerts go with a removed tile', async () => {
    const { page, watch, context, id, stored } = await editing();
    const { tiles } = await stored();
    const hook = { name: `ops ${id}`, service: 'generic', url: 'https://example.com/hook' };
    const webhook = await callApi<{ id: string }>(page, 'POST', '/webhooks', hook);
    const alert = await callApi<{ id: string }>(page, 'POST', '/alerts', {
      name: 'Too many records',
      source: 'tile',
      dashboardId: id,
      tileId: tiles.find(({ name }) => name === 'Records')?.id,
      interval: '1m',
      threshold: 5,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: webhook.id },
    });
    await place(page, 'Records').focus();
    await page.keyboard.press('Delete');
    await save(page).click();
    await page.getByRole('dialog').getByText('Too many records').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Save and delete the alert' }).click();
    await page.waitForURL((url) => !url.search.includes('edit'));
    const left = await callApi<{ id: string }[]>(page, 'GET', '/alerts');
    expect(left.map((one) => one.id)).not.toContain(alert.id);
    await context.close();
  });
});
