import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { goTo, tabTo } from './kit/journey.ts';
import { smallTargets } from './kit/small-targets.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { shopRecords } from './kit/telemetry.ts';
import { views, wide, World, type View } from './kit/world.ts';

const isMissing = browserMissing();
const order = traceIdOf(0xa1);
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
    await world.send(shopRecords(Date.now(), 20));
    await world.sendSpans(orderTrace(Date.now() - 60_000, order, traceIdOf(0xb2)));
  }
});
afterAll(() => world?.close());

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands' }).waitFor();
}

/** Opens what a wide screen has in the rail and a small one behind “More”. */
async function openFromRail(page: Page, name: string, view: View): Promise<void> {
  if (view.width > 640) {
    await page.getByRole('button', { name }).click();
    return;
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Name of the element that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

const focusIsOn = (page: Page, name: string): Promise<void> =>
  expect.poll(() => focused(page)).toBe(name);

/** The dialog itself: a tooltip of its close button would take the first Escape. */
const dialogHasFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'dialog');

describe.skipIf(isMissing).each(views)('palette and help at $width px', (view) => {
  it('open from the rail without a complaint', async () => {
    const { page, watch, context } = await world.signedIn(view);
    await page.goto('/settings');
    await openFromRail(page, 'Commands', view);
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    for (const group of ['Go to', 'Create', 'Settings', 'Help']) {
      await page.locator('[role=listbox] [role=presentation]').getByText(group).waitFor();
    }
    await watch.isClean();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openFromRail(page, 'Keyboard shortcuts', view);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the palette', () => {
  it('goes to a page, creates, and sets theme and zone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    await heading(page, 'Preferences').waitFor();
    await openPalette(page);
    await page.keyboard.type('sessions');
    await page.keyboard.press('Enter');
    await heading(page, 'Sessions').waitFor();
    await openPalette(page);
    await page.keyboard.type('new access key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New access key' }).waitFor();
    expect(new URL(page.url()).search).toBe('?new=1');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await openPalette(page);
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await openPalette(page);
    await page.keyboard.type('zone');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
    await page.keyboard.type('kathmandu');
    await page.keyboard.press('Enter');
    await page
      .getByText(/UTC\+5:45/)
      .first()
      .waitFor();
    await watch.isClean();
    await context.close();
  });

  it('leads back to a page of the last visits, until the person signs out', async () => {
    const { page, watch, context } = await world.joined({ email: 'recent@example.com' });
    watch.expect(/401/);
    await page.goto(`/traces/${order}`);
    await page.getByRole('treegrid').locator('[data-index]').first().waitFor();
    const title = (await page.title()).replace(' · Sightline', '');
    await page.goto('/settings');
    await heading(page, 'Preferences').waitFor();
    await openPalette(page);
    await page.getByRole('option', { name: title }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/traces/${order}`);
    await openPalette(page);
    expect(await page.getByRole('option', { name: title }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'You and your settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await page.evaluate(() => localStorage.getItem('sightline.recentPages'))).toBe('[]');
    await watch.isClean();
    await context.close();
  });

  it('offers a member no form that only an admin may send', async () => {
    const { page, context } = await world.joined({ email: 'plain@example.com' });
    await page.goto('/settings');
    await heading(page, 'Preferences').waitFor();
    await openPalette(page);
    await page.getByRole('option', { name: 'Access key', exact: true }).waitFor();
    expect(await page.getByRole('option', { name: 'Member', exact: true }).count()).toBe(0);
    await page.goto('/settings/members?new=1');
    await page.getByText('You have the role member.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });
});

describe.skipIf(isMissing)('the focus', () => {
  it('returns to what opened a dialog, also over another dialog', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).waitFor();
    await tabTo(page, 'New key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New access key' }).waitFor();
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'New key');

    await openPalette(page);
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'New key');

    await openPalette(page);
    await page.keyboard.type('keyboard shortcuts');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await dialogHasFocus(page);
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'New key');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await dialogHasFocus(page);
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'New key');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('shortcuts', () => {
  it('go to screens, and are off in fields and where the person turned them off', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings/team');
    await heading(page, 'Team').waitFor();
    await goTo(page, 's', '/search');
    await goTo(page, 't', '/settings');
    await heading(page, 'Preferences').waitFor();

    await page.goto('/settings/team');
    await page.getByLabel('Name', { exact: true }).click();
    await page.keyboard.type('g s ?');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toContain('g s ?');
    await heading(page, 'Team').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.goto('/settings');
    await page.getByRole('switch').click();
    await heading(page, 'Preferences').click();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.keyboard.press('?');
    await openPalette(page);
    expect(new URL(page.url()).pathname).toBe('/settings');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await watch.isClean();
    await context.close();
  });

  it('without a letter work also where letters are turned off', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    await page.getByRole('switch').click();
    await page.goto('/search');
    const rows = page.getByRole('grid', { name: 'Rows' });
    const row = page.getByRole('region', { name: 'Row', exact: true });
    await rows.locator('[data-index="0"]').waitFor();
    await rows.focus();
    await page.keyboard.press('ArrowDown');
    await rows.locator('[data-current]').first().waitFor();
    await page.keyboard.press('Enter');
    await row.waitFor();
    const open = page.url();
    // A letter does nothing: it would go to the next row.
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await row.waitFor();
    expect(page.url()).toBe(open);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('a touch screen of 390 px', () => {
  const phone = { ...wide, width: 390, height: 844 };

  it('has the screens in a bar below, and nothing to hit is lower than a finger', async () => {
    const { page, watch, context } = await world.signedIn(phone);
    await page.goto('/settings');
    await page.evaluate(() => localStorage.setItem('sightline.density', '"compact"'));
    for (const path of ['', '/keys', '/sessions', '/team', '/members']) {
      await page.goto(`/settings${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const rail = await page.getByRole('navigation', { name: 'Screens' }).boundingBox();
      expect(rail?.width).toBe(390);
      expect((rail?.y ?? 0) + (rail?.height ?? 0)).toBe(844);
      await page.waitForLoadState('networkidle');
      expect(await smallTargets(page), path).toEqual([]);
    }
    await page.getByRole('button', { name: 'You and your settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await smallTargets(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Commands' }).waitFor();
    expect(await smallTargets(page), 'more').toEqual([]);
    await page.goto('/settings/keys?new=1');
    await page.getByRole('dialog').waitFor();
    expect(await smallTargets(page), 'dialog').toEqual([]);
    await watch.isClean();
    await context.close();
  });

  it.each([phone, { ...phone, width: 320 }])(
    'shows the current screen at $width px and leads to all',
    async (view) => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto('/settings');
      const bar = page.getByRole('navigation', { name: 'Screens' });
      const current = bar.locator('[data-status=active]');
      await bar.getByRole('link', { name: 'Settings' }).waitFor();
      const screens = await bar.locator('li a').evaluateAll((links) =>
        links.map((link) => ({
          label: link.textContent ?? '',
          path: new URL((link as HTMLAnchorElement).href).pathname,
        })),
      );
      expect(screens.length).toBeGreaterThan(4);
      for (const { label, path } of screens) {
        const link = bar.getByRole('link', { name: label });
        if (await link.isVisible()) {
          await link.click();
        } else {
          await bar.getByRole('button', { name: 'More' }).click();
          await page.getByRole('menuitem', { name: label }).click();
        }
        await page.waitForURL((url) => url.pathname === path);
        await current.getByText(label, { exact: true }).waitFor();
        expect(await cutLabels(page), label).toEqual([]);
      }
      await watch.isClean();
      await context.close();
    },
  );

  it('has rows for fingers, whatever density was chosen', async () => {
    const { page, context } = await world.signedIn(phone);
    await page.goto('/settings');
    await page.evaluate(() => localStorage.setItem('sightline.density', '"compact"'));
    await page.goto('/search');
    const row = page.getByRole('grid', { name: 'Rows' }).locator('[data-index]').first();
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    await context.close();
  });
});

describe.skipIf(isMissing)('a low window', () => {
  it.each([600, 320])('reaches every screen and the foot of the rail at %i px', async (height) => {
    const { page, watch, context } = await world.signedIn({ ...wide, height });
    await page.goto('/settings');
    const rail = page.getByRole('navigation', { name: 'Screens' });
    for (const link of await rail.locator('li a').all()) {
      await link.focus();
      await expect.poll(async () => isInside(await link.boundingBox(), height)).toBe(true);
    }
    const person = rail.getByRole('button', { name: 'You and your settings' });
    expect(isInside(await person.boundingBox(), height)).toBe(true);
    await watch.isClean();
    await context.close();
  });
});

type Box = Awaited<ReturnType<Locator['boundingBox']>>;

const isInside = (box: Box, height: number): boolean =>
  box !== null && box.y >= 0 && box.y + box.height <= height;

/** Labels of the bar that are wider than their place. */
const cutLabels = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('nav[aria-label=Screens] li :is(a, button)')]
      .filter((place) => place.checkVisibility() && place.scrollWidth > place.clientWidth)
      .map((place) => place.textContent ?? ''),
  );
