import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, World } from './kit/world.ts';

const isMissing = browserMissing();
const newPassword = 'EXAMPLE-ANOTHER-PASSWORD';
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
    await world.send(shopRecords(Date.now(), 20));
  }
});
afterAll(() => world?.close());

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Types a command into the palette and runs it. */
async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands' }).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe.skipIf(isMissing)('a new member', () => {
  it('is added, joins and gets to work by keyboard alone', async () => {
    const admin = await world.signedIn();
    const { page } = admin;
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
    await command(page, 'create member');
    const dialog = page.getByRole('dialog', { name: 'Add a member' });
    await dialog.waitFor();
    await page.keyboard.type('hedy@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Hedy');
    await page.keyboard.press('Enter');
    const link = await page.getByLabel('Link', { exact: true }).innerText();
    const token = link.slice(link.indexOf('#') + 1);
    await tabTo(page, 'Copy');
    await page.keyboard.press('Enter');
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Hedy' }).waitFor();
    await keepsNothingOf(page, token);
    await admin.watch.isClean();
    await admin.context.close();

    const joining = await world.page();
    await joining.page.goto(link);
    await joining.page.getByLabel('New password').waitFor();
    await joining.page.keyboard.type(newPassword);
    await joining.page.keyboard.press('Enter');
    await joining.page
      .getByRole('grid', { name: 'Rows' })
      .locator('[data-index]')
      .first()
      .waitFor();
    await command(joining.page, 'go to settings');
    await heading(joining.page, 'Preferences').waitFor();
    await keepsNothingOf(joining.page, token, newPassword);
    await joining.watch.isClean();
    await joining.context.close();
  });
});

describe.skipIf(isMissing)('the ingestion key', () => {
  it('is replaced by mouse, after the word is typed', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings/team');
    await page.getByRole('button', { name: 'Show key' }).click();
    const before = await page.getByLabel('Ingestion key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Replace key…' }).click();
    await page.getByLabel('Type “replace” to confirm').fill('replace');
    await page.getByRole('button', { name: 'Replace key', exact: true }).click();
    await page.getByText('The ingestion key is replaced.').waitFor();
    const key = await page.getByLabel('Ingestion key', { exact: true }).innerText();
    expect(key).not.toBe(before);
    expect((await world.sendWith(before, shopRecords(Date.now(), 1))).status).toBe(401);
    expect((await world.sendWith(key, shopRecords(Date.now(), 1))).status).toBe(200);
    await keepsNothingOf(page, before, key);
    await page.getByRole('button', { name: 'Hide key' }).click();
    expect(await page.content()).not.toContain(key);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the name of the team', () => {
  const nameField = (page: Page) => page.getByLabel('Name', { exact: true });

  it('is changed by an admin; a member sees it', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings/team');
    await nameField(page).fill('  Example shop ');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The team is called “Example shop” now.').waitFor();
    await page.getByRole('button', { name: 'Rename', disabled: true }).waitFor();
    expect(await nameField(page).inputValue()).toBe('Example shop');
    await page.reload();
    expect(await nameField(page).inputValue()).toBe('Example shop');
    await watch.isClean();
    await context.close();

    const member = await world.joined({ email: 'reader@example.com' });
    await member.page.goto('/settings/team');
    await member.page.getByText('Example shop').waitFor();
    expect(await member.page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    await member.watch.isClean();
    await member.context.close();
  });

  /** An admin whose session is ended from elsewhere while a name is typed. */
  async function revokedWhileTyping(email: string, text: string) {
    const made = await world.joined({ email, role: 'admin' });
    made.watch.expect(/401/);
    await made.page.goto('/settings/team');
    await nameField(made.page).fill(text);
    const other = await world.page();
    await other.page.goto('/sign-in');
    await other.page.getByLabel('Email').fill(email);
    await other.page.getByLabel('Password').fill(account.password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.waitForURL('**/search*');
    await other.page.goto('/settings/sessions');
    await other.page.getByRole('button', { name: 'End all other sessions' }).click();
    await other.page
      .getByRole('dialog')
      .getByRole('button', { name: /^End session/ })
      .click();
    await other.page.getByText('1 session ended.').waitFor();
    await other.context.close();
    return made;
  }

  it('survives the end of the session during the edit, by mouse', async () => {
    const { page, watch, context } = await revokedWhileTyping('mouse@example.com', 'By mouse');
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('By mouse');
    await dialog.getByLabel('Password').fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The team is called “By mouse” now.').waitFor();
    await keepsNothingOf(page, account.password);
    await watch.isClean();
    await context.close();
  });

  it('survives the end of the session during the edit, by keyboard alone', async () => {
    const { page, watch, context } = await revokedWhileTyping('keys@example.com', 'By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('The team is called “By keyboard” now.').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    expect(await nameField(page).inputValue()).toBe('By keyboard');
    await keepsNothingOf(page, account.password);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('another site', () => {
  let site: Server;
  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Another site</title>');
    });
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => void site?.close());

  it.each(['127.0.0.1', 'localhost'])(
    'on %s cannot change anything with the session of a visitor',
    async (host) => {
      const { page, context } = await world.signedIn();
      await page.goto('/settings/team');
      await page.getByRole('button', { name: 'Show key' }).click();
      const key = await page.getByLabel('Ingestion key', { exact: true }).innerText();
      const target = `${world.server.ui}/api/v2/team/ingestion-key/rotate`;

      await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
      await page.evaluate(async (url) => {
        const request = { method: 'POST', mode: 'no-cors', credentials: 'include' } as const;
        // The page may not even see that there was an answer.
        await fetch(url, request).catch(() => undefined);
      }, target);
      const [answer] = await Promise.all([
        page.waitForResponse(target),
        page.evaluate((url) => {
          const form = document.createElement('form');
          form.method = 'POST';
          form.action = url;
          document.body.append(form);
          form.submit();
        }, target),
      ]);
      await page.waitForURL(target);
      // Same site: the browser sends the cookie, and the server refuses. Another: it sends none.
      expect(answer.status()).toBe(host === '127.0.0.1' ? 403 : 401);

      await page.goto(`${world.server.ui}/settings/team`);
      await page.getByRole('button', { name: 'Show key' }).click();
      expect(await page.getByLabel('Ingestion key', { exact: true }).innerText()).toBe(key);
      await context.close();
    },
  );
});
