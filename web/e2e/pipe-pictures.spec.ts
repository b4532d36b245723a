import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { looksAsKept } from './kit/pictures.ts';
import {
  makeShopPipes,
  names,
  openPipeWorld,
  pipePeersMissing,
  type PipeWorld,
  type ShopPipes,
} from './kit/pipes.ts';
import { views } from './kit/world.ts';

const isMissing = pipePeersMissing();
/** The time on every picture. */
const now = new Date('2026-11-20T12:00:00Z');
let play: PipeWorld;
let made: ShopPipes;

beforeAll(async () => {
  if (!isMissing) {
    play = await openPipeWorld();
  }
});
afterAll(() => play?.close());

/** Ports, times and sizes differ from run to run. */
const changing = (page: Page): Locator[] => [
  page.locator('tbody th > span:nth-child(n + 2)'),
  page.locator('tbody td:is(:nth-child(3), :nth-child(6)) span[title]'),
  page.locator('tbody td').getByText(/of log$/),
];
/** Of the page of a pipe: ports, times, positions, sizes and ids. */
const changingFacts = (page: Page): Locator[] => [
  page.getByText(/127\.0\.0\.1/),
  page.locator('tbody code, tbody time, tbody th > span:nth-child(n + 2)'),
  page.locator('dl dd').filter({ hasText: /of log|oldest| B$|UTC|^\d{5}$|-.*-.*-/ }),
];

const series = /\/metrics\?from=/;

/** Adds an hour of minutes to the real figures, with a break of ten. */
async function withSeries(route: Route, nowMs: number): Promise<void> {
  const response = await route.fetch();
  const answer = (await response.json()) as { result: object };
  const minutes = Array.from({ length: 60 }, (_, index) => index).filter(
    (minute) => minute < 25 || minute > 35,
  );
  const points = minutes.map((minute) => ({
    at: new Date(nowMs + (minute - 59) * 60_000).toISOString(),
    rows: minute * 900 + Math.round(400 * Math.sin(minute / 4)),
    bytes: minute * 180_000,
    errors: Math.floor(minute / 20),
    lag: Math.round(120 + 100 * Math.sin(minute / 5)),
    retainedBytes: null,
    oldestUnprocessedAt: null,
  }));
  await route.fulfill({
    response,
    json: { ...answer, result: { ...answer.result, series: points } },
  });
}

describe.skipIf(isMissing).each(views)('pictures without pipes, $width px', (view) => {
  it('list', async () => {
    const { page, context } = await play.open('/pipes', view);
    await page.getByText('There is no pipe').waitFor();
    await page.waitForLoadState('networkidle');
    await looksAsKept(page, `pipes-empty-${view.width}`);
    await context.close();
  });
});

describe.skipIf(isMissing)('pictures of pipes', () => {
  beforeAll(async () => {
    made = await makeShopPipes(play);
  });

  describe.each(views)('$width px', (view) => {
    const named = (name: string): string => `${name}-${view.width}`;

    const opened = async (path: string) => {
      const { page, context } = await play.world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto(path);
      return { page, context };
    };

    it('list, chosen pipes, and a list that failed', async () => {
      const { page, context } = await opened('/pipes');
      await page.getByRole('link', { name: names.archive, exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('pipes'), changing(page));
      await page.getByRole('checkbox', { name: `Select ${names.items}` }).check();
      await looksAsKept(page, named('pipes-chosen'), changing(page));
      await page.route(/\/v1\/.*\/pipes\?/, (route) => route.abort());
      await page.reload();
      await page.getByText('The pipes cannot be listed').waitFor();
      await looksAsKept(page, named('pipes-failed'));
      await context.close();
    });

    it('pipe with its metrics, bad records, tables and settings, and one that failed', async () => {
      const { page, context } = await opened('/pipes');
      await page.route(series, (route) => withSeries(route, now.getTime()));
      await page.goto(`/pipes/${made.orders}`);
      await page.getByRole('table', { name: 'Checkpoints' }).waitFor();
      await page.getByRole('group', { name: /^Rows\./ }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('pipe'), changingFacts(page));
      await page.goto(`/pipes/${made.orders}?tab=errors`);
      await page.getByRole('button', { name: /^Record at / }).click();
      await looksAsKept(page, named('pipe-errors'), changingFacts(page));
      await page.goto(`/pipes/${made.items}?tab=mapping`);
      await page.getByRole('row', { name: /^public\.items/ }).waitFor();
      await looksAsKept(page, named('pipe-tables'), changingFacts(page));
      await page.goto(`/pipes/${made.items}?tab=settings`);
      await page.getByText('Threads of a query').waitFor();
      await looksAsKept(page, named('pipe-settings'), changingFacts(page));
      await page.getByRole('button', { name: 'Change scaling' }).click();
      await page.getByRole('dialog').waitFor();
      await looksAsKept(page, named('pipe-scaling'), changingFacts(page));
      await page.unroute(series);
      await page.goto(`/pipes/${made.prices}`);
      await page.getByText(/^Failed: /).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('pipe-failed'), changingFacts(page));
      await context.close();
    });
  });
});
