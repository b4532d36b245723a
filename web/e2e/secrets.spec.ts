import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { account, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
  }
});
afterAll(() => world?.close());

const keep = (page: Page, text: string): Promise<void> =>
  page.evaluate((value) => localStorage.setItem('kept', `a draft with ${value}`), text);

/** What the end of every journey says. */
const ends = (context: BrowserContext): Promise<unknown> =>
  context.close().then(
    () => undefined,
    (error: unknown) => error,
  );

const leaks: [where: string, leak: (page: Page, context: BrowserContext) => Promise<void>][] = [
  ['the password in local storage', (page) => keep(page, account.password)],
  [
    'the ingestion key in session storage',
    (page) => page.evaluate((key) => sessionStorage.setItem('k', key), account.ingestionKey),
  ],
  [
    'a key that the page made',
    async (page) => {
      const made = await callApi<{ key: string }>(page, 'POST', '/team/access-keys', { name: 'x' });
      await keep(page, made.key);
    },
  ],
  [
    'the session in the address',
    async (page, context) => {
      const [cookie] = await context.cookies();
      await page.goto(`/settings?note=${cookie?.value}`);
    },
  ],
  [
    'a cookie that scripts read',
    async (_page, context) => {
      const [cookie] = await context.cookies();
      await context.addCookies([{ ...cookie!, httpOnly: false, sameSite: 'Lax' }]);
    },
  ],
];

describe.skipIf(isMissing)('the end of a journey', () => {
  it.each(leaks)('finds %s', async (_where, leak) => {
    const { page, context } = await world.signedIn();
    await page.goto('/settings');
    await leak(page, context);
    expect(await ends(context)).toBeInstanceOf(Error);
  });

  it('is quiet where nothing is kept', async () => {
    const { page, context } = await world.signedIn();
    await page.goto('/settings/keys');
    await callApi<object>(page, 'POST', '/team/access-keys', { name: 'y' });
    expect(await ends(context)).toBeUndefined();
  });
});
