import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, signIn, World } from './kit/world.ts';

const recordCount = 1200;
const isMissing = browserMissing();
const nowMs = Date.now();
/** Other work shares the CPU. */
const patiently = { timeout: 30_000 };
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.send([
    ...shopRecords(nowMs, recordCount),
    {
      service: 'long',
      severity: 'WARN',
      body: `${'a long line '.repeat(40)}\n=second line`,
      atMs: nowMs - 500,
    },
  ]);
});
afterAll(() => world?.close());

const rows = (page: Page) => page.getByRole('grid', { name: 'Rows' }).locator('[data-index]');
const filters = (page: Page) => page.getByRole('list', { name: 'Filters' });
const head = (page: Page, name: string) =>
  page.getByRole('columnheader', { name: new RegExp(`^${name}`) });

async function opened(path: string) {
  const made = await world.signedIn();
  await made.page.goto(path);
  await rows(made.page).first().waitFor();
  await made.page.locator('.cm-content').waitFor();
  return made;
}

const widthOf = async (page: Page, name: string): Promise<number> =>
  (await head(page, name).boundingBox())?.width ?? 0;

describe.skipIf(isMissing)('the table of rows', () => {
  it('filters by the focused cell with f, and excludes it with Shift F', async () => {
    const { page, watch, context } = await opened('/search?q=order&cols=ServiceName,Body');
    const service = await rows(page).nth(1).getByRole('gridcell').nth(1).innerText();
    await page.getByRole('grid', { name: 'Rows' }).focus();
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
    await page.getByRole('grid', { name: 'Rows' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await row.locator('[role="gridcell"][data-current]').getByText('a long line').waitFor();
    await page.keyboard.press('w');
    await expect.poll(height, patiently).toBeGreaterThan(low * 2);
    await page.keyboard.press('w');
    await expect.poll(height, patiently).toBe(low);
    await page.keyboard.press('Shift+W');
    await page.getByRole('button', { name: 'Wrap', pressed: true }).waitFor();
    await expect.poll(height, patiently).toBeGreaterThan(low * 2);
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
    await expect.poll(() => widthOf(page, 'ServiceName'), patiently).toBe(before + 60);
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf(page, 'ServiceName'), patiently).toBe(before + 44);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await widthOf(page, 'ServiceName')).toBe(before + 44);
    await context.close();
  });

  it('copies rows as text, JSON, NDJSON and CSV', async () => {
    const { page, context } = await opened('/search?q=second&cols=ServiceName,Body');
    const copied = async (label: string): Promise<string> => {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name: `1 row as ${label}`, exact: true }).click();
      const read = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(read, patiently).not.toBe('');
      return read();
    };
    const time = new Date(nowMs - 500).toISOString();
    const row = { time, ServiceName: 'long', Body: expect.stringContaining('=second') as string };
    expect(await copied('text')).toMatch(/^\S+Z {2}long {2}a long line/);
    expect(JSON.parse(await copied('JSON'))).toEqual([row]);
    expect(JSON.parse(await copied('NDJSON'))).toEqual(row);
    const csv = await copied('CSV');
    expect(csv).toMatch(/^time,ServiceName,Body\n\S+Z,long,"a long line/);
    await context.close();
  });

  it('keeps the message readable beside the open row at 1280 pixels', async () => {
    const { page, watch, context } = await opened('/search?cols=ServiceName,SeverityText,Body');
    await rows(page).nth(1).click();
    await page.getByRole('region', { name: 'Row', exact: true }).getByText('order.id').waitFor();
    const grid = await page.getByRole('grid', { name: 'Rows' }).boundingBox();
    const body = await head(page, 'Body').boundingBox();
    const right = (grid?.x ?? 0) + (grid?.width ?? 0);
    expect(right - (body?.x ?? 0)).toBeGreaterThanOrEqual(300);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the trace of a row', () => {
  it('is told in its tab, and opens with a click or with o', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await world.sendSpans([
      {
        traceId,
        spanId: '00f067aa0ba902b7',
        service: 'checkout',
        name: 'POST /pay',
        startNanos: BigInt(nowMs - 3000) * 1_000_000n,
        durationNanos: 46_100_000,
        error: 'card declined',
      },
    ]);
    const { page, watch, context } = await opened('/search');
    const source = await page.evaluate(async () => {
      const sources = await (await fetch('/api/v2/sources')).json();
      return (sources as { data: { id: string; kind: string }[] }).data.find(
        ({ kind }) => kind === 'trace',
      )?.id;
    });
    await page.goto(`/search?source=${source}`);
    await rows(page).first().click();
    await page.getByRole('tab', { name: 'Trace' }).click();
    const panel = page.getByRole('region', { name: 'Row', exact: true });
    await panel.getByText('1 span', { exact: true }).waitFor();
    await panel.getByText('46.1 ms').first().waitFor();
    await watch.isClean();
    await panel.getByRole('link', { name: 'Open the trace' }).click();
    await page.waitForURL(new RegExp(`/traces/${traceId}\\?.*at=\\d{13}`));
    await page.goBack();
    await rows(page).first().waitFor();
    await panel.getByRole('tab', { name: 'Trace', selected: true }).waitFor();
    await page.keyboard.press('o');
    await page.waitForURL(new RegExp(`/traces/${traceId}\\?.*span=00f067aa0ba902b7`));
    await context.close();
  });
});

describe.skipIf(isMissing)('questions of search', () => {
  it('a drag over the histogram narrows the range, and Back widens it again', async () => {
    const { page, context } = await opened('/search');
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

  it('a search that takes long tells so, and can be canceled and asked again', async () => {
    const { page, watch, context } = await opened('/search');
    watch.expect(/ERR_/);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v2/search', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.press('r');
    await page.getByText(/^Searching for \d+ s$/).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The search was canceled').waitFor();
    await watch.isClean();
    release();
    await page.unroute('**/api/v2/search');
    await page.getByRole('button', { name: 'Search again' }).click();
    await rows(page).first().waitFor();
    await context.close();
  });

  it('conditions of a saved search are chips, and stay when it is updated', async () => {
    const { page, watch, context } = await opened('/search');
    const saved = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json', 'x-sightline': '1' };
      const sources = await (await fetch('/api/v2/sources')).json();
      const sourceId = (sources as { data: { id: string; kind: string }[] }).data.find(
        ({ kind }) => kind === 'log',
      )?.id;
      const body = {
        name: 'With conditions',
        sourceId,
        where: '',
        filters: [
          { type: 'lucene', condition: 'bank OR "is placed"' },
          { type: 'sql', condition: "ServiceName != 'cart'" },
          { type: 'field', field: 'SeverityText', op: 'is', values: ['ERROR'] },
        ],
      };
      const made = await fetch('/api/v2/saved-searches', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await made.json()) as { data: { id: string } }).data.id;
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
    const stored = await page.evaluate(async (id) => {
      const answer = await fetch(`/api/v2/saved-searches/${id}`);
      return ((await answer.json()) as { data: { filters: unknown[] } }).data.filters;
    }, saved);
    expect(stored).toEqual([
      { type: 'lucene', condition: 'bank OR "is placed"' },
      { type: 'sql', condition: "ServiceName != 'cart'" },
    ]);
    await watch.isClean();
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
    await expect.poll(() => late, patiently).toBe(401);
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
