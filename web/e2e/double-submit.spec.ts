import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { button, fillForm, forms, storedTimes } from './kit/forms.ts';
import { openInterruptWorld, type InterruptWorld } from './kit/interrupt.ts';

const isMissing = browserMissing();
let play: InterruptWorld;

beforeAll(async () => {
  if (!isMissing) {
    play = await openInterruptWorld();
  }
});
afterAll(() => play?.close());

/** Clicks the button and presses Ctrl+Enter and Ctrl+S again and again, until the button is gone. */
const hammer = (page: Page, name: string): Promise<number> =>
  button(page, name)
    .last()
    .evaluate(async (submit: HTMLElement) => {
      const field = submit.closest('form')?.querySelector('input') ?? submit;
      let strokes = 0;
      for (; strokes < 50 && submit.isConnected; strokes++) {
        submit.click();
        for (const key of ['Enter', 's']) {
          const stroke = { key, ctrlKey: true, bubbles: true, cancelable: true };
          field.dispatchEvent(new KeyboardEvent('keydown', stroke));
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return strokes;
    });

/** Answers come late, and so does the code of the page that follows. */
const delayMs = 60;

it.skipIf(isMissing)('Ctrl+S saves the title of a tile that is still typed', async () => {
  const { page, watch, context } = await play.opened(`/dashboards/${play.dashboardId}?edit=1`);
  await page.getByRole('button', { name: /^Actions of Records/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const panel = page.getByRole('complementary', { name: 'Tile' });
  await panel.getByLabel('Title').fill('Still typed');
  await page.keyboard.press('Control+s');
  await page.getByRole('status').getByText('The dashboard is saved.').waitFor();
  const stored = await play.call<object>('GET', `/dashboards/${play.dashboardId}`);
  expect(JSON.stringify(stored)).toContain('"Still typed"');
  await watch.isClean();
  await context.close();
});

describe.skipIf(isMissing)('a button that is pressed many times', () => {
  it.each(forms)('saves the $form once', async (form) => {
    const { page, context } = await play.opened(form.path(play));
    const typed = `Pressed in the ${form.form}`;
    await fillForm(page, form, play, typed);
    const saves: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isTry = /\/(preview|check|discover|batch|series|search)$/.test(pathname);
      if (request.method() !== 'GET' && !isTry && request.postData()?.includes(typed)) {
        saves.push(`${request.method()} ${pathname}`);
      }
    });
    await page.route(/\/api\/|\/v1\/|\/assets\//, async (route) => {
      await pause(delayMs);
      await route.continue().catch(() => undefined);
    });
    expect(await hammer(page, form.submit)).toBeGreaterThan(3);
    await expect.poll(() => storedTimes(form, play, typed)).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(saves).toHaveLength(1);
    expect(await storedTimes(form, play, typed)).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
});
