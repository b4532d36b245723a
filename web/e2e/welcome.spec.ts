import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { account, signIn, views, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
  }
});
afterAll(() => world?.close());

describe.skipIf(isMissing)('an installation without a row', () => {
  it('leads to the first steps after the sign-in, whatever was asked for', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto('/settings/team');
    await page.waitForURL(/\/sign-in\?next=/);
    await signIn(page);
    await page.waitForURL('**/welcome');
    await page.getByText('No telemetry has arrived yet.').waitFor();
    await page.goto('/');
    await page.waitForURL('**/welcome');
    await watch.isClean();
    await context.close();
  });

  describe.each(views)('at $width px', (view) => {
    it('shows every snippet with the real endpoint and key', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/welcome');
      await page.getByText('No telemetry has arrived yet.').waitFor();
      await page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
      for (const name of ['curl', 'Collector', 'Node.js', 'Python', 'Java', 'Go']) {
        await page.getByRole('tab', { name }).click();
        const snippet = page.getByLabel(`Snippet for ${name}`);
        await snippet.getByText(account.ingestionKey).waitFor();
        expect(await snippet.innerText()).toContain(world.server.otlpHttp);
      }
      await page.getByRole('tab', { name: 'Pipe' }).click();
      const pipe = await page.getByLabel('Snippet for Pipe').innerText();
      const path = /\/v1\/organizations\/[0-9a-f-]{36}\/services\/[0-9a-f-]{36}\/pipes/.exec(pipe);
      const answer = await page.evaluate(
        async (url) => (await fetch(url)).status,
        path?.[0] ?? '/',
      );
      expect([path !== null, answer]).toEqual([true, 200]);
      await watch.isClean();
      await context.close();
    });

    it('shows a failure in its region, and tries again', async () => {
      const { page, watch, context } = await world.signedIn(view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/api/v2/demo', (route) => route.abort());
      await page.route('**/api/v2/dashboards*', (route) => route.abort());
      await page.goto('/welcome');
      await page.getByText('The state of the demo shop cannot be read').waitFor();
      await page.getByText('The checklist cannot be read').waitFor();
      await watch.isClean();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).last().click();
      await page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
      await context.close();
    });
  });

  it('tells a member whom to ask for the demo shop', async () => {
    const { page, watch, context } = await world.joined({ email: 'grace@example.com' });
    await page.waitForURL('**/welcome');
    await page.getByText('Only an admin can start it.').waitFor();
    expect(await page.getByRole('button', { name: 'Start the demo shop' }).count()).toBe(0);
    await watch.isClean();
    await context.close();
  });

  it('opens search on the row of the curl snippet', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/welcome');
    const snippet = page.getByLabel('Snippet for curl');
    await snippet.getByText(account.ingestionKey).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Snippet copied.').waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command.trim()).toBe((await snippet.innerText()).trim());
    await keepsNothingOf(page, account.ingestionKey);

    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout).toBe('{}');
    await page.waitForURL(/\/search\?source=/);
    await page.getByRole('grid', { name: 'Rows' }).getByText('Hello, Sightline').waitFor();
    await keepsNothingOf(page, account.ingestionKey);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing).each(views)('the first steps with rows, $width px', (view) => {
  it('keep the checklist, and show the key on request', async () => {
    const { page, watch, context } = await world.signedIn(view);
    await page.goto('/welcome');
    await page.getByText('Data, done').waitFor();
    await page.getByText('Webhook, to do').waitFor();
    await page.getByText('<ingestion key>').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Fill in the ingestion key' }).click();
    await page.getByLabel('Snippet for curl').getByText(account.ingestionKey).waitFor();
    expect(new URL(page.url()).pathname).toBe('/welcome');
    await context.close();
  });
});

describe.skipIf(isMissing)('the demo shop by mouse', () => {
  it('starts with its objects, and stops with them if wanted', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/welcome');
    await page.getByRole('button', { name: 'Start the demo shop' }).click();
    await page.getByText(/^Running since .*No notification yet\./).waitFor();
    await page.getByText('Payment is failing').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Stop the demo shop' }).click();
    await page.getByRole('switch', { name: 'Also delete what it made' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('The demo shop is stopped and deleted.').waitFor();
    await page.getByText('Dashboard, to do').waitFor();
    expect(await page.getByText('Payment is failing').count()).toBe(0);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('first run by keyboard alone', () => {
  let fresh: World;
  beforeAll(async () => {
    fresh = await World.open();
  });
  afterAll(() => fresh?.close());

  it('leads from the sign-in over the demo shop to the first row, and stops the shop', async () => {
    const { page, watch, context } = await fresh.page();
    watch.expect(/401/);
    await page.goto('/sign-in');
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(account.email);
    await tabTo(page, 'Password');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/welcome');
    await page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
    await tabTo(page, 'Start the demo shop');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?source=/);
    await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
    await watch.isClean();

    await page.goto('/welcome');
    await page.getByText(/^Running since/).waitFor();
    for (const step of ['Data', 'Dashboard', 'Webhook', 'Alert']) {
      await page.getByText(`${step}, done`).waitFor();
    }
    await tabTo(page, 'Stop the demo shop');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Stop the demo shop?' });
    await dialog.getByText('The dashboard “Shop (demo)”').waitFor();
    await watch.isClean();
    await tabTo(page, 'Stop');
    await page.keyboard.press('Enter');
    await page.getByText('The demo shop is stopped.').waitFor();
    await page.getByRole('button', { name: 'Start the demo shop' }).waitFor();
    await tabTo(page, 'Delete what it made');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete what the demo shop made?' }).waitFor();
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await page.getByText('Alert, to do').waitFor();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first().waitFor();
    await keepsNothingOf(page, account.ingestionKey, account.password);
    await watch.isClean();
    await context.close();
  });
});
