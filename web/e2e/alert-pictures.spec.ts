import { afterAll, beforeAll, describe, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { noon, playShop, worldStart, type ShopAlerts } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { looksAsKept } from './kit/pictures.ts';
import { views } from './kit/world.ts';

const hour = 3_600_000;

describe.skipIf(browserMissing())('pictures of alerts', () => {
  let play: AlertWorld;
  let made: ShopAlerts;

  beforeAll(async () => {
    play = await openAlertWorld(worldStart);
    made = await playShop(play);
    const { page, context } = await play.open('/settings');
    await callApi(page, 'POST', `/alerts/${made.firing}/acknowledge`, {
      note: 'The bank is told. I look again at half past.',
    });
    const windows = [
      {
        name: 'Backup',
        schedule: { type: 'cron', expression: '0 2 * * SUN', timeZone: 'UTC', duration: '2h' },
        alerts: { tags: ['shop'] },
      },
      {
        name: 'Upgrade of the database',
        schedule: {
          type: 'once',
          from: new Date(noon - hour).toISOString(),
          to: new Date(noon + hour).toISOString(),
        },
        alerts: { ids: [made.quiet] },
      },
      {
        name: 'Move to the new rack',
        schedule: {
          type: 'once',
          from: new Date(noon + 30 * hour).toISOString(),
          to: new Date(noon + 33 * hour).toISOString(),
        },
        alerts: { all: true },
      },
    ];
    for (const window of windows) {
      await callApi(page, 'POST', '/maintenance-windows', window);
    }
    await context.close();
  });
  afterAll(() => play?.close());

  describe.each(views)('$width px', (view) => {
    const named = (name: string): string => `${name}-${view.width}`;

    it('list', async () => {
      const { page, context } = await play.open('/alerts', view);
      await page.locator('[data-row-link]').first().waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alerts'));
      await context.close();
    });

    it('alert that fires, why, deliveries, and with groups', async () => {
      const { page, context } = await play.open(`/alerts/${made.firing}`, view);
      const chart = page.getByRole('group', { name: /^Value\. / });
      await chart.waitFor();
      await page.waitForLoadState('networkidle');
      // What a query costs differs from run to run.
      const costs = page
        .getByRole('table', { name: 'Evaluations' })
        .locator('td:is(:nth-child(5), :nth-child(6))');
      await looksAsKept(page, named('alert'), [costs]);
      await page.goto(`/alerts/${made.firing}?window=${noon - 8 * 60_000}`);
      await page.getByRole('region', { name: 'Why' }).getByRole('list').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-why'), [costs, page.getByText(/^The query read/)]);
      await page.goto(`/alerts/${made.firing}?tab=definition`);
      await page.getByText('Call the bank.').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-definition'));
      await page.goto(`/alerts/${made.grouped}?tab=deliveries`);
      await page
        .getByRole('row', { name: /Began to fire/ })
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-groups'));
      await context.close();
    });

    it('editor of a new alert, of one that fires, and of groups', async () => {
      const { page, context } = await play.open('/alerts/new', view);
      await page.getByText('Nothing to preview yet').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-new'));
      await page.goto(`/alerts/${made.firing}/edit`);
      await page.getByText(/^Would have fired/).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-edit'));
      await page.goto(`/alerts/${made.grouped}/edit`);
      await page.getByText(/^Would have fired/).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('alert-edit-groups'));
      await context.close();
    });

    it('maintenance windows, and their form', async () => {
      const { page, context } = await play.open('/alerts/maintenance', view);
      await page.getByRole('region', { name: 'Recurring' }).waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('maintenance'));
      await page.goto('/alerts/maintenance?new=1');
      await page.getByRole('radio', { name: 'Recurring' }).check({ force: true });
      await page.getByRole('list', { name: 'Next times' }).waitFor();
      await looksAsKept(page, named('maintenance-new'));
      await context.close();
    });
  });
});
