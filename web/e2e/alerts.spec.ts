import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertWorld, type AlertWorld } from './kit/alert-world.ts';
import { names, playShop, worldStart, type ShopAlerts } from './kit/alerts.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { tabTo } from './kit/journey.ts';
import { hostileText } from './kit/telemetry.ts';
import { views } from './kit/world.ts';

const isMissing = browserMissing();
let play: AlertWorld;
let made: ShopAlerts;

beforeAll(async () => {
  if (!isMissing) {
    play = await openAlertWorld(worldStart);
  }
});
afterAll(() => play?.close());

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const stored = (page: Page, id: string) =>
  callApi<{ silenced: boolean; silencedUntil?: string; acknowledgements?: { note: string }[] }>(
    page,
    'GET',
    `/alerts/${id}`,
  );

describe.skipIf(isMissing)('list without alerts', () => {
  it.each(views)('offers the first at $width px', async (view) => {
    const { page, watch, context } = await play.open('/alerts', view);
    await page.getByText('There is no alert').waitFor();
    expect(await page.getByRole('link', { name: 'New alert' }).count()).toBe(2);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('list of alerts', () => {
  beforeAll(async () => {
    made = await playShop(play);
  });

  describe.each(views)('at $width px', (view) => {
    it('shows what needs a person first, and hostile names as text', async () => {
      const { page, watch, context } = await play.open('/alerts', view);
      await link(page, names.quiet).waitFor();
      const order = await page.locator('[data-row-link]').allInnerTexts();
      expect(order).toEqual([
        names.broken,
        names.grouped,
        names.firing,
        names.silenced,
        names.pending,
        names.quiet,
      ]);
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('says that the list failed, and tries again', async () => {
      const { page, watch, context } = await play.open('/settings', view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/api/v2/alerts?*', (route) => route.abort());
      await page.goto('/alerts');
      await page.getByText('The alerts cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/alerts?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await link(page, names.firing).waitFor();
      await context.close();
    });
  });

  it('says state, value, threshold and the last evaluations in words', async () => {
    const { page, context } = await play.open('/alerts');
    const firing = row(page, names.firing);
    await firing.getByText('Firing').last().waitFor();
    await firing.getByText('≥ 12').last().waitFor();
    await firing
      .getByRole('img', {
        name: 'Last 20 evaluations: 8 firing, 1 pending, 11 inactive. Now firing.',
      })
      .waitFor();
    await row(page, names.silenced).getByText('outside 3 – 8').last().waitFor();
    await row(page, names.silenced).getByText('Until Nov 20 18:00').waitFor();
    await row(page, names.broken).getByText('The alert cannot be evaluated').waitFor();
    await page.getByRole('button', { name: 'Firing 3' }).waitFor();
    await context.close();
  });

  it('finds by state, tag and words, which the link keeps', async () => {
    const { page, watch, context } = await play.open('/alerts');
    await page.getByRole('button', { name: 'Firing 3' }).click();
    await page.waitForURL(/state=firing/);
    await link(page, names.quiet).waitFor({ state: 'detached' });
    await page
      .getByRole('list', { name: 'Tags' })
      .getByRole('button', { name: 'payments' })
      .click();
    await page.waitForURL(/tag=payments/);
    await page.reload();
    await link(page, names.firing).waitFor();
    expect(await page.locator('[data-row-link]').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No alert is found').waitFor();
    await page.getByRole('button', { name: 'Show all 6' }).click();
    await link(page, names.quiet).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await watch.isClean();
    await context.close();
  });

  it('silences until a time that is typed, and ends the silence', async () => {
    const { page, watch, context } = await play.open('/alerts');
    await page.getByRole('button', { name: `Silence ${names.grouped}` }).click();
    await page.getByRole('menuitem', { name: 'Until…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence until' });
    await dialog.getByLabel('End', { exact: true }).fill('someday');
    await dialog.getByText('is not understood').waitFor();
    expect(await dialog.getByRole('button', { name: 'Silence' }).isDisabled()).toBe(true);
    await dialog.getByLabel('End', { exact: true }).fill('18:30');
    await dialog.getByText('Nov 20 18:30 UTC, in 6 h').waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await row(page, names.grouped).getByText('Until Nov 20 18:30').waitFor();
    expect(await stored(page, made.grouped)).toMatchObject({
      silenced: true,
      silencedUntil: '2026-11-20T18:30:00.000Z',
    });
    await page.getByRole('button', { name: `Silence ${names.grouped}` }).click();
    await page.getByRole('menuitem', { name: 'End the silence' }).click();
    await row(page, names.grouped).getByText('Until Nov 20 18:30').waitFor({ state: 'detached' });
    expect((await stored(page, made.grouped)).silenced).toBe(false);
    await context.close();
  });

  it('keeps the list if a refresh fails, and says of when it is', async () => {
    const { page, watch, context } = await play.open('/alerts');
    watch.expect(/ERR_FAILED/);
    await link(page, names.firing).waitFor();
    await page.route('**/api/v2/alerts?*', (route) => route.abort());
    await page.getByText(/^As of 12:00:10: /).waitFor({ timeout: 60_000 });
    await link(page, names.firing).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('duplicates an alert, silenced, and deletes what somebody else changed only when told', async () => {
    const { page, watch, context } = await play.open('/alerts');
    watch.expect(/412/);
    await page.getByRole('button', { name: `More actions of ${names.quiet}` }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: `${names.quiet} (copy)` }).waitFor();
    await page.getByText('Silenced until somebody ends it').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delete “/ });
    await dialog.getByRole('button', { name: 'Delete alert' }).waitFor();
    await callApi(page, 'PUT', `/alerts/${id}`, { threshold: 7 });
    await dialog.getByRole('button', { name: 'Delete alert' }).click();
    await dialog.getByText('Somebody changed this alert after you opened it.').waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Delete it as it is now' }).click();
    await page.waitForURL(/\/alerts$/);
    await link(page, names.quiet).waitFor();
    await link(page, `${names.quiet} (copy)`).waitFor({ state: 'detached' });
    await context.close();
  });
});

/** Two strokes belong together for 1.2 s, which a slow machine may need for one. */
async function toAlerts(page: Page): Promise<void> {
  const strokes = async (): Promise<string> => {
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    return new URL(page.url()).pathname;
  };
  await expect.poll(strokes, { timeout: 30_000 }).toBe('/alerts');
}

describe.skipIf(isMissing)('list of alerts by keyboard alone', () => {
  it('goes through the rows, silences one and acknowledges another with a note', async () => {
    const { page, watch, context } = await play.open('/search');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await toAlerts(page);
    await link(page, names.quiet).waitFor();
    const isFocused = (name: string) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    await page.keyboard.press('j');
    await isFocused(names.broken);
    await page.keyboard.press('a');
    await page.getByText(`“${names.broken}” does not fire.`).waitFor();
    await page.keyboard.press('j');
    await isFocused(names.grouped);
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: '1 hour' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row(page, names.grouped)
      .getByText(/Until Nov 20 1[36]:00/)
      .waitFor();
    // The silenced one went below the other that fires.
    await page.keyboard.press('k');
    await isFocused(names.firing);
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: `Acknowledge “${names.firing}”` }).waitFor();
    await page.keyboard.type(`On it ${hostileText}`);
    await page.keyboard.press('Control+Enter');
    await row(page, names.firing).getByText('Acknowledged by ada@example.com').waitFor();
    expect((await stored(page, made.firing)).acknowledgements).toMatchObject([
      { note: `On it ${hostileText}` },
    ]);
    await watch.isClean();
    await tabTo(page, `Silence ${names.firing}`);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: '4 hours' }).waitFor();
    await page.keyboard.press('Escape');
    await context.close();
  });
});
