import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { hold } from './kit/hold.ts';
import { copied } from './kit/journey.ts';
import { filters, grid, openedSearch, rowPanel, rows, shopWorld } from './kit/search-page.ts';
import { account, signIn, type World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await shopWorld(nowMs, {
    service: 'long',
    severity: 'WARN',
    body: `${'a long line '.repeat(40)}\n=second line`,
    atMs: nowMs - 500,
  });
});
afterAll(() => world?.close());

const head = (page: Page, name: string) =>
  page.getByRole('columnheader', { name: new RegExp(`^${name}`) });

const opened = (path: string) => openedSearch(world, path);

const widthOf = async (page: Page, name: string): Promise<number> =>
  (await head(page, name).boundingBox())?.width ?? 0;

describe.skipIf(isMissing)('the table of rows', () => {
  it('filters by the focused cell with f, and excludes it with Shift F', async () => {
    const { page, watch, context } = await opened('/search?q=order&cols=ServiceName,Body');
    const service = await rows(page).nth(1).getByRole('gridcell').nth(1).innerText();
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await rows(page).and(page.locator('[data-index="1"][data-current]')).waitFor();
    await page.keyboard.press('f');
    await filters(page).getByText(`ServiceName is ${service}`).waitFor();
    await page.keyboard.press('Shift+F');
    await filters(page).getByText(`ServiceName is not ${service}`).waitFor();
    await watch.isClean();
    await page.goBack();
    await filters(page).getByText(`ServiceName is ${service}`).waitFor();
    await context.close();
  });

  it('wraps the focused cell with w, and all lines with Shift W', async () => {
    const { page, context } = await opened('/search?q=second&cols=ServiceName,Body');
    const row = rows(page).first();
    const height = async (): Promise<number> => (await row.boundingBox())?.height ?? 0;
    const low = await height();
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await row.locator('[role="gridcell"][data-current]').getByText('a long line').waitFor();
    await page.keyboard.press('w');
    await expect.poll(height).toBeGreaterThan(low * 2);
    await page.keyboard.press('w');
    await expect.poll(height).toBe(low);
    await page.keyboard.press('Shift+W');
    await page.getByRole('button', { name: 'Wrap', pressed: true }).waitFor();
    await expect.poll(height).toBeGreaterThan(low * 2);
    await context.close();
  });

  it('sorts by a column, and goes back to the newest first', async () => {
    const { page, watch, context } = await opened('/search?q=order&cols=Body');
    const order = async (item: string): Promise<void> => {
      await head(page, 'Body').getByRole('button').click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await order('Sort ascending');
    await page.waitForURL(/order=Body\+ASC/);
    await head(page, 'Body').and(page.locator('[aria-sort="ascending"]')).waitFor();
    await rows(page).first().getByText('order 1 is placed').waitFor();
    await order('Sort descending');
    await rows(page).first().getByText('order 999 is placed').waitFor();
    await order('Newest first');
    await rows(page).first().getByText('order 1 is placed').waitFor();
    expect(page.url()).not.toContain('order=');
    await watch.isClean();
    await context.close();
  });

  it('resizes a column by mouse and by keyboard, and keeps the width', async () => {
    const { page, context } = await opened('/search?cols=ServiceName,Body');
    const edge = page.getByRole('separator', { name: 'Width of ServiceName' });
    const before = await widthOf(page, 'ServiceName');
    const box = await edge.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 8];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(page, 'ServiceName')).toBe(before + 60);
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf(page, 'ServiceName')).toBe(before + 44);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await widthOf(page, 'ServiceName')).toBe(before + 44);
    await context.close();
  });

  it('selects rows with x and with Shift, and copies them', async () => {
    const { page, watch, context } = await opened('/search?cols=Body');
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByText('1 row selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 rows selected').waitFor();
    await rows(page)
      .nth(6)
      .click({ modifiers: ['Shift'] });
    await page.getByText('7 rows selected').waitFor();
    expect(await rowPanel(page).count()).toBe(0);
    await watch.isClean();
    const text = await copied(page, () => page.keyboard.press('c'));
    await page.getByText('Text copied.').waitFor();
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(7);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByText(/selected$/).waitFor({ state: 'detached' });
    await context.close();
  });

  it('copies rows as text, JSON, NDJSON and CSV', async () => {
    const { page, context } = await opened('/search?q=second&cols=ServiceName,Body');
    const rowAs = (label: string): Promise<string> =>
      copied(page, async () => {
        await page.getByRole('button', { name: 'Copy', exact: true }).click();
        await page.getByRole('menuitem', { name: `1 row as ${label}`, exact: true }).click();
      });
    const time = new Date(nowMs - 500).toISOString();
    const row = { time, ServiceName: 'long', Body: expect.stringContaining('=second') as string };
    expect(await rowAs('text')).toMatch(/^\S+Z {2}long {2}a long line/);
    expect(JSON.parse(await rowAs('JSON'))).toEqual([row]);
    expect(JSON.parse(await rowAs('NDJSON'))).toEqual(row);
    const csv = await rowAs('CSV');
    expect(csv).toMatch(/^time,ServiceName,Body\n\S+Z,long,"a long line/);
    await context.close();
  });

  it('keeps the message readable beside the open row at 1280 pixels', async () => {
    const { page, watch, context } = await opened('/search?cols=ServiceName,SeverityText,Body');
    await rows(page).nth(1).click();
    await rowPanel(page).getByText('order.id').waitFor();
    const table = await grid(page).boundingBox();
    const body = await head(page, 'Body').boundingBox();
    const right = (table?.x ?? 0) + (table?.width ?? 0);
    expect(right - (body?.x ?? 0)).toBeGreaterThanOrEqual(300);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('questions of search', () => {
  it('a drag over the histogram narrows the range, and Back widens it again', async () => {
    const { page, context } = await opened('/search');
    await page.getByText('1,201 rows', { exact: true }).waitFor();
    const chart = await page.getByLabel(/Arrow keys move/).boundingBox();
    const { x, y, width, height } = chart ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.7, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.9, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d{13}&to=\d{13}/);
    const { searchParams } = new URL(page.url());
    const spanMs = Number(searchParams.get('to')) - Number(searchParams.get('from'));
    expect(spanMs).toBeGreaterThan(4 * 60_000);
    expect(spanMs).toBeLessThan(8 * 60_000);
    // Under the pointer the chart tells the count of a bar, not of all.
    await page.mouse.move(0, 0);
    await page.goBack();
    await page.getByText('1,201 rows', { exact: true }).waitFor();
    expect(page.url()).not.toContain('from=');
    await context.close();
  });

  it('a facet’s value shows only its rows, and Alt or the button excludes them', async () => {
    const { page, context } = await opened('/search');
    const facets = page.getByRole('complementary', { name: 'Facets' });
    const value = (name: string) => facets.getByTitle(name, { exact: true });
    await value('cart').click();
    await page.getByText('400 rows', { exact: true }).waitFor();
    await filters(page).getByText('ServiceName is cart').waitFor();
    await value('cart').click();
    await page.getByText('1,201 rows', { exact: true }).waitFor();
    await value('cart').click({ modifiers: ['Alt'] });
    await filters(page).getByText('ServiceName is not cart').waitFor();
    await page.getByText('801 rows', { exact: true }).waitFor();
    await context.close();
  });

  it('keys move, widen and open the range, and run again', async () => {
    const { page, context } = await opened('/search');
    const range = (): [number, number] => {
      const { searchParams } = new URL(page.url());
      return [Number(searchParams.get('from')), Number(searchParams.get('to'))];
    };
    const pressed = async (key: string): Promise<[number, number]> => {
      const before = page.url();
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.href !== before);
      return range();
    };
    const halfHour = 1_800_000;
    const [from, to] = await pressed('[');
    expect(to - from).toBe(halfHour);
    expect(await pressed(']')).toEqual([from + halfHour, to + halfHour]);
    const [wideFrom, wideTo] = await pressed('-');
    expect(wideTo - wideFrom).toBe(3 * halfHour);
    await page.goBack();
    await expect.poll(range).toEqual([from + halfHour, to + halfHour]);
    const again = page.waitForRequest((request) => request.url().endsWith('/api/v2/search'));
    await page.keyboard.press('r');
    await again;
    await page.keyboard.press('t');
    await page.getByLabel('Time range as text').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Time range as text').waitFor({ state: 'detached' });
    await context.close();
  });

  it('the histogram counts by any field, as bars and as a table', async () => {
    const { page, watch, context } = await opened('/search?q=order&cols=ServiceName,Body');
    await head(page, 'ServiceName').getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Count by this over time' }).click();
    await page.waitForURL(/group=ServiceName/);
    const band = page.getByRole('region', { name: 'Rows over time' });
    await band.getByText(/^payment 3\d\d$/).waitFor();
    await band.getByRole('button', { name: 'Show as table' }).focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('dialog', { name: 'Rows over time' });
    await table.getByRole('columnheader', { name: 'payment' }).waitFor();
    expect(await table.getByRole('row').count()).toBeGreaterThan(20);
    await watch.isClean();
    await table.getByRole('button', { name: 'Close' }).press('Enter');
    await table.waitFor({ state: 'detached' });
    await band.getByRole('button', { name: /Count by severity again$/ }).click();
    await band.getByText(/^info 1,1\d\d$/).waitFor();
    expect(page.url()).not.toContain('group=');
    await watch.isClean();
    await context.close();
  });

  it('facets are found by key and value, opened, and pinned first', async () => {
    const { page, watch, context } = await opened('/search');
    const facets = page.getByRole('complementary', { name: 'Facets' });
    const find = facets.getByLabel('Find in keys and values');
    await find.fill('checko');
    await facets.getByTitle('checkout', { exact: true }).waitFor();
    await facets.getByTitle('cart', { exact: true }).waitFor({ state: 'detached' });
    await find.fill('servicen');
    await facets.getByTitle('cart', { exact: true }).waitFor();
    await facets.getByTitle('INFO', { exact: true }).waitFor({ state: 'detached' });
    await find.fill('region');
    await facets.getByTitle('LogAttributes.region').click();
    await facets.getByTitle('eu', { exact: true }).waitFor();
    await facets.getByRole('button', { name: 'Pin LogAttributes.region' }).click();
    await facets.getByRole('button', { name: 'Unpin LogAttributes.region' }).waitFor();
    await page.reload();
    await facets.getByTitle('eu', { exact: true }).waitFor();
    const sections = facets.getByRole('region');
    expect(await sections.first().getAttribute('aria-label')).toBe('LogAttributes.region');
    await watch.isClean();
    await facets.getByTitle('eu', { exact: true }).click();
    await filters(page).getByText('LogAttributes.region is eu').waitFor();
    await page.getByText('600 rows', { exact: true }).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('a search', () => {
  it('that takes long tells so, and can be canceled and asked again', async () => {
    const { page, watch, context } = await opened('/search');
    watch.expect(/ERR_/);
    const release = await hold(page, '**/api/v2/search');
    await page.keyboard.press('r');
    await page.getByText(/^Searching for \d+ s$/).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The search was canceled').waitFor();
    await watch.isClean();
    await release();
    await page.getByRole('button', { name: 'Search again' }).click();
    await rows(page).first().waitFor();
    await context.close();
  });

  it('keeps the rows, and says since when, if asking again fails', async () => {
    const { page, watch, context } = await opened('/search?q=bank');
    watch.expect(/ERR_FAILED/);
    await page.getByText('71 rows', { exact: true }).waitFor();
    await page.route('**/api/v2/search', (route) => route.abort());
    await page.keyboard.press('r');
    await page.getByText(/^The rows were not loaded again. They are shown as of \d\d:/).waitFor();
    expect(await rows(page).count()).toBeGreaterThan(5);
    await watch.isClean();
    await page.unroute('**/api/v2/search');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/were not loaded again/).waitFor({ state: 'detached' });
    await rows(page).first().waitFor();
    await page.route('**/api/v2/search', (route) => route.abort());
    await page.goto('/search?q=order');
    await page.getByText('The search failed').waitFor();
    await context.close();
  });

  it('keeps the histogram, and says since when, if asking again fails', async () => {
    const { page, watch, context } = await opened('/search?q=bank');
    watch.expect(/ERR_FAILED/);
    const band = page.getByRole('region', { name: 'Rows over time' });
    await band.getByText('71 rows', { exact: true }).waitFor();
    await page.route('**/api/v2/charts/series', (route) => route.abort());
    await page.keyboard.press('r');
    const stale = band.getByText(/^The histogram was not loaded again. It is shown as of \d\d:/);
    await stale.waitFor();
    await band.getByText('71 rows', { exact: true }).waitFor();
    await band.getByLabel(/^71 rows over time/).waitFor();
    await watch.isClean();
    await page.unroute('**/api/v2/charts/series');
    await page.keyboard.press('r');
    await stale.waitFor({ state: 'detached' });
    await band.getByText('71 rows', { exact: true }).waitFor();
    await page.route('**/api/v2/charts/series', (route) => route.abort());
    await page.goto('/search?q=order');
    await page.getByText(/^The histogram failed: /).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('a session that ended', () => {
  it('asks once: a late answer of the session before is sent again', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    const facets = page.waitForResponse((response) => response.url().endsWith('/search/facets'));
    await page.goto('/sign-in');
    await signIn(page);
    await page.waitForURL('**/search*');
    await rows(page).first().waitFor();
    await facets;
    await page.waitForLoadState('networkidle');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let late: number | undefined;
    await page.route(
      '**/api/v2/search/facets',
      async (route) => {
        const response = await route.fetch();
        late = response.status();
        await held;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await context.clearCookies();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(account.password);
    await expect.poll(() => late).toBe(401);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    const again = page.waitForResponse(
      (response) => response.url().endsWith('/search/facets') && response.status() === 200,
    );
    release();
    await again;
    expect(await dialog.count()).toBe(0);
    await context.close();
  });
});
