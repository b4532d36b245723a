import { afterAll, beforeAll, describe, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import type { Status } from '../../src/contract/status.ts';
import { statusInOrder, statusInTrouble } from './kit/health.ts';
import { looksAsKept } from './kit/pictures.ts';
import { grid, isReady, rowPanel, rows } from './kit/search-page.ts';
import { orderTrace, spanIdOf, traceIdOf } from './kit/spans.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, signIn, views, World } from './kit/world.ts';

/** The time on every picture. */
const now = new Date('2026-11-20T12:00:00Z');
const order = traceIdOf(0xa1);
const refused = spanIdOf(22);

describe.skipIf(browserMissing())('pictures', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.open({
      SIGHTLINE_RETENTION_DAYS_LOGS: '0',
      SIGHTLINE_RETENTION_DAYS_TRACES: '0',
    });
    await world.send(shopRecords(now.getTime(), 1200));
    await world.sendSpans(orderTrace(now.getTime() - 60_000, order, traceIdOf(0xb2)));
  });
  afterAll(() => world?.close());

  describe.each(views)('$width px', (view) => {
    const named = (name: string): string => `${name}-${view.width}`;

    it('sign-in', async () => {
      const { page, context } = await world.page(view);
      await page.goto('/sign-in');
      await page.getByLabel('Email').fill(account.email);
      await looksAsKept(page, named('sign-in'));
      await signIn(page, 'a wrong password');
      await page.getByRole('alert').waitFor();
      await looksAsKept(page, named('sign-in-refused'));
      await context.close();
    });

    it('search with rows, and with none', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto('/search');
      await page.getByText('1,200 rows', { exact: true }).waitFor();
      await page.locator('.cm-content').waitFor();
      await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
      if (view.width > 640) {
        await page.getByText('More columns').waitFor();
      }
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('search'));
      await page.goto('/search?q=nowhere&filters=is|ServiceName|cart');
      await page.getByText('No row of Logs in this range matches').waitFor();
      await page.locator('.cm-content').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('search-empty'));
      await context.close();
    });

    it('an open row', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.goto('/search?q=bank');
      await isReady(page);
      await rows(page).nth(2).click();
      await rowPanel(page).getByText('order.id').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('search-row'));
      if (view.width > 640) {
        await rowPanel(page).getByRole('button', { name: 'Show rows in the list' }).click();
        await grid(page).getByText('order.id').waitFor();
        await looksAsKept(page, named('search-row-inline'));
      }
      await context.close();
    });

    it('search and trace that fail', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      await page.route(/\/api\/v2\/(search|traces\/.*)$/, (route) => route.abort());
      await page.goto('/search');
      await page.getByText('The search failed').waitFor();
      await page.getByText('1,200 rows', { exact: true }).waitFor();
      await page.locator('.cm-content').waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('search-failed'));
      await page.goto(`/traces/${order}`);
      await page.getByText('The trace cannot be read').waitFor();
      await looksAsKept(page, named('trace-failed'));
      await context.close();
    });

    it('a trace that is not there', async () => {
      const { page, context } = await world.signedIn(view);
      await page.goto(`/traces/${traceIdOf(0xdead)}`);
      await page.getByText('Trace not found').waitFor();
      await looksAsKept(page, named('trace-missing'));
      await context.close();
    });

    it('trace and span', async () => {
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      const tree = page.getByRole('treegrid', { name: 'Spans of the trace' });
      await page.goto(`/traces/${order}`);
      await tree.locator('[data-index]').first().waitFor();
      await looksAsKept(page, named('trace'));
      await page.goto(`/traces/${order}?span=${refused}`);
      const panel = page.getByRole('region', { name: 'Span', exact: true });
      await panel.waitFor();
      await page.waitForLoadState('networkidle');
      await looksAsKept(page, named('trace-span'));
      await context.close();
    });

    it('health with problems, without one, unread, and of a member', async () => {
      const time = now.toISOString();
      const { page, context } = await world.signedIn(view);
      await page.clock.setFixedTime(now);
      const shown = async (data: Status, text: string): Promise<void> => {
        await page.route('**/api/v2/status', (route) => route.fulfill({ json: { data } }));
        await page.goto('/health');
        await page.getByText(text).waitFor();
      };
      await shown(statusInTrouble(time), 'The pipe “orders” has failed.');
      await looksAsKept(page, named('health'));
      await shown(statusInOrder(time), 'Nothing is wrong.');
      await looksAsKept(page, named('health-well'));
      const { server: _, ...own } = statusInOrder(time);
      await shown(own, 'Nothing is wrong.');
      await looksAsKept(page, named('health-member'));
      await page.route('**/api/v2/status', (route) => route.abort());
      await page.reload();
      await page.getByText('The state cannot be read').waitFor();
      await looksAsKept(page, named('health-failed'));
      await context.close();
    });

    it('members', async () => {
      const { page, context } = await world.signedIn(view);
      await page.goto('/settings/members');
      await page.getByRole('heading', { name: 'Members' }).first().waitFor();
      await page.getByText(account.email).first().waitFor();
      await looksAsKept(page, named('members'));
      await context.close();
    });
  });
});
