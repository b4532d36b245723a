import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../src/view/packed.ts';
import { stringifySearch } from '../src/view/url-state.ts';
import { writeFilters, type Filter } from '../src/view/filters.ts';
import { browserMissing } from './kit/browser.ts';
import { copied } from './kit/journey.ts';
import { callApi, sourceId } from './kit/call-api.ts';
import {
  filters,
  hostileRecord,
  isReady,
  openedSearch,
  rowPanel,
  rows,
  shopWorld,
} from './kit/search-page.ts';
import { stillScreen } from './kit/still-screen.ts';
import { hostileText } from './kit/telemetry.ts';
import type { World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
const addressMax = 4000;
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await shopWorld(nowMs, hostileRecord(nowMs));
  }
});
afterAll(() => world?.close());

async function screen(page: Page): Promise<string> {
  await page.locator('.cm-content').waitFor();
  return stillScreen(page);
}

/** A page at that moment: the screen tells how long ago things were. */
async function atMoment(path: string) {
  const made = await world.signedIn();
  await made.page.clock.setFixedTime(nowMs);
  await made.page.goto(path);
  return made;
}

const field = fc.constantFrom('ServiceName', 'SeverityText', 'LogAttributes.region', 'Body');
const value = fc.constantFrom('cart', 'checkout', 'ERROR', 'eu', '', hostileText, 'a|b,c~d "e"');
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    field,
    op: fc.constantFrom('is' as const, 'is_not' as const),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ field, op: fc.constantFrom('exists' as const, 'not_exists' as const) }),
);
const state = fc.record(
  {
    q: fc.constantFrom('order', 'bank', 'SeverityText:ERROR', '"order 7 is placed"', 'bold'),
    filters: fc.uniqueArray(filter, {
      minLength: 1,
      maxLength: 3,
      selector: (one) => JSON.stringify(one),
    }),
    cols: fc.uniqueArray(field, { minLength: 1, maxLength: 4 }),
    order: fc.constantFrom('Body ASC', 'ServiceName DESC'),
    group: fc.constantFrom('ServiceName', 'LogAttributes.region'),
    from: fc.constant(nowMs - 900_000),
    to: fc.constant(nowMs - 60_000),
    tab: fc.constantFrom('attributes', 'context', 'json'),
    isOpen: fc.constant(true),
  },
  { requiredKeys: [] },
);

describe.skipIf(isMissing)('the URL of a search', () => {
  it('shows the same screen in a fresh profile, and Back returns to it', async () => {
    const first = await openedSearch(world);
    const [sample] = await rowIds(first.page);
    await first.context.close();
    await fc.assert(
      fc.asyncProperty(state, async ({ filters: chosen, isOpen, ...rest }) => {
        const path = `/search${stringifySearch({
          ...rest,
          ...(chosen && { filters: writeFilters(chosen) }),
          ...(isOpen && { row: sample }),
        })}`;
        const here = await atMoment(path);
        const shown = await screen(here.page);
        const url = here.page.url();
        expect(url.length).toBeLessThanOrEqual(addressMax);
        const there = await atMoment(url);
        expect(await screen(there.page)).toBe(shown);
        await there.page.keyboard.press('[');
        await there.page.waitForURL((next) => next.href !== url);
        await there.page.goBack();
        expect(await screen(there.page)).toBe(shown);
        await here.watch.isClean();
        await Promise.all([here.context.close(), there.context.close()]);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  it('packs filters that are too long to read, and is read back', async () => {
    const { page, watch, context } = await openedSearch(world);
    const values = ['cart', ...Array.from({ length: 80 }, (_, at) => `no service number ${at}`)];
    const saved = await saveSearch(page, 'Many services', [values]);
    await page.goto(`/search?savedSearchId=${saved}`);
    await page.waitForURL(/[?&]c=/);
    expect(page.url().length).toBeLessThanOrEqual(addressMax);
    expect(page.url()).not.toContain('filters=');
    await filters(page).getByText('ServiceName is cart or no service number 0').waitFor();
    await page.getByText('400 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const link = await copied(page, () =>
      page.getByRole('menuitem', { name: 'Copy link with these times' }).click(),
    );
    expect(link.length).toBeLessThanOrEqual(addressMax);

    const fresh = await world.signedIn();
    await fresh.page.goto(link);
    await filters(fresh.page).getByText('ServiceName is cart or no service number 0').waitFor();
    await fresh.page.getByText('400 rows', { exact: true }).waitFor();
    await rows(fresh.page).first().click();
    await rowPanel(fresh.page).getByText('order.id').waitFor();
    await fresh.page.getByRole('button', { name: /^Remove filter/ }).click();
    await fresh.page.getByText('1,201 rows', { exact: true }).waitFor();
    expect(fresh.page.url()).not.toMatch(/[?&]c=/);
    await fresh.page.goBack();
    await fresh.page.getByText('400 rows', { exact: true }).waitFor();
    await rowPanel(fresh.page).waitFor();
    await watch.isClean();
    await fresh.watch.isClean();
    await Promise.all([context.close(), fresh.context.close()]);
  });

  it('stays as it is if the question fits into no URL', async () => {
    const { page, context } = await openedSearch(world);
    const noise = (seed: number): string =>
      Array.from({ length: 4 }, (_, at) => Math.imul(seed * 4 + at + 1, 2_654_435_761) >>> 0)
        .map((number) => number.toString(36))
        .join('');
    const values = Array.from({ length: 6 }, (_, one) =>
      Array.from({ length: 90 }, (_, two) => noise(one * 90 + two)),
    );
    const saved = await saveSearch(page, 'Too many values', values);
    await page.goto(`/search?savedSearchId=${saved}`);
    await page.getByText('too long for an address').waitFor();
    expect(page.url().length).toBeLessThanOrEqual(addressMax);
    await isReady(page);
    await context.close();
  });

  it.each([
    ['random text', 'x'.repeat(3000)],
    ['two megabytes', deflateSync(Buffer.alloc(2_000_000, 'a')).toString('base64url')],
    ['no base64', '<img src=x onerror=1>'],
  ])('leaves out a broken c with a note: %s', async (_name, c) => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/search?q=bank&c=${encodeURIComponent(c)}`);
    await page.getByText('Left out, because the link has no valid value: c.').waitFor();
    await page.getByText('71 rows', { exact: true }).waitFor();
    await page.waitForURL((url) => !url.searchParams.has('c'));
    await watch.isClean();
    await context.close();
  });

  it('leaves out what is broken within c', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/search?c=${await pack('q=bank&filters=perl|x&row=1')}`);
    await page.getByText('Left out, because the link has no valid value: filters, row.').waitFor();
    await page.getByText('71 rows', { exact: true }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('of a megabyte: the server says so in a page, and a page leaves it out', async () => {
    const { page, watch, context } = await openedSearch(world);
    const long = `/search?q=bank&c=${'x'.repeat(1_048_576)}`;
    watch.expect(/431/);
    await page.goto(long);
    await page.getByRole('heading', { name: 'This address is too long' }).waitFor();
    await watch.isClean();
    await page.getByRole('link', { name: 'Open the page without the rest' }).click();
    await page.getByText('1,201 rows', { exact: true }).waitFor();
    await page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, long);
    await page.getByText('71 rows', { exact: true }).waitFor();
    await rows(page).nth(1).click();
    await page.waitForURL(/row=/);
    expect(page.url().length).toBeLessThanOrEqual(addressMax);
    await watch.isClean();
    await context.close();
  });
});

async function rowIds(page: Page): Promise<(string | undefined)[]> {
  const found = await callApi<{ rows: { _id: string }[] }>(page, 'POST', '/search', {
    sourceId: await sourceId(page, 'log'),
    where: '"order 100 is placed"',
    startTime: nowMs - 3_600_000,
    endTime: nowMs,
  });
  return found.rows.map(({ _id }) => _id);
}

async function saveSearch(page: Page, name: string, values: string[][]): Promise<string> {
  const { id } = await callApi<{ id: string }>(page, 'POST', '/saved-searches', {
    name,
    sourceId: await sourceId(page, 'log'),
    where: '',
    filters: values.map((one) => ({
      type: 'field',
      field: 'ServiceName',
      op: 'is',
      values: one,
    })),
  });
  return id;
}
