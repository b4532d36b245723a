import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { names, noon, playShop, worldStart, type ShopAlerts } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { tabTo } from './kit/journey.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, type View } from './kit/world.ts';

const isMissing = browserMissing();
const hour = 3_600_000;
const path = '/alerts/maintenance';
let play: AlertWorld;
let made: ShopAlerts;

beforeAll(async () => {
  if (!isMissing) {
    play = await openAlertWorld(worldStart);
    made = await playShop(play);
  }
});
afterAll(() => play?.close());

interface Stored {
  id: string;
  name: string;
  schedule: Record<string, string>;
  alerts: { all: boolean; ids: string[]; tags: string[] };
}

const list = (page: Page) => callApi<Stored[]>(page, 'GET', '/maintenance-windows');
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const once = (fromMs: number, toMs: number) => ({
  type: 'once',
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

/** A page of the list with these windows and no others. */
async function listOf(windows: readonly object[], view?: View) {
  const made = await play.open('/settings', view);
  for (const { id } of await list(made.page)) {
    await callApi(made.page, 'DELETE', `/maintenance-windows/${id}`);
  }
  for (const window of windows) {
    await callApi(made.page, 'POST', '/maintenance-windows', window);
  }
  await made.page.goto(path);
  return made;
}

const backup = {
  name: `Backup ${hostileText}`,
  schedule: { type: 'cron', expression: '0 2 * * SUN', timeZone: 'Europe/Berlin', duration: '2h' },
  alerts: { tags: ['shop'] },
};

/** One of each section; nothing is muted that other tests look at. */
const four = (): object[] => [
  backup,
  {
    name: 'Upgrade',
    schedule: once(play.now() - hour, play.now() + hour),
    alerts: { ids: [made.quiet] },
  },
  { name: 'Move', schedule: once(noon + 30 * hour, noon + 31 * hour), alerts: { all: true } },
  { name: 'Old', schedule: once(noon - 30 * hour, noon - 29 * hour), alerts: { all: true } },
];

describe.skipIf(isMissing)('list of maintenance windows', () => {
  describe.each(views)('at $width px', (view) => {
    it('shows what is now, coming, recurring and past, also hostile names', async () => {
      const { page, watch, context } = await listOf(four(), view);
      await section(page, 'Now').getByText('Upgrade').waitFor();
      await section(page, 'Coming').getByText('Move').waitFor();
      await section(page, 'Recurring')
        .getByText('Every Sunday at 02:00 for 2h, Europe/Berlin')
        .waitFor();
      await section(page, 'Past').getByText('Old').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('says that there is none, and offers the first', async () => {
      const { page, watch, context } = await listOf([], view);
      await page.getByText('There is no maintenance window').waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says that the list failed, and tries again', async () => {
      const { page, watch, context } = await listOf(four(), view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/api/v2/maintenance-windows', (route) => route.abort());
      await page.reload();
      await page.getByText('The maintenance windows cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/maintenance-windows');
      await page.getByRole('button', { name: 'Try again' }).click();
      await section(page, 'Now').waitFor();
      await context.close();
    });

    it('has a form for both kinds of times', async () => {
      const { page, watch, context } = await listOf([], view);
      await page.goto(`${path}?new=1`);
      await page.getByLabel('Begin', { exact: true }).waitFor();
      await watch.isClean();
      await page.getByRole('radio', { name: 'Recurring' }).check({ force: true });
      await page.getByRole('list', { name: 'Next times' }).waitFor();
      await page.getByText('Some', { exact: true }).click();
      await watch.isClean();
      await context.close();
    });
  });
});

describe.skipIf(isMissing)('a maintenance window', () => {
  it('is planned once for alerts with a tag and chosen ones', async () => {
    const { page, watch, context } = await listOf([]);
    await page.getByRole('button', { name: 'New window' }).first().click();
    await page.waitForURL(/new=1/);
    await page.getByLabel('Name').fill('Database upgrade');
    await page.getByLabel('Begin', { exact: true }).fill('tomorrow 22:00');
    await page.getByText('Nov 21 22:00 UTC, in 1 d').waitFor();
    await page.getByLabel('End', { exact: true }).fill('01:30');
    await page.getByText('Nov 22 01:30 UTC, in 1 d').waitFor();
    await page.getByText('Some', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByRole('option', { name: 'payments' }).click();
    await page.getByRole('button', { name: 'Add an alert' }).click();
    await page.getByRole('combobox').fill('quiet');
    await page.getByRole('option', { name: names.quiet }).click();
    await page.getByText(/^2 alerts today\./).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Create window' }).click();
    await section(page, 'Coming')
      .getByText('2 alerts: tag payments, 1 by name', { exact: true })
      .waitFor();
    expect(await list(page)).toMatchObject([
      {
        name: 'Database upgrade',
        schedule: { from: '2026-11-21T22:00:00.000Z', to: '2026-11-22T01:30:00.000Z' },
        alerts: { all: false, ids: [made.quiet], tags: ['payments'] },
      },
    ]);
    await context.close();
  });

  it('says what is wrong at its field, before and after it is sent', async () => {
    const { page, watch, context } = await listOf([]);
    await page.goto(`${path}?new=1`);
    await page.getByLabel('End', { exact: true }).fill('Nov 1 2026 10:00');
    await page.getByText('Some', { exact: true }).click();
    await page.getByRole('button', { name: 'Create window' }).click();
    await page.getByText('must have at least 1 character').waitFor();
    await page.getByText('must be after from').waitFor();
    await page.getByText('must choose alerts: all of them, some, or those with a tag').waitFor();
    await page.getByRole('radio', { name: 'Recurring' }).check({ force: true });
    await page.getByLabel('Begin, as a cron expression').fill('0 2 31 2 *');
    await page.getByText(/^must be a cron expression/).waitFor();
    await page.getByLabel('Length').fill('30 days');
    await page.getByText(/^must be a duration such as/).waitFor();
    await watch.isClean();
    expect(await list(page)).toEqual([]);
    await context.close();
  });

  it('shows theirs and mine if somebody else changed it meanwhile', async () => {
    const { page, watch, context } = await listOf([backup]);
    watch.expect(/412/);
    const [stored] = await list(page);
    await section(page, 'Recurring')
      .getByRole('button', { name: backup.name, exact: true })
      .click();
    await page.waitForURL(/edit=/);
    await page.getByLabel('Length').fill('3h');
    await callApi(page, 'PUT', `/maintenance-windows/${stored?.id}`, { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save window' }).click();
    const dialog = page.getByRole('dialog', { name: '“Theirs” has changed' });
    await dialog.getByRole('cell', { name: /for 3h/ }).waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await list(page)).toMatchObject([{ name: backup.name, schedule: { duration: '3h' } }]);
    await context.close();
  });

  it('is ended, and deleted', async () => {
    const { page, watch, context } = await listOf(four());
    await page.getByRole('button', { name: 'Actions of Upgrade' }).click();
    await page.getByRole('menuitem', { name: 'End it now' }).click();
    await section(page, 'Past').getByText('Upgrade').waitFor();
    await page.getByRole('button', { name: 'Actions of Upgrade' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await watch.isClean();
    await page.getByRole('button', { name: 'Delete window' }).click();
    await page.getByText('Upgrade', { exact: true }).waitFor({ state: 'detached' });
    expect((await list(page)).map(({ name }) => name)).not.toContain('Upgrade');
    await context.close();
  });
});

describe.skipIf(isMissing)('maintenance window by keyboard alone', () => {
  it('recurs, with its next three times', async () => {
    const { page, watch, context } = await listOf([]);
    await page.getByText('There is no maintenance window').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create maintenance');
    await page.keyboard.press('Enter');
    await page.waitForURL(/new=1/);
    await page.getByLabel('Begin', { exact: true }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('Backup');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Begin, as a cron expression');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('30 2 * * SUN');
    await tabTo(page, 'Time zone: UTC');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Berlin');
    await page.keyboard.press('Enter');
    const next = page.getByRole('list', { name: 'Next times' }).getByRole('listitem');
    expect(await next.allInnerTexts()).toEqual([
      'Nov 22 02:30 – 04:30 UTC+1 (Nov 22 01:30 – 03:30 UTC for you)',
      'Nov 29 02:30 – 04:30 UTC+1 (Nov 29 01:30 – 03:30 UTC for you)',
      'Dec 6 02:30 – 04:30 UTC+1 (Dec 6 01:30 – 03:30 UTC for you)',
    ]);
    await watch.isClean();
    await tabTo(page, 'Create window');
    await page.keyboard.press('Enter');
    await section(page, 'Recurring').getByText('Backup').waitFor();
    expect(await list(page)).toMatchObject([
      { schedule: { expression: '30 2 * * SUN', timeZone: 'Europe/Berlin', duration: '2h' } },
    ]);
    await context.close();
  });
});

describe.skipIf(isMissing)('alerts in a maintenance window', () => {
  it('say so, send nothing, and tell once at its end', async () => {
    const window = {
      name: 'Freeze',
      schedule: once(play.now() - 1000, play.now() + 150_000),
      alerts: { tags: ['payments'] },
    };
    const { page, watch, context } = await listOf([window]);
    await page.goto('/alerts');
    await page.getByText(/^Maintenance “Freeze” until/).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: names.firing })
      .getByText('Maintenance until Nov 20 12:02')
      .waitFor();
    await page.goto(`/alerts/${made.firing}`);
    await page.getByText(/^Maintenance “Freeze” until/).waitFor();
    await watch.isClean();
    await play.runUntil(noon + 4 * 60_000);
    await page.clock.setFixedTime(play.now());
    await page.goto(`/alerts/${made.firing}?tab=deliveries`);
    const told = page.getByRole('row', { name: /The maintenance ended/ });
    await told.waitFor();
    expect(await told.count()).toBe(1);
    await page.getByText(/^Maintenance “Freeze”/).waitFor({ state: 'detached' });
    await watch.isClean();
    await context.close();
  });
});
