import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { makeWebhook } from './kit/webhooks.ts';
import { browserMissing } from './kit/browser.ts';
import { looksAsKept } from './kit/pictures.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, views, World } from './kit/world.ts';

/** The time on every picture. */
const now = new Date('2026-11-20T12:00:00Z');
const isMissing = browserMissing();

const ready = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();

let world: World;
/** A server without a row. */
let fresh: World;
let webhookId = '';

beforeAll(async () => {
  if (!isMissing) {
    const forEver = { SIGHTLINE_RETENTION_DAYS_LOGS: '0' };
    [world, fresh] = await Promise.all([World.open(forEver), World.open()]);
    await world.send(shopRecords(now.getTime(), 20));
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    webhookId = await makeWebhook(page, 'on-call', {
      url: 'https://hooks.example.com/alerts',
      description: 'Pages the second line',
      secret: 'EXAMPLE-SIGNING-SECRET',
      headers: { Authorization: 'EXAMPLE' },
    });
    await makeWebhook(page, 'team channel', {
      service: 'slack',
      url: 'https://hooks.slack.com/services/T0/B0/EXAMPLE',
    });
    await context.close();
  }
});
afterAll(async () => {
  await Promise.all([world?.close(), fresh?.close()]);
});

describe.skipIf(isMissing).each(views)('pictures at $width px', (view) => {
  const named = (name: string): string => `${name}-${view.width}`;

  it('sign-in that the provider refused', async () => {
    const { page, context } = await world.page(view);
    await page.goto('/sign-in?error=domain_not_allowed');
    await page.getByText('Your email address is not of an allowed domain.').waitFor();
    await looksAsKept(page, named('sign-in-domain'));
    await context.close();
  });

  it('join, and a link that is not whole', async () => {
    const { page, context } = await world.page(view);
    await page.goto('/join#EXAMPLE-NOT-A-TOKEN');
    await page.getByLabel('New password').fill('EXAMPLE-PASSWORD');
    await looksAsKept(page, named('join'));
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Ask an admin for a new one').waitFor();
    await looksAsKept(page, named('join-refused'));
    await page.goto('/join');
    await ready(page, 'This link is not complete');
    await looksAsKept(page, named('join-incomplete'));
    await context.close();
  });

  it('welcome without a row, and with rows', async () => {
    const first = await fresh.signedIn(view);
    await first.page.clock.setFixedTime(now);
    await first.page.goto('/welcome');
    const snippet = first.page.getByLabel('Snippet for curl');
    await snippet.getByText(account.ingestionKey).waitFor();
    await first.page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
    await first.page.getByText('Alert, to do').waitFor();
    await looksAsKept(first.page, named('welcome-empty'), [snippet]);
    await first.page.getByRole('tab', { name: 'Go' }).click();
    await first.page.getByRole('tab', { name: 'Go' }).scrollIntoViewIfNeeded();
    await looksAsKept(first.page, named('welcome-snippet'), [
      first.page.getByLabel('Snippet for Go'),
    ]);
    await first.context.close();

    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/welcome');
    await page.getByText('Data, done').waitFor();
    await page.getByText('Alert, to do').waitFor();
    await page.getByText('<ingestion key>').waitFor();
    await page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
    await looksAsKept(page, named('welcome'), [page.getByLabel('Snippet for curl')]);
    await context.close();
  });

  it('welcome whose parts failed', async () => {
    const { page, context } = await world.signedIn(view);
    await page.route('**/api/v2/demo', (route) => route.abort());
    await page.route('**/api/v2/dashboards*', (route) => route.abort());
    await page.goto('/welcome');
    await page.getByText('The state of the demo shop cannot be read').waitFor();
    await page.getByText('The checklist cannot be read').waitFor();
    await page.getByText('<ingestion key>').waitFor();
    await looksAsKept(page, named('welcome-failed'), [page.getByLabel('Snippet for curl')]);
    await context.close();
  });

  it('settings of a person', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings');
    await ready(page, 'Preferences');
    await looksAsKept(page, named('preferences'));
    await page.goto('/settings/keys');
    await page.getByRole('row').filter({ hasText: 'first key' }).waitFor();
    // Suffix and times.
    await looksAsKept(page, named('keys'), [
      page.locator('tbody code'),
      page.getByText(/^2026-|Last used/),
    ]);
    await page.goto('/settings/sessions');
    await page.getByText('This session').waitFor();
    await looksAsKept(page, named('sessions'), [page.locator('td, tbody th')]);
    await context.close();
  });

  it('settings without an entry, and with a failure', async () => {
    const { page, context } = await world.joined(
      { email: `pictures-${view.width}@example.com` },
      view,
    );
    await page.goto('/settings/keys');
    await page.getByText('You have no access key').waitFor();
    await looksAsKept(page, named('keys-empty'));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').waitFor();
    await looksAsKept(page, named('keys-new'));
    await page.route('**/api/v2/team/access-keys', (route) => route.abort());
    await page.goto('/settings/keys');
    await page.getByText('The keys cannot be listed').waitFor();
    await looksAsKept(page, named('keys-failed'));
    await context.close();
  });

  it('sources, and the form of one with its newest rows', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings/sources');
    await page.locator('time:visible').first().waitFor();
    await looksAsKept(page, named('sources'));
    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('group', { name: 'Rows' }).waitFor();
    await looksAsKept(page, named('source'));
    await page.goto('/settings/sources?new=1');
    await page.getByRole('combobox', { name: 'Table' }).click();
    await page.getByRole('option').first().waitFor();
    await looksAsKept(page, named('source-new'));
    await context.close();
  });

  it('team, and its key before it is replaced', async () => {
    const { page, context } = await world.signedIn(view);
    await page.goto('/settings/team');
    await page.getByText('Organization id').waitFor();
    const ids = page.locator('dd code');
    await looksAsKept(page, named('team'), [ids]);
    await page.getByRole('button', { name: 'Replace key…' }).click();
    await page.getByLabel('Type “replace” to confirm').waitFor();
    await looksAsKept(page, named('team-replace'), [ids]);
    await context.close();
  });
});

describe.skipIf(isMissing).each(views)('pictures of the organization at $width px', (view) => {
  const named = (name: string): string => `organization-${name}-${view.width}`;

  it('services, keys and the form of a key', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    // Ids, and times of the server.
    const changing = [page.locator('tbody th code'), page.getByText(/^[A-Z][a-z]{2} \d+ [\d :]+$/)];
    await page.goto('/organization');
    await page.getByRole('row', { name: /Yours/ }).waitFor();
    await looksAsKept(page, named('services'), changing);
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /^first key/ }).waitFor();
    await looksAsKept(page, named('keys'), changing);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await looksAsKept(page, named('key-form'), changing);
    await context.close();
  });
});

describe.skipIf(isMissing).each(views)('pictures of webhooks at $width px', (view) => {
  const named = (name: string): string => `${name}-${view.width}`;

  it('webhooks, a template, and a webhook that was never used', async () => {
    const { page, context } = await world.signedIn(view);
    await page.clock.setFixedTime(now);
    await page.goto('/settings/webhooks');
    await page.getByText('None yet').locator('visible=true').nth(1).waitFor();
    await page
      .getByText('No alert')
      .or(page.getByText('None yet'))
      .locator('visible=true')
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await looksAsKept(page, named('webhooks'));
    await page.goto('/settings/webhooks/new');
    await page.getByText('Own template', { exact: true }).click();
    await page.locator('.cm-content').waitFor();
    const sample = page.getByRole('region', { name: 'Sample message' });
    await sample.getByText('Checkout errors').waitFor();
    // The sample links to this server.
    await looksAsKept(page, named('webhook-new'), [sample]);
    await page.goto(`/settings/webhooks/${webhookId}?tab=deliveries`);
    await page.getByText('Nothing was sent to this webhook yet').waitFor();
    await looksAsKept(page, named('webhook-deliveries-empty'));
    await page.goto(`/settings/webhooks/${webhookId}`);
    await page.getByText('Set: Authorization').waitFor();
    await page.getByRole('region', { name: 'Sample message' }).getByText('Checkout').waitFor();
    await looksAsKept(page, named('webhook'), [
      page.getByRole('region', { name: 'Sample message' }),
    ]);
    await context.close();

    const empty = await fresh.signedIn(view);
    await empty.page.goto('/settings/webhooks');
    await empty.page.getByText('There is no webhook yet').waitFor();
    await looksAsKept(empty.page, named('webhooks-empty'));
    await empty.context.close();
  });
});
