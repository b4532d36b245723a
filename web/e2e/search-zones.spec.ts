import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { rows } from './kit/search-page.ts';
import { World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

/** On 1 November 2026 the clocks of St. John’s show 01:00 to 02:00 twice, until 04:30 in UTC. */
const firstMs = Date.UTC(2026, 10, 1, 4, 0);
const secondMs = Date.UTC(2026, 10, 1, 5, 0);
const now = new Date('2026-11-02T12:00:00Z');

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open({ SIGHTLINE_RETENTION_DAYS_LOGS: '0' });
  await world.send([
    { service: 'cart', severity: 'INFO', body: 'before the change', atMs: firstMs },
    { service: 'cart', severity: 'INFO', body: 'after the change', atMs: secondMs },
  ]);
  // By the form once, so that no page is open yet when a test sets its clock.
  const { context } = await world.signedIn();
  await context.close();
});
afterAll(() => world?.close());

const timeOf = (page: Page, body: string): Promise<string> =>
  rows(page).filter({ hasText: body }).getByRole('gridcell').first().innerText();

describe.skipIf(isMissing)('the day on which clocks change', () => {
  it.each([
    ['UTC', 'UTC', '04:00', '05:00', Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 2)],
    [
      'America/St_Johns',
      'UTC−3:30',
      '01:30',
      '01:30',
      Date.UTC(2026, 10, 1, 2, 30),
      Date.UTC(2026, 10, 2, 3, 30),
    ],
    [
      'Asia/Kathmandu',
      'UTC+5:45',
      '09:45',
      '10:45',
      Date.UTC(2026, 9, 31, 18, 15),
      Date.UTC(2026, 10, 1, 18, 15),
    ],
  ])('has one zone in picker, header, rows and URL: %s', async (zone, label, ...expected) => {
    const [first, second, fromMs, toMs] = expected;
    const { page, watch, context } = await world.signedIn();
    await page.clock.setFixedTime(now);
    await context.addInitScript((name) => {
      localStorage.setItem('sightline.zone', JSON.stringify(name));
    }, zone);
    await page.goto('/search');
    await page.locator('.cm-content').waitFor();
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByLabel('Time range as text').fill('Nov 1 00:00 – Nov 2 00:00');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`from=${fromMs}&to=${toMs}`));
    await page.getByText('2 rows', { exact: true }).waitFor();
    expect(await timeOf(page, 'before the change')).toBe(`Nov 1 ${first}:00.000`);
    expect(await timeOf(page, 'after the change')).toBe(`Nov 1 ${second}:00.000`);
    expect(await page.getByRole('columnheader').first().innerText()).toBe(`Time (${label})`);
    await page.getByRole('button', { name: /^Time range: Nov 1 00:00 – Nov 2 00:00/ }).waitFor();
    const time = rows(page).first().locator('time');
    await time.hover();
    expect(await time.getAttribute('title')).toMatch(
      /^Nov 1 05:00:00\.000 UTC\nNov 1 05:00:00\.000 UTC\n1 d ago$/,
    );
    await watch.isClean();
    await context.close();
  });

  it('brushes the hour that is shown, not another one', async () => {
    const { page, context } = await world.signedIn();
    await page.clock.setFixedTime(now);
    await context.addInitScript(() => {
      localStorage.setItem('sightline.zone', JSON.stringify('America/St_Johns'));
    });
    await page.goto(`/search?from=${firstMs - 1_800_000}&to=${secondMs + 1_800_000}`);
    await page.getByText('2 rows', { exact: true }).waitFor();
    const chart = await page.getByLabel(/Arrow keys move/).boundingBox();
    const { x, y, width, height } = chart ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.6, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.95, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(0, 0);
    await page.getByText('1 row', { exact: true }).waitFor();
    await rows(page).getByText('after the change').waitFor();
    const from = Number(new URL(page.url()).searchParams.get('from'));
    expect(Math.abs(from - (firstMs - 1_800_000 + 0.6 * 7_200_000))).toBeLessThan(120_000);
    await context.close();
  });
});
