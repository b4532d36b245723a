import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { brokenAlert, brokenPipe, statusInTrouble, withRoomyDisks } from './kit/health.ts';
import { goTo, tabTo } from './kit/journey.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
const status = '**/api/v2/status';
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open({
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8',
    });
  }
});
afterAll(() => world?.close());

const problems = (page: Page) => page.getByRole('list', { name: 'Problems, the worst first' });
const problem = (page: Page, text: string) =>
  problems(page).getByRole('listitem').filter({ hasText: text });
const alertProblem = (page: Page) =>
  problem(page, `The alert “Alert ${hostileText}” does not work.`);
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

const marks = (page: Page) =>
  problems(page)
    .getByText(/^(Error|Warning|Note)$/)
    .allInnerTexts();

async function opened(...given: Parameters<World['signedIn']>) {
  const made = await world.signedIn(...given);
  await withRoomyDisks(made.page);
  await made.page.goto('/health');
  return made;
}

describe.skipIf(isMissing)('health of a new server', () => {
  it('says that nothing is wrong', async () => {
    const { page, watch, context } = await opened();
    await page.getByText('Nothing is wrong.').waitFor();
    expect(await problems(page).count()).toBe(0);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('health with a broken alert and a broken pipe', () => {
  beforeAll(async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    await brokenAlert(page, `Alert ${hostileText}`);
    await brokenPipe(page, `Pipe ${hostileText}`);
    await context.close();
  });

  it.each(views)(
    'shows what is wrong, the worst first, and hostile names as text, at $width px',
    async (view) => {
      const { page, watch, context } = await opened(view);
      await alertProblem(page).getByText('The alert cannot be evaluated:').waitFor();
      await problem(page, `The pipe “Pipe ${hostileText}” has a problem and retries.`).waitFor();
      expect(await marks(page)).toEqual(['Error', 'Warning']);
      await table(page, 'Processes').getByText('api, ui, ingest, alerts, pipes').waitFor();
      await table(page, 'Telemetry engines')
        .getByText(/ GiB of /)
        .first()
        .waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await page.unroute(status);
      const data = statusInTrouble(new Date().toISOString());
      await page.route(status, (route) => route.fulfill({ json: { data } }));
      await page.getByRole('button', { name: 'Refresh' }).click();
      await problem(page, 'The pipe “orders” has failed.').waitFor();
      expect(await problems(page).getByRole('listitem').count()).toBe(8);
      await table(page, 'Telemetry engines').getByText('shard 2 (ch-2:9000)').waitFor();
      await watch.isClean();
      await context.close();
    },
  );

  it('says that it failed, and keeps the old state with its age', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/ERR_FAILED|status of 503/);
    await page.route(status, (route) => route.abort());
    const failing = { status: 'unavailable', failing: ['store'] };
    await page.route('**/ready', (route) => route.fulfill({ status: 503, json: failing }));
    await page.goto('/health');
    await page.getByText('The state cannot be read').waitFor();
    await problem(page, 'The metadata store does not respond.').waitFor();
    await watch.isClean();
    await page.unroute('**/ready');
    await page.unroute(status);
    await withRoomyDisks(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await alertProblem(page).waitFor();
    await page.route(status, (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/This is the state of \d+ s ago/).waitFor();
    await alertProblem(page).waitFor();
    await watch.isClean();
    // It goes on by itself.
    await page.unroute(status);
    await page.getByText('This is the state of').waitFor({ state: 'detached' });
    await context.close();
  });

  it('tells a member what is missing', async () => {
    const { page, watch, context } = await world.joined({
      email: 'health@example.com',
      role: 'member',
    });
    await page.goto('/health');
    await alertProblem(page).waitFor();
    await page.getByText('Ask an admin of your team for the role.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await watch.isClean();
    await context.close();
  });

  it('leads to the alert, whose repair ends the problem', async () => {
    const { page, watch, context } = await world.signedIn();
    await withRoomyDisks(page);
    await page.goto('/settings');
    const { id } = await brokenAlert(page, 'Soon repaired');
    await page.getByRole('link', { name: 'Health' }).click();
    await page.waitForURL('**/health');
    const soon = problem(page, 'The alert “Soon repaired” does not work.');
    await soon.getByRole('link', { name: 'Open the alert' }).click();
    await page.waitForURL(`**/alerts/${id}`);
    await page.goBack();
    await soon.waitFor();
    await callApi(page, 'DELETE', `/alerts/${id}`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await soon.waitFor({ state: 'detached' });
    await alertProblem(page).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('is read and followed with the keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await withRoomyDisks(page);
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await goTo(page, 'h', '/health');
    await alertProblem(page).waitFor();
    const again = page.waitForResponse(status);
    await page.keyboard.press('r');
    await again;
    await tabTo(page, 'Open the alert');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/alerts/*');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('server status');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/health');
    await watch.isClean();
    await context.close();
  });
});
