import type { Locator, Page } from 'playwright-core';
import { hostileText, shopRecords, type LogRecord } from './telemetry.ts';
import { World, type View } from './world.ts';

export const shopCount = 1200;

/** A record whose every text tries to be something else. */
export const hostileRecord = (nowMs: number): LogRecord => ({
  service: hostileText,
  severity: 'WARN',
  body: hostileText,
  atMs: nowMs - 500,
  attributes: { [hostileText]: hostileText, 'order.id': '=1+1' },
});

/** A program with the records of a shop, and more. */
export async function shopWorld(nowMs: number, ...more: LogRecord[]): Promise<World> {
  const world = await World.open();
  await world.send([...shopRecords(nowMs, shopCount), ...more]);
  return world;
}

export const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Rows' });
export const rows = (page: Page): Locator => grid(page).locator('[data-index]');
export const filters = (page: Page): Locator => page.getByRole('list', { name: 'Filters' });
export const rowPanel = (page: Page): Locator =>
  page.getByRole('region', { name: 'Row', exact: true });

type SignedIn = Awaited<ReturnType<World['signedIn']>>;

/** A page that shows rows and has its editor. */
export async function openedSearch(world: World, path = '/search', view?: View): Promise<SignedIn> {
  const made = await world.signedIn(view);
  await made.page.goto(path);
  await isReady(made.page);
  return made;
}

export async function isReady(page: Page): Promise<void> {
  await rows(page).first().waitFor();
  await page.locator('.cm-content').waitFor();
}
