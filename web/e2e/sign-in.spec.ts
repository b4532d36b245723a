import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, signIn, views, World } from './kit/world.ts';

describe.skipIf(browserMissing())('sign-in', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.open();
    await world.send(shopRecords(Date.now(), 20));
  });
  afterAll(() => world?.close());

  it.each(views)('asks, refuses and admits at $width px', async (view) => {
    const { page, watch, context } = await world.page(view);
    watch.expect(/401/);
    await page.goto('/search?q=order');
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByLabel('Email').waitFor();
    await watch.isClean();
    await signIn(page, 'a wrong password');
    await page.getByRole('alert').waitFor();
    await watch.isClean();
    await signIn(page);
    await page.waitForURL(/\/search\?q=order/);
    await context.close();
  });

  it.each([
    '//example.com/steal',
    '/%5Cexample.com/steal',
    'https://example.com/steal',
    'javascript:alert(1)',
    '/%09/example.com',
  ])('never leads to another host after it: next=%s', async (next) => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto(`/sign-in?next=${next}`);
    await signIn(page);
    await page.waitForURL('**/search*');
    expect(new URL(page.url()).origin).toBe(world.server.ui);
    await context.close();
  });

  it('holds the session in a cookie that scripts cannot read, and nothing of it in storage', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/search');
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain(cookie?.value);
    expect(stored).not.toContain(account.password);
    await context.close();
  });

  it('asks again when the session has ended, and keeps what was typed', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto('/sign-in');
    await signIn(page);
    await page.waitForURL('**/search*');
    await page.locator('.cm-content').click();
    await page.keyboard.type('order');
    // A call that is still under way would ask for the password before Enter does.
    await page.waitForLoadState('networkidle');
    await context.clearCookies();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(account.password);
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('18 rows', { exact: true }).waitFor();
    expect(await page.locator('.cm-content').innerText()).toBe('order');
    await context.close();
  });

  it('says why single sign-on failed', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto('/sign-in?error=domain_not_allowed');
    await page.getByText('Your email address is not of an allowed domain.').waitFor();
    await watch.isClean();
    expect(await page.getByRole('link', { name: /your organization/ }).count()).toBe(0);
    await context.close();
  });

  it.each(views)('lets a new member set a password at $width px', async (view) => {
    const admin = await world.signedIn();
    await admin.page.goto('/search');
    const email = `grace-${view.width}@example.com`;
    const path = await admin.page.evaluate(async (address) => {
      const response = await fetch('/api/v2/team/members', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sightline': '1' },
        body: JSON.stringify({ email: address, name: 'Grace' }),
      });
      const { data } = (await response.json()) as { data: { link: { path: string } } };
      return data.link.path;
    }, email);
    await admin.context.close();

    const { page, watch, context } = await world.page(view);
    watch.expect(/400/);
    await page.goto(path);
    await page.getByLabel('New password').fill('short');
    expect(page.url()).toMatch(/\/join$/);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('at least 8 characters').waitFor();
    await watch.isClean();
    await page.getByLabel('New password').fill('EXAMPLE-ANOTHER-PASSWORD');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.waitForURL('**/search*');
    await context.close();
  });

  it('refuses a link that is used or cut', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto('/join#EXAMPLE-NOT-A-TOKEN');
    await page.getByLabel('New password').fill('EXAMPLE-ANOTHER-PASSWORD');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Ask an admin for a new one').waitFor();
    await page.goto('/join');
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('signs out', async () => {
    const { page, watch, context } = await world.page();
    watch.expect(/401/);
    await page.goto('/sign-in');
    await signIn(page);
    await page.waitForURL('**/search*');
    await page.getByRole('button', { name: 'You and your settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/search');
    await page.waitForURL(/\/sign-in\?next=/);
    await context.close();
  });
});
