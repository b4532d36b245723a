import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOpenid, type OpenidServer } from '../../test/kit/openid.ts';
import { freePort } from '../../test/kit/port.ts';
import { browserMissing } from './kit/browser.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { shopRecords } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

const people = {
  grace: { email: 'grace@example.com', email_verified: true, name: 'Grace' },
  mallory: { email: 'mallory@evil.example.org', email_verified: true },
};
const secret = 'a-client-secret-of-the-provider';
const organization = 'Sign in with your organization';

describe.skipIf(browserMissing())('single sign-on in the browser', () => {
  let provider: OpenidServer;
  let world: World;

  beforeAll(async () => {
    // The provider knows the way back before the server runs.
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/sign-in/oidc/callback`;
    provider = await startOpenid(people, { id: 'sightline', secret, redirectUri });
    world = await World.open({
      SIGHTLINE_UI_PORT: String(port),
      SIGHTLINE_OIDC_ISSUER: provider.issuer,
      SIGHTLINE_OIDC_CLIENT_ID: 'sightline',
      SIGHTLINE_OIDC_CLIENT_SECRET: secret,
      SIGHTLINE_OIDC_ALLOWED_DOMAINS: 'example.com',
    });
    await world.send(shopRecords(Date.now(), 20));
  });
  afterAll(async () => {
    await world?.close();
    await provider?.stop();
  });

  /** The rows of the page that was asked for, and a session that scripts cannot read. */
  async function isIn(page: Page): Promise<void> {
    await page.waitForURL(/\/search\?q=order/);
    await page.getByText('18 rows', { exact: true }).waitFor();
    const cookies = (await page.context().cookies()).filter(({ name }) => name === 'sightline');
    expect(cookies).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/' }),
    ]);
    await keepsNothingOf(page, cookies[0]?.value ?? '', secret);
  }

  it('admits a person by mouse, to the page that was asked for', async () => {
    const { page, watch, context } = await world.page();
    // Ours before the sign-in, and what the provider's own page lacks here.
    watch.expect(/40[14]|ERR_/);
    await page.goto('/search?q=order');
    await page.getByRole('link', { name: organization }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('[name=login]').fill('grace');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await isIn(page);
    await page.goto('/settings/sessions');
    await page.getByText('You sign in with your organization').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('admits a person by keyboard alone', async () => {
    const { page, watch, context } = await world.page();
    // Ours before the sign-in, and what the provider's own page lacks here.
    watch.expect(/40[14]|ERR_/);
    await page.goto('/search?q=order');
    await page.getByRole('link', { name: organization }).waitFor();
    await tabTo(page, organization);
    await page.keyboard.press('Enter');
    await page.locator('[name=login]:focus').waitFor();
    await page.keyboard.type('grace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('any');
    await page.keyboard.press('Enter');
    await isIn(page);
    await watch.isClean();
    await context.close();
  });

  it('says why a person is refused, and lets another one try', async () => {
    const { page, watch, context } = await world.page();
    // Ours before the sign-in, and what the provider's own page lacks here.
    watch.expect(/40[14]|ERR_/);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: organization }).click();
    await page.locator('[name=login]').fill('mallory');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.waitForURL(/\/sign-in\?error=domain_not_allowed/);
    await page.getByText('Your email address is not of an allowed domain.').waitFor();
    await page.getByRole('link', { name: organization }).waitFor();
    await watch.isClean();
    await context.close();
  });
});
