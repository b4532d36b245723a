import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { copied, keepsNothingOf, tabTo } from './kit/journey.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { account, signIn, views, World } from './kit/world.ts';

const isMissing = browserMissing();
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
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Each page of settings, and what shows that it is complete. */
const pages: readonly { path: string; title: string; ready: (page: Page) => Promise<void> }[] = [
  {
    path: '/settings',
    title: 'Preferences',
    ready: (page) => page.getByRole('switch').waitFor(),
  },
  {
    path: '/settings/keys',
    title: 'Access keys',
    ready: (page) => row(page, 'first key').waitFor(),
  },
  {
    path: '/settings/sessions',
    title: 'Sessions',
    ready: (page) => row(page, 'This session').waitFor(),
  },
  {
    path: '/settings/team',
    title: 'Team',
    ready: (page) => page.getByText('Organization id').waitFor(),
  },
  {
    path: '/settings/members',
    title: 'Members',
    ready: (page) => row(page, account.email).waitFor(),
  },
];

describe.skipIf(isMissing).each(views)('settings at $width px', (view) => {
  it('show every page without a complaint', async () => {
    const { page, watch, context } = await world.signedIn(view);
    for (const { path, title, ready } of pages) {
      await page.goto(path);
      await heading(page, title).waitFor();
      await ready(page);
      await watch.isClean();
    }
    await context.close();
  });

  it('say what is empty, and what a member misses and whom to ask', async () => {
    const { page, watch, context } = await world.joined(
      { email: `empty-${view.width}@example.com` },
      view,
    );
    await page.goto('/settings/keys');
    await page.getByText('You have no access key').waitFor();
    await watch.isClean();
    await page.goto('/settings/sessions');
    await page.getByText('You are signed in nowhere else.').waitFor();
    await watch.isClean();
    await page.goto('/settings/members');
    await page.getByText(`Ask ${account.email}`).waitFor();
    expect(await page.getByRole('button', { name: 'Add member' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await watch.isClean();
    await context.close();
  });

  it('show a failure in its region, and try again', async () => {
    const { page, watch, context } = await world.signedIn(view);
    watch.expect(/ERR_FAILED/);
    const failing = [
      ['/settings/members', '**/api/v2/team/members', 'The members cannot be listed'],
      ['/settings/keys', '**/api/v2/team/access-keys', 'The keys cannot be listed'],
      ['/settings/sessions', '**/api/v2/sessions', 'The sessions cannot be listed'],
    ] as const;
    for (const [path, call, text] of failing) {
      await page.route(call, (route) => route.abort());
      await page.goto(path);
      await page.getByText(text).waitFor();
      await watch.isClean();
      await page.unroute(call);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table').waitFor();
    }
    await page.route('**/api/v2/team/ingestion-key', (route) => route.abort());
    await page.goto('/settings/team');
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText('The server does not answer.').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('open dialogs without a complaint', async () => {
    const { page, watch, context } = await world.signedIn(view);
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByRole('dialog', { name: 'Add a member' }).waitFor();
    await watch.isClean();
    await page.keyboard.press('Escape');
    await page.goto('/settings/team');
    await page.getByRole('button', { name: 'Replace key…' }).click();
    const confirm = page.getByRole('button', { name: 'Replace key', exact: true });
    await confirm.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('members', () => {
  it('are added by mouse, join in a second profile, get a role and are removed', async () => {
    const admin = await world.signedIn();
    const { page } = admin;
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Add member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('Grace@Example.com');
    await dialog.getByLabel('Name (optional)').fill('Grace');
    await dialog.getByRole('button', { name: 'Add member' }).click();
    const link = await dialog.getByLabel('Link').innerText();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await admin.watch.isClean();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Grace').getByText('Not set').waitFor();
    await keepsNothingOf(page, link.slice(link.indexOf('#') + 1));

    const second = await world.page();
    await second.page.goto(link);
    await second.page.getByLabel('New password').fill('EXAMPLE-ANOTHER-PASSWORD');
    await second.page.getByRole('button', { name: 'Save password' }).click();
    await second.page.waitForURL('**/search*');
    await second.page.goto('/settings/members');
    await second.page.getByText(`Ask ${account.email}`).waitFor();
    await keepsNothingOf(second.page, link.slice(link.indexOf('#') + 1));

    await page.reload();
    await row(page, 'Grace').getByText('Set', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change role of Grace' }).click();
    await dialog.getByText('Admin', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('Grace is an admin now.').waitFor();
    await second.page.reload();
    await second.page.getByRole('button', { name: 'Add member' }).waitFor();

    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Grace is removed.').waitFor();
    await row(page, 'Grace').waitFor({ state: 'detached' });
    second.watch.expect(/401/);
    await second.page.reload();
    await second.page.waitForURL(/\/sign-in/);
    await Promise.all([admin.watch.isClean(), second.watch.isClean()]);
    await Promise.all([admin.context.close(), second.context.close()]);
  });

  it('keep the last admin, and tell an admin what a new role of their own means', async () => {
    const { page, watch, context } = await world.joined({
      email: 'second-admin@example.com',
      name: 'Second',
      role: 'admin',
    });
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Change role of Second' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your own role' });
    await dialog.getByText('Member', { exact: true }).click();
    await dialog.getByText('You lose the rights of an admin at once.').waitFor();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('You are a member now.').waitFor();
    await page.getByText(`Ask ${account.email}`).waitFor();
    await watch.isClean();
    await context.close();

    const last = await world.signedIn();
    last.watch.expect(/409/);
    await last.page.goto('/settings/members');
    await last.page.getByRole('button', { name: `Remove ${account.email}` }).click();
    const refusal = last.page.waitForResponse((response) => response.status() === 409);
    await last.page.getByRole('button', { name: 'Remove myself' }).click();
    const refused = last.page.getByRole('dialog');
    await refused.getByText('This is the last admin of the team.').waitFor();
    await last.watch.isClean();
    const { requestId } = (await (await refusal).json()) as { requestId: string };
    const report = refused.getByRole('button', { name: 'Copy request id' });
    expect(await copied(last.page, () => report.click())).toBe(requestId);
    await last.context.close();
  });

  it('and keys and browsers with hostile names stay text', async () => {
    const { page, watch, context } = await world.joined({
      email: 'hostile@example.com',
      name: hostileText,
    });
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(hostileText);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await row(page, hostileText).waitFor();
    await page.getByRole('button', { name: `Revoke ${hostileText}` }).click();
    await page.getByRole('dialog', { name: `Revoke “${hostileText}”?` }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/settings/members');
    await row(page, hostileText).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Members · Sightline');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('keys, sessions and password', () => {
  it('makes an access key that is shown once, works and is revoked', async () => {
    const { page, watch, context } = await world.joined({ email: 'keys@example.com' });
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('deploy script');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('Access key', { exact: true }).innerText();
    await watch.isClean();
    await page.getByRole('button', { name: 'Done' }).click();
    await row(page, 'deploy script')
      .getByText(`…${key.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(key);
    await keepsNothingOf(page, key);

    const call = () =>
      fetch(`${world.server.api}/api/v2/team`, { headers: { authorization: `Bearer ${key}` } });
    expect((await call()).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke deploy script' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('You have no access key').waitFor();
    expect((await call()).status).toBe(401);
    await watch.isClean();
    await context.close();
  });

  it('ends one session, and all others', async () => {
    const email = 'sessions@example.com';
    const { page, watch, context } = await world.joined({ email });
    const others = [await world.page(), await world.page(), await world.page()];
    for (const other of others) {
      other.watch.expect(/401/);
      await other.page.goto('/sign-in');
      await signIn(other.page, account.password, email);
      await other.page.waitForURL('**/search*');
    }
    await page.goto('/settings/sessions');
    const ends = page.getByRole('button', { name: /^End Chrome/ });
    await ends.nth(2).waitFor();
    await ends.first().click();
    await page.getByRole('button', { name: 'End session', exact: true }).click();
    await page.getByText('1 session ended.').waitFor();
    await ends.nth(2).waitFor({ state: 'detached' });
    expect(await ends.count()).toBe(2);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('You are signed in nowhere else.').waitFor();
    for (const other of others) {
      await other.page.reload();
      await other.page.waitForURL(/\/sign-in/);
      await other.context.close();
    }
    await watch.isClean();
    await context.close();
  });

  it('changes the password, and says at its field what is wrong', async () => {
    const { page, watch, context } = await world.joined({ email: 'password@example.com' });
    watch.expect(/400/);
    await page.goto('/settings/sessions');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('must have at least 8 characters').waitFor();
    await page.getByLabel('New password').fill('EXAMPLE-A-LATER-PASSWORD');
    await page.keyboard.press('Enter');
    await page.getByText('is not the current password').waitFor();
    await watch.isClean();
    await page.getByLabel('Current password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();
    expect(await page.getByLabel('Current password').inputValue()).toBe('');
    await keepsNothingOf(page, account.password, 'EXAMPLE-A-LATER-PASSWORD');
    await watch.isClean();
    await context.close();

    const again = await world.page();
    again.watch.expect(/401/);
    await again.page.goto('/sign-in');
    await signIn(again.page, 'EXAMPLE-A-LATER-PASSWORD', 'password@example.com');
    await again.page.waitForURL('**/search*');
    await again.context.close();
  });
});

describe.skipIf(isMissing)('preferences', () => {
  it('apply at once and after a reload', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    await page.getByText('Dark', { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.getByText('Compact', { exact: true }).click();
    await page.getByRole('button', { name: /^Time zone/ }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
    await page.keyboard.type('St Johns');
    await page.keyboard.press('Enter');
    await page.getByText(/UTC−[23]:30\./).waitFor();
    await page.getByRole('switch').click();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.reload();
    await page.getByText(/UTC−[23]:30\./).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true);
    await page.getByRole('switch').click();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the ingestion key', () => {
  it('is shown and replaced by keyboard alone, and the old one is refused', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('Go to Settings');
    await page.keyboard.press('Enter');
    await heading(page, 'Preferences').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Team');
    await page.keyboard.press('Enter');
    await heading(page, 'Team').waitFor();
    await tabTo(page, 'Show key');
    await page.keyboard.press('Enter');
    await page.getByText(account.ingestionKey).waitFor();
    await watch.isClean();

    await tabTo(page, 'Replace key…');
    await page.keyboard.press('Enter');
    await page.getByLabel('Type “replace” to confirm').waitFor();
    await page.keyboard.type('replace');
    await page.keyboard.press('Enter');
    await page.getByText('The ingestion key is replaced.').waitFor();
    const key = await page.getByLabel('Ingestion key', { exact: true }).innerText();
    expect(key).not.toBe(account.ingestionKey);
    const records = shopRecords(Date.now(), 1);
    expect((await world.sendWith(account.ingestionKey, records)).status).toBe(401);
    expect((await world.sendWith(key, records)).status).toBe(200);
    await keepsNothingOf(page, key, account.ingestionKey);
    await watch.isClean();
    await page.reload();
    await page.getByRole('button', { name: 'Show key' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await context.close();
  });
});
