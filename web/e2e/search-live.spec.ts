import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { rowPanel, rows } from './kit/search-page.ts';
import { World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await World.open();
  }
});
afterAll(() => world?.close());

const send = (...bodies: string[]): Promise<void> =>
  world.send(bodies.map((body) => ({ service: 'live', severity: 'INFO', body, atMs: Date.now() })));

/** A page that follows new rows and has one. */
async function following(body: string) {
  const made = await world.signedIn();
  await send(body);
  await made.page.goto(`/search?live=1&q="${body}"`);
  await rows(made.page).getByText(body).first().waitFor();
  await made.page.getByText('Following new rows').waitFor();
  return made;
}

describe.skipIf(isMissing)('the live tail', () => {
  it('pauses at an open row, counts what waits, and goes on with Space', async () => {
    const { page, watch, context } = await following('parcel');
    await rows(page).first().click();
    await rowPanel(page).getByText('service.name').first().waitFor();
    await page.getByText('Paused: 0 new rows').waitFor();
    await send('parcel two', 'parcel three');
    await page.getByText('Paused: 2 new rows').waitFor();
    expect(await rows(page).count()).toBe(1);
    await watch.isClean();
    await page.keyboard.press('Escape');
    await rowPanel(page).waitFor({ state: 'detached' });
    await page.getByText('Paused: 2 new rows').waitFor();
    await page.keyboard.press('Space');
    await rows(page).getByText('parcel three').waitFor();
    await page.getByText('Following new rows').waitFor();
    await context.close();
  });

  it('pauses when the tab is left, and counts what waits when it is seen again', async () => {
    const { page, context } = await following('letter');
    const setHidden = (isHidden: boolean): Promise<void> =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await setHidden(true);
    await page.getByText('Paused: 0 new rows').waitFor();
    await send('letter two');
    await setHidden(false);
    await page.getByText('Paused: 1 new row', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await rows(page).getByText('letter two').waitFor();
    await context.close();
  });

  it('says that it samples if more than 500 rows arrive at once', async () => {
    const { page, watch, context } = await following('flood');
    await send(...Array.from({ length: 700 }, (_, index) => `flood ${index}`));
    await page.getByText('More rows arrive than fit: this is a sample.').waitFor();
    await watch.isClean();
    await context.close();
  });
});
