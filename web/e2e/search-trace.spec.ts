import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { tabTo } from './kit/journey.ts';
import { sourceId } from './kit/call-api.ts';
import { filters, openedSearch, rowPanel, rows, shopWorld } from './kit/search-page.ts';
import { orderTrace, spanIdOf, traceIdOf } from './kit/spans.ts';
import type { World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
const order = traceIdOf(0xa1);
const refused = spanIdOf(22);
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  const startMs = nowMs - 60_000;
  const log = { service: 'payment', traceId: order, spanId: refused };
  world = await shopWorld(
    nowMs,
    { ...log, severity: 'INFO', body: 'charging the card of order 4711', atMs: startMs + 330 },
    { ...log, severity: 'ERROR', body: 'card of order 4711 refused', atMs: startMs + 622 },
  );
  await world.sendSpans(orderTrace(startMs, order, traceIdOf(0xb2)));
});
afterAll(() => world?.close());

const tree = (page: Page) => page.getByRole('treegrid', { name: 'Spans of the trace' });
const span = (page: Page) => page.getByRole('region', { name: 'Span', exact: true });

describe.skipIf(isMissing)('from a search to a trace and back', () => {
  it('leads by mouse: query, filter, row, trace, and Back to the same rows', async () => {
    const { page, watch, context } = await openedSearch(world);
    await page.locator('.cm-content').click();
    await page.keyboard.type('4711');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('2 rows', { exact: true }).waitFor();
    const facets = page.getByRole('complementary', { name: 'Facets' });
    await facets.getByTitle('ERROR', { exact: true }).click();
    await filters(page).getByText('SeverityText is ERROR').waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await rows(page).first().click();
    await rowPanel(page).getByText('card of order 4711 refused').first().waitFor();
    await rowPanel(page).getByRole('tab', { name: 'Trace' }).click();
    await rowPanel(page).getByText('30 spans').waitFor();
    const question = page.url();
    await rowPanel(page).getByRole('link', { name: 'Open the trace' }).click();
    await page.waitForURL(new RegExp(`/traces/${order}`));
    await tree(page).locator('[aria-selected="true"]').getByText('POST bank.example').waitFor();
    await span(page).getByText('the bank did not answer within 300 ms').waitFor();
    await span(page).getByRole('tab', { name: 'Logs' }).click();
    await span(page).getByRole('link', { name: 'charging the card' }).waitFor();
    await watch.isClean();
    await page.goBack();
    await page.waitForURL(question);
    await filters(page).getByText('SeverityText is ERROR').waitFor();
    await rowPanel(page).getByText('30 spans').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('leads by keyboard alone: query, filter, row, trace, and a link to its logs', async () => {
    const { page, watch, context } = await openedSearch(
      world,
      '/search?cols=SeverityText,Body,ServiceName',
    );
    await page.keyboard.press('/');
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await rows(page).and(page.locator('[data-index="0"][data-current]')).waitFor();
    await page.keyboard.press('f');
    await filters(page).getByText('SeverityText is ERROR').waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await rows(page).getByText('card of order 4711 refused').waitFor();
    await page.keyboard.press('Enter');
    await rowPanel(page).getByText('card of order 4711 refused').first().waitFor();
    await page.keyboard.press('o');
    await page.waitForURL(new RegExp(`/traces/${order}`));
    await span(page).getByText('the bank did not answer within 300 ms').waitFor();
    await page.keyboard.press('l');
    await span(page).getByRole('link', { name: 'charging the card' }).waitFor();
    await watch.isClean();
    await tabTo(page, 'Open in search');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search/);
    await filters(page).getByText(`SpanId is ${refused}`).waitFor();
    await page.getByText('2 rows', { exact: true }).waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the trace of a row', () => {
  it('has a range for numbers, and its attributes as a tree', async () => {
    const { page, watch, context } = await openedSearch(world);
    const spans = [1, 20, 300].map((durationMs, index) => ({
      traceId: '5bf92f3577b34da6a3ce929d0e0e4736',
      spanId: `00f067aa0ba902c${index}`,
      service: 'stock',
      name: 'count shelves',
      startNanos: BigInt(nowMs - 3000) * 1_000_000n,
      durationNanos: durationMs * 1_000_000,
      attributes: { 'http.request.method': 'GET', 'http.request.size': '7', order: '1' },
    }));
    await world.sendSpans(spans);
    const source = await sourceId(page, 'trace');
    await page.goto(`/search?source=${source}&q=shelves`);
    await page.getByText('3 rows', { exact: true }).waitFor();
    await page.getByLabel('Find in keys and values').fill('durat');
    await page.getByTitle('Duration', { exact: true }).click();
    await page.getByLabel('Least Duration').fill('2000000');
    await page.getByLabel('Greatest Duration').fill('20000000');
    await page.keyboard.press('Enter');
    await filters(page).getByText('Duration ≥ 2000000 and ≤ 20000000').waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await rows(page).first().click();
    await rowPanel(page).getByRole('tab', { name: 'Attributes' }).click();
    await rowPanel(page).getByText('http.request.method', { exact: true }).waitFor();
    await rowPanel(page).getByRole('button', { name: 'Tree' }).click();
    const branch = rowPanel(page).getByRole('group').filter({ hasText: 'http.request' });
    await branch.getByText('method', { exact: true }).waitFor();
    await watch.isClean();
    await branch.getByText('http.request').click();
    await branch.getByText('method', { exact: true }).waitFor({ state: 'hidden' });
    await context.close();
  });

  it('is told in its tab, and opens with a click or with o', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await world.sendSpans([
      {
        traceId,
        spanId: '00f067aa0ba902b7',
        service: 'checkout',
        name: 'POST /pay',
        startNanos: BigInt(nowMs - 1000) * 1_000_000n,
        durationNanos: 46_100_000,
        error: 'card declined',
      },
    ]);
    const { page, watch, context } = await openedSearch(world);
    const source = await sourceId(page, 'trace');
    await page.goto(`/search?source=${source}`);
    await rows(page).first().click();
    await page.getByRole('tab', { name: 'Trace' }).click();
    await rowPanel(page).getByText('1 span', { exact: true }).waitFor();
    await rowPanel(page).getByText('46.1 ms').first().waitFor();
    await watch.isClean();
    await rowPanel(page).getByRole('link', { name: 'Open the trace' }).click();
    await page.waitForURL(new RegExp(`/traces/${traceId}\\?.*at=\\d{13}`));
    await page.goBack();
    await rows(page).first().waitFor();
    await rowPanel(page).getByRole('tab', { name: 'Trace', selected: true }).waitFor();
    await page.keyboard.press('o');
    await page.waitForURL(new RegExp(`/traces/${traceId}\\?.*span=00f067aa0ba902b7`));
    await context.close();
  });
});
