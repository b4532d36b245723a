import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { button, fillForm, forms, shown, storedTimes } from './kit/forms.ts';
import { openInterruptWorld, type InterruptWorld } from './kit/interrupt.ts';

const isMissing = browserMissing();
let play: InterruptWorld;

beforeAll(async () => {
  if (!isMissing) {
    play = await openInterruptWorld();
  }
});
afterAll(() => play?.close());

interface Screen {
  path(): string;
  /** The data of the screen. */
  data(page: Page): ReturnType<Page['locator']>;
  /** Asks the engine again, with something that was typed if the screen has a field. */
  ask(page: Page): Promise<unknown>;
  /** Asks once more; absent: as before. */
  again?(page: Page): Promise<unknown>;
  /** What the screen says while the engine does not run. */
  says: RegExp;
  /** The field with what was typed, and its text. */
  typed?(page: Page): Promise<string | null>;
  text?: string;
}

const unavailable = /the telemetry engine is unavailable/;
const chart = (page: Page) => page.locator('[aria-roledescription="chart"]').first();
const reload = (page: Page) => page.reload();
const typeInto = (name: string, text: string) => async (page: Page) => {
  await page.getByLabel(name, { exact: true }).fill(text);
  await page.getByLabel(name, { exact: true }).press('Enter');
};
const textOf = (name: string) => (page: Page) =>
  page.getByLabel(name, { exact: true }).inputValue();

const screens: Record<string, Screen> = {
  search: {
    path: () => '/search',
    data: (page) => page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first(),
    ask: async (page) => {
      await page.locator('.cm-content').click();
      await page.keyboard.type('order');
      await page.keyboard.press('Enter');
    },
    again: (page) => button(page, 'Run').click(),
    says: unavailable,
    typed: (page) => page.locator('.cm-content').textContent(),
    text: 'order',
  },
  explore: {
    path: () => '/explore',
    data: chart,
    ask: typeInto('Group by', 'ServiceName'),
    again: (page) => button(page, 'Run').click(),
    says: unavailable,
    typed: textOf('Group by'),
    text: 'ServiceName',
  },
  dashboard: {
    path: () => `/dashboards/${play.dashboardId}`,
    data: chart,
    ask: (page) => button(page, 'Refresh').click(),
    says: unavailable,
  },
  services: {
    path: () => '/services?find=check',
    data: (page) => page.getByRole('table', { name: 'Services' }).getByText('checkout'),
    ask: reload,
    says: unavailable,
    typed: async (page) => new URL(page.url()).searchParams.get('find'),
    text: 'check',
  },
  trace: {
    path: () => `/traces/${play.traceId}`,
    data: (page) => page.getByRole('treegrid').getByRole('row').first(),
    ask: reload,
    says: unavailable,
  },
  metrics: {
    path: () => '/metrics',
    data: (page) => page.getByRole('table', { name: 'Metrics' }).getByRole('link').first(),
    ask: reload,
    says: unavailable,
  },
  'alert editor': {
    path: () => `/alerts/new?savedSearchId=${play.searchId}`,
    data: (page) => page.getByText(/^Would (not )?have fired/),
    ask: typeInto('Group by (optional)', 'ServiceName'),
    says: /unavailable|^Evaluating for \d+ s/,
    typed: textOf('Group by (optional)'),
    text: 'ServiceName',
  },
  organization: {
    path: () => '/organization',
    data: (page) => page.getByText('Running').locator('visible=true').first(),
    ask: reload,
    says: /Degraded: the engine does not answer/,
  },
  health: {
    path: () => '/health',
    data: (page) => page.getByText(/As of \d/).first(),
    ask: reload,
    says: /The telemetry engine does not respond/,
  },
};

const seen = (page: Page, text: RegExp) =>
  page.getByText(text).locator('visible=true').first().waitFor();

/** Asks once more wherever the screen offers it, until its data is back. */
async function tryAgain(page: Page, { data, ask, again = ask, says }: Screen): Promise<void> {
  const offer = button(page, 'Try again').locator('visible=true');
  await expect
    .poll(async () => {
      if ((await page.getByText(says).locator('visible=true').count()) === 0) {
        return data(page).isVisible();
      }
      await ((await offer.count()) > 0 ? offer.last().click() : again(page));
      return false;
    })
    .toBe(true);
}

describe.skipIf(isMissing)('while the engine is killed again and again', () => {
  it('every screen that asks it says so, keeps what was typed, and works again afterwards', async () => {
    const { context } = await play.world.signedIn();
    const opened: [string, Screen, Page][] = [];
    for (const [name, screen] of Object.entries(screens)) {
      const page = await context.newPage();
      await page.goto(screen.path());
      await screen.data(page).waitFor();
      opened.push([name, screen, page]);
    }
    const end = play.world.keepEngineDown();
    try {
      for (const [, { ask }, page] of opened) {
        await ask(page);
      }
      for (const [name, { says, typed, text }, page] of opened) {
        await seen(page, says);
        expect([name, await typed?.(page)]).toEqual([name, text]);
      }
    } finally {
      end();
    }
    for (const [name, screen, page] of opened) {
      await tryAgain(page, screen);
      expect([name, await screen.typed?.(page)]).toEqual([name, screen.text]);
    }
    await context.close();
  });

  it('every form that needs it keeps what was typed, and saves it once afterwards', async () => {
    const names = ['tile form', 'alert editor', 'source form', 'new pipe', 'name of a pipe'];
    const opened = [];
    for (const form of forms.filter((one) => names.includes(one.form))) {
      const made = await play.opened(form.path(play));
      const typed = `Kept in the ${form.form}`;
      await fillForm(made.page, form, play, typed);
      opened.push({ ...made, form, typed, isStored: () => storedTimes(form, play, typed) });
    }
    expect(opened).toHaveLength(names.length);
    const end = play.world.keepEngineDown();
    try {
      for (const { page, form } of opened) {
        await button(page, form.submit).last().click();
      }
      await pause(1500);
      for (const { page, form, typed, isStored } of opened) {
        const isKept = (await shown(page, form, typed).count()) > 0;
        expect([form.form, isKept || (await isStored()) === 1]).toEqual([form.form, true]);
      }
    } finally {
      end();
    }
    for (const { page, form, isStored, context } of opened) {
      const submit = button(page, form.repeat ?? form.submit).last();
      await expect
        .poll(async () => {
          const count = await isStored();
          if (count === 0 && (await page.getByText(unavailable).count()) > 0) {
            await submit.click({ timeout: 2000 }).catch(() => undefined);
          }
          return count;
        })
        .toBe(1);
      await page.waitForLoadState('networkidle');
      expect([form.form, await isStored()]).toEqual([form.form, 1]);
      await context.close();
    }
  });
});
