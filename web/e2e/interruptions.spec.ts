import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { button, enterSource, fillForm, forms, shown, storedTimes } from './kit/forms.ts';
import { openInterruptWorld, type InterruptWorld } from './kit/interrupt.ts';
import { keepsNothingOf } from './kit/journey.ts';
import { account, signIn } from './kit/world.ts';

const isMissing = browserMissing();
let play: InterruptWorld;

beforeAll(async () => {
  if (!isMissing) {
    play = await openInterruptWorld();
  }
});
afterAll(() => play?.close());

const message = (page: Page, text: RegExp) =>
  page.getByText(text).locator('visible=true').first().waitFor();
const isRefused = (page: Page) =>
  message(page, /your role does not permit .*:write\. Ask an admin of your team/);

/** Signs in by the dialog over the page. */
async function signInAgain(page: Page, isKept: () => Promise<void>): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password').fill(account.password);
  await isKept();
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
}

describe.skipIf(isMissing)('what is typed', () => {
  it.each(forms)(
    'in the $form outlives a cut network, a lost role and the end of the session',
    async (form) => {
      const { page, watch, context } = await play.opened(form.path(play));
      watch.expect(/401|403|ERR_INTERNET_DISCONNECTED/);
      const typed = `Typed in the ${form.form}`;
      await fillForm(page, form, play, typed);
      const submit = (name = form.repeat ?? form.submit) => button(page, name).last().click();
      const isKept = () => expect.poll(() => shown(page, form, typed).count()).toBe(1);

      await context.setOffline(true);
      await submit(form.submit);
      await message(page, /The server does not answer/);
      await isKept();
      await context.setOffline(false);
      expect(await storedTimes(form, play, typed)).toBe(0);

      if (form.isOfAdmins) {
        await play.setRole('member');
        try {
          await submit();
          await isRefused(page);
          await isKept();
          // Both at once: the page learns the new role when the person signs in.
          await play.endSession(context);
          await submit();
          await signInAgain(page, isKept);
          await isRefused(page);
          await isKept();
        } finally {
          await play.setRole('admin');
        }
      }

      await play.endSession(context);
      await submit();
      await signInAgain(page, isKept);
      await expect.poll(() => storedTimes(form, play, typed)).toBe(1);
      await watch.isClean();
      await context.close();
    },
  );

  it('of a new pipe outlives the end of the session and a reload, but for credentials', async () => {
    const { page, watch, context } = await play.opened('/pipes/new?kind=objectStorage&step=kind');
    watch.expect(/401/);
    await page.goto('/pipes/new?kind=objectStorage&step=connection');
    const secretKey = 'a secret that nobody keeps';
    await enterSource(page, play.objects, { accessKeyId: 'reader-of-orders', secretKey });
    await play.endSession(context);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await signIn(page, account.password, 'grace@example.com');
    await page.getByText('Enter these again: Access key id, Secret key.').waitFor();
    expect(await page.getByLabel('URL of the objects').inputValue()).toBe(play.objects);
    expect(await page.getByLabel('Secret key').inputValue()).toBe('');
    await keepsNothingOf(page, secretKey);
    await watch.isClean();
    await context.close();
  });
});
