import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { hold } from './kit/hold.ts';
import { looksAsKept } from './kit/pictures.ts';
import { callApi, sourceId } from './kit/call-api.ts';
import { isReady } from './kit/search-page.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, views, World } from './kit/world.ts';

/** The time on every picture. */
const now = new Date('2026-11-20T12:00:00Z');
const order = traceIdOf(0xa1);
const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open({
    SIGHTLINE_RETENTION_DAYS_LOGS: '0',
    SIGHTLINE_RETENTION_DAYS_TRACES: '0',
  });
  await world.send(shopRecords(now.getTime(), 1200));
  await world.sendSpans(orderTrace(now.getTime() - 60_000, order, traceIdOf(0xb2)));
});
afterAll(() => world?.close());

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

describe.skipIf(isMissing).each(views)('pictures of dialogs, $width px', (view) => {
  const named = (name: string): string => `${name}-${view.width}`;

  it('palette, time zones, help and menus', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings');
    await heading(page, 'Preferences');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await looksAsKept(page, named('palette'));
    await page.keyboard.type('time zone');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
    await page.keyboard.type('kathmandu');
    await page.getByRole('option').first().waitFor();
    await looksAsKept(page, named('palette-zones'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await looksAsKept(page, named('help'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'You and your settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await looksAsKept(page, named('person-menu'));
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    if (view.width < 640) {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Commands' }).waitFor();
      await looksAsKept(page, named('more'));
    }
    await context.close();
  });

  it('forms of members, and lists that failed', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings/members?new=1');
    await page.getByRole('dialog', { name: 'Add a member' }).waitFor();
    await page.getByText(account.email).first().waitFor();
    await looksAsKept(page, named('members-new'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Change role of ${account.email}` }).click();
    await page.getByRole('dialog', { name: 'Change your own role' }).waitFor();
    await looksAsKept(page, named('members-role'));
    await page.route('**/api/v2/{team/members,sessions}', (route) => route.abort());
    await page.goto('/settings/members');
    await page.getByText('The members cannot be listed').waitFor();
    await looksAsKept(page, named('members-failed'));
    await page.goto('/settings/sessions');
    await page.getByText('The sessions cannot be listed').waitFor();
    await looksAsKept(page, named('sessions-failed'));
    await context.close();
  });

  it('a session that ended during an edit', async () => {
    const { page, context } = await world.signedIn(view);
    await page.goto('/settings/team');
    await page.getByText('Organization id').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Another name');
    await page.waitForLoadState('networkidle');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await looksAsKept(page, named('session-ended'), [page.locator('dd code')]);
    await context.close();
  });
});

describe.skipIf(isMissing).each(views)('pictures of states, $width px', (view) => {
  const named = (name: string): string => `${name}-${view.width}`;

  it('search that loads, and that keeps old rows', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    const release = await hold(page, '**/api/v2/search');
    await page.goto('/search?q=bank');
    await page.locator('.cm-content').waitFor();
    await page.getByText('71 rows', { exact: true }).waitFor();
    const elapsed = page.getByText(/^Searching for \d+ s$/);
    await elapsed.waitFor();
    await looksAsKept(page, named('search-loading'), [elapsed]);
    await release();
    await isReady(page);
    await page.waitForLoadState('networkidle');
    await page.route('**/api/v2/{search,charts/series}', (route) => route.abort());
    await page.keyboard.press('r');
    await page.getByText(/^The rows were not loaded again/).waitFor();
    await page.waitForLoadState('networkidle');
    await looksAsKept(page, named('search-stale'));
    await context.close();
  });

  it('a saved search that two people changed', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings');
    const saved = { sourceId: await sourceId(page, 'log'), name: 'Shared', where: 'order' };
    const { id } = await callApi<{ id: string }>(page, 'POST', '/saved-searches', saved);
    await page.goto(`/search?savedSearchId=${id}`);
    await page.waitForURL(/q=order/);
    await isReady(page);
    await page.waitForLoadState('networkidle');
    await callApi(page, 'PUT', `/saved-searches/${id}`, { where: 'cart' });
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('bank');
    await page.keyboard.press('Enter');
    await page.getByText('71 rows', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByRole('dialog', { name: '“Shared” has changed' }).waitFor();
    await looksAsKept(page, named('search-conflict'));
    await callApi(page, 'DELETE', `/saved-searches/${id}`);
    await context.close();
  });

  it('a trace that loads', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    const release = await hold(page, '**/api/v2/traces/**');
    await page.goto(`/traces/${order}`);
    const elapsed = page.getByText(/^Loading the trace for \d+ s$/);
    await elapsed.waitFor();
    await looksAsKept(page, named('trace-loading'), [elapsed]);
    await release();
    await context.close();
  });
});
