import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copied, goTo, keepsNothingOf, tabTo } from './kit/journey.ts';
import {
  bulk,
  button,
  heading,
  link,
  menu,
  menuIsOff,
  results,
  row,
  section,
  select,
  tab,
} from './kit/pipe-page.ts';
import {
  badRecord,
  databasePipe,
  makeShopPipes,
  names,
  openPipeWorld,
  orders,
  pipePeersMissing,
  produce,
  type PipeRecord,
  type PipeWorld,
  type ShopPipes,
} from './kit/pipes.ts';
import { smallTargets } from './kit/small-targets.ts';
import { hostileText } from './kit/telemetry.ts';
import { views } from './kit/world.ts';

const isMissing = pipePeersMissing();
let play: PipeWorld;
let made: ShopPipes;

beforeAll(async () => {
  if (!isMissing) {
    play = await openPipeWorld();
  }
});
afterAll(() => play?.close());

const list = /\/v1\/.*\/pipes\?/;
const rowsOf = async (id: string): Promise<number> =>
  (await play.call<{ rows: number }>('GET', `/${id}/metrics`)).rows;
async function minutesOf(id: string): Promise<number> {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const path = `/${id}/metrics?from=${from}`;
  return (await play.call<{ series: unknown[] }>('GET', path)).series.length;
}
const open = (which: keyof ShopPipes, search = '') => play.open(`/pipes/${made[which]}${search}`);

it.skipIf(isMissing)('a list without pipes says how to make one', async () => {
  const { page, watch, context } = await play.open('/pipes');
  await page.getByText('There is no pipe').waitFor();
  await watch.isClean();
  const reference = await link(page, 'Reference of the API').getAttribute('href');
  expect((await page.request.get(reference ?? '')).status()).toBe(200);
  await link(page, 'First steps').click();
  await tab(page, /^Pipe$/).waitFor();
  await context.close();
});

describe.skipIf(isMissing)('list of pipes', () => {
  beforeAll(async () => {
    made = await makeShopPipes(play);
  });

  describe.each(views)('at $width px', (view) => {
    it('are whole in every part, with hostile names as text', async () => {
      const { page, watch, context } = await play.open('/pipes', view);
      const isWhole = async (): Promise<void> => {
        await watch.isClean();
        expect(await page.locator('img').count()).toBe(0);
        expect(view.width < 640 ? await smallTargets(page) : []).toEqual([]);
      };
      await link(page, names.archive).waitFor();
      const { prices, backup, orders: hostile, items, archive } = names;
      const order = await page.locator('[data-row-link]').allInnerTexts();
      expect(order).toEqual([prices, backup, hostile, items, archive]);
      await isWhole();
      await link(page, names.orders).click();
      await page.getByRole('table', { name: 'Checkpoints' }).waitFor();
      await isWhole();
      await tab(page, /^Bad records/).click();
      await page.getByRole('button', { name: /^Record at / }).click();
      await section(page, 'Raw record').waitFor();
      await isWhole();
      await tab(page, /^Settings/).click();
      await section(page, 'Advanced').getByText('Threads of a query').waitFor();
      await isWhole();
      await context.close();
    });
  });

  it('are listed with state and reason, target, lag, rate and bad records, always anew', async () => {
    const { page, watch, context } = await play.world.signedIn();
    watch.expect(/ERR_FAILED/);
    await page.clock.install();
    await page.route(list, (route) => route.abort());
    await page.goto('/pipes');
    await page.getByText('The pipes cannot be listed').waitFor();
    await watch.isClean();
    await page.unroute(list);
    await button(page, 'Try again').click();
    const kafka = row(page, names.orders);
    await kafka.getByText('500 in all').waitFor();
    await kafka.getByText('default.orders', { exact: true }).waitFor();
    await kafka.getByText('0 records').last().waitFor();
    await row(page, names.items)
      .getByText(/of log/)
      .last()
      .waitFor();
    await row(page, names.prices)
      .getByText(/public\.prices/)
      .last()
      .waitFor();
    await produce(play, 'orders', orders(500, 900));
    await expect.poll(() => rowsOf(made.orders)).toBe(900);
    await page.clock.runFor(10_500);
    await kafka.getByText('900 in all').waitFor();
    await kafka
      .getByText(/^[\d.]+\/s/)
      .first()
      .waitFor();
    await page.route(list, (route) => route.abort());
    await page.clock.runFor(10_500);
    await page.clock.runFor(1500);
    await page.getByText(/^As of \d\d:\d\d:\d\d: The server does not answer/).waitFor();
    await kafka.getByRole('link', { name: '1 bad record' }).click();
    await page.waitForURL(new RegExp(`/pipes/${made.orders}\\?tab=errors$`));
    await context.close();
  });

  it('are found by state, kind and words, which the link and Back keep', async () => {
    const { page, watch, context } = await play.open('/pipes');
    await button(page, 'Running 2').click();
    await page.waitForURL(/state=Running/);
    await page.getByRole('list', { name: 'Kinds' }).getByText('PostgreSQL').click();
    await page.waitForURL(/kind=postgres/);
    await page.reload();
    await link(page, names.items).click();
    await heading(page, names.items).waitFor();
    await page.goBack();
    await link(page, names.items).waitFor();
    expect(await page.locator('[data-row-link]').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No pipe is found').waitFor();
    await watch.isClean();
    await button(page, 'Show all 5').click();
    await link(page, names.archive).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('are started and stopped, each with a result of its own', async () => {
    const { page, watch, context } = await play.open('/pipes');
    watch.expect(/400/);
    await select(page, names.items).check();
    await select(page, names.archive).check();
    await bulk(page).getByRole('button', { name: 'Start' }).click();
    await results(page, '1 of 2 pipes started').waitFor();
    await page.getByText(`${names.items}: the pipe is running already`).waitFor();
    await page.getByText(`${names.archive}: Provisioning`).waitFor();
    await watch.isClean();
    await button(page, 'Close the results').click();
    await button(page, `Stop ${names.items}`).click();
    await button(page, `Start ${names.items}`).click();
    await button(page, `Stop ${names.items}`).waitFor();
    expect(await page.getByRole('region', { name: 'Results' }).count()).toBe(0);
    await context.close();
  });
});

describe.skipIf(isMissing)('pipes', () => {
  it('are worked with by keyboard alone', async () => {
    const { page, watch, context } = await play.open('/settings');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await goTo(page, 'p', '/pipes');
    await link(page, names.archive).waitFor();
    const isFocused = (name: string) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    await page.keyboard.press('x');
    await page.getByText('Move to a pipe first').waitFor();
    for (const name of [names.prices, names.backup, names.orders]) {
      await page.keyboard.press('j');
      await isFocused(name);
    }
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await isFocused(names.items);
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+S');
    await results(page, '2 pipes stopped').waitFor();
    await tabTo(page, names.orders);
    await page.keyboard.press('Enter');
    await page.getByText(/^The pipe reads nothing and keeps its position/).waitFor();
    await page.keyboard.press('s');
    await button(page, 'Stop').waitFor();
    await tabTo(page, `More actions of ${names.orders}`);
    await tabTo(page, 'Metrics');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=errors/);
    await page.getByRole('button', { name: /^Record at / }).waitFor();
    await tabTo(page, 'Replay');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await section(page, 'Raw record').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('are all there for a member, who is told why actions are off', async () => {
    const { page, watch, context } = await play.world.joined({ email: 'reader@example.com' });
    await page.goto('/pipes');
    await page.getByText('You have the role member. Only an admin can start').waitFor();
    await page.getByText('Ask ada@example.com.').waitFor();
    await select(page, names.items).check();
    expect(await bulk(page).getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    await page.keyboard.press('Shift+S');
    await page.getByRole('status').getByText('Only an admin can change pipes.').waitFor();
    await watch.isClean();
    await link(page, names.items).click();
    await tab(page, /^Settings/).click();
    for (const name of ['Start', 'Rename', 'Change source', 'Change scaling', 'Change settings']) {
      await button(page, name).waitFor();
      expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
    }
    await tab(page, /^Tables/).click();
    expect(await button(page, 'Add table').isDisabled()).toBe(true);
    await menuIsOff(page, 'Delete…');
    await context.close();
  });
});

describe.skipIf(isMissing)('pipe', () => {
  it('says why it does not work and what to do, and what address is none', async () => {
    const { page, watch, context } = await open('prices');
    watch.expect(/40[04]/);
    await page.getByText(/^Failed: .*prices/).waitFor();
    await page.getByText(/^The pipe has given up/).waitFor();
    await watch.isClean();
    await page.goto('/pipes/not-an-id');
    await page.getByText('There is no such pipe').waitFor();
    await page.goto('/pipes/9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e');
    await page.getByText('There is no such pipe').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('counts by itself, keeps its page if that fails, and its tab in the link', async () => {
    const { page, watch, context } = await play.world.signedIn();
    watch.expect(/ERR_FAILED/);
    await page.clock.install();
    await page.route('**/metrics', (route) => route.abort());
    await page.goto('/pipes?kind=kafka');
    await link(page, names.orders).click();
    await page.getByText('The metrics cannot be read').waitFor();
    await page.unroute('**/metrics');
    await button(page, 'Try again').click();
    await page.getByText('900', { exact: true }).waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await page.clock.runFor(6000);
    await page.clock.runFor(1500);
    await page
      .getByText(/^As of \d\d:\d\d:\d\d: The server does not answer/)
      .first()
      .waitFor();
    await page.getByText('900', { exact: true }).waitFor();
    await watch.isClean();
    await page.unroute('**/v1/**');
    await tab(page, /^Bad records/).click();
    await page.reload();
    const text = await copied(page, async () => {
      await page.getByRole('button', { name: /^Record at / }).click();
      await button(page, 'Copy record').click();
    });
    expect(text).toBe(badRecord);
    await page.goBack();
    await page.waitForURL(/\/pipes\?kind=kafka$/);
    await context.close();
  });

  it('is renamed, and somebody else’s change in between is a choice', async () => {
    const { page, watch, context } = await open('archive', '?tab=settings');
    watch.expect(/412/);
    const dialog = page.getByRole('dialog', { name: 'Rename the pipe' });
    await button(page, 'Rename').click();
    await dialog.getByLabel('Name').fill(`Mine ${hostileText}`);
    await play.call('PATCH', `/${made.archive}`, { name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save name' }).click();
    const conflict = page.getByRole('dialog', { name: '“Theirs” has changed' });
    await conflict.getByRole('row', { name: `Name Theirs Mine ${hostileText}` }).waitFor();
    await watch.isClean();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await heading(page, `Mine ${hostileText}`).waitFor();
    await context.close();
  });

  it('takes new credentials, which nothing shows or keeps', async () => {
    const { page, watch, context } = await play.open('/pipes');
    watch.expect(/ERR_FAILED/);
    const secret = 'EXAMPLE-NOT-A-NEW-PASSWORD';
    await link(page, names.backup).click();
    await tab(page, /^Settings/).click();
    await button(page, 'Change source').click();
    const dialog = page.getByRole('dialog', { name: 'Change the source' });
    const save = dialog.getByRole('button', { name: 'Save source' });
    expect(await dialog.getByLabel('Password').inputValue()).toBe('');
    await dialog.getByLabel('Port').fill('99999');
    await dialog.getByLabel('Password').fill(secret);
    await save.click();
    await dialog.getByText('must be a whole number from 1 to 65535').waitFor();
    await dialog.getByText('is required').waitFor();
    await dialog.getByLabel('Port').fill(String(play.database.port));
    await dialog.getByLabel('User name').fill('postgres');
    await watch.isClean();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await button(page, 'Stay').click();
    await page.goBack();
    await button(page, 'Stay').click();
    await page.waitForURL(/tab=settings/);
    await page.route('**/v1/**', (route) => route.abort());
    play.world.killEngine();
    await save.click();
    await dialog.getByText('The server does not answer.').waitFor();
    await page.unroute('**/v1/**');
    await save.click();
    await page.getByText('The source is saved.').waitFor();
    await section(page, 'Source').getByText(String(play.database.port), { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await keepsNothingOf(page, secret);
    await context.close();
  });
});

describe.skipIf(isMissing)('pipe that is changed', () => {
  it('draws the minutes in which it ran, in the range of the address', async () => {
    await expect.poll(() => minutesOf(made.orders), { timeout: 130_000 }).toBeGreaterThan(0);
    const { page, watch, context } = await open('orders', '?hours=6');
    await page.getByRole('group', { name: 'Bad records. Bad records: last 1' }).waitFor();
    await page.getByRole('group', { name: /^Records that wait\. / }).waitFor();
    await page.getByRole('radio', { name: '24 hours' }).check();
    await page.waitForURL(/hours=24/);
    await tab(page, /^Settings/).click();
    await tab(page, /^Metrics/).click();
    expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
    await page.getByRole('group', { name: /^Bad records\./ }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('changes scaling and settings, and an empty setting is the default', async () => {
    const { page, watch, context } = await open('archive', '?tab=settings');
    await button(page, 'Change scaling').click();
    const scaling = page.getByRole('dialog', { name: 'Change the scaling' });
    await scaling.getByLabel('Replicas').fill('41');
    await scaling.getByRole('button', { name: 'Save scaling' }).click();
    await scaling.getByText('must be a whole number from 1 to 40').waitFor();
    await scaling.getByLabel('Replicas').fill('2');
    await scaling.getByRole('button', { name: 'Save scaling' }).click();
    await page.getByText('The scaling is saved.').waitFor();
    await button(page, 'Change settings').click();
    const settings = page.getByRole('dialog', { name: 'Change advanced settings' });
    await settings.getByLabel('Time between listings (ms)').fill('');
    await settings.getByLabel('Loads in parallel').fill('3');
    await watch.isClean();
    await settings.getByRole('button', { name: 'Save settings' }).click();
    await section(page, 'Advanced').getByText('30,000 (default)').waitFor();
    expect(await play.call('GET', `/${made.archive}`)).toMatchObject({
      scaling: { replicas: 2 },
      settings: { object_storage_concurrency: 3 },
    });
    await context.close();
  });

  it('gets another column', async () => {
    const { page, watch, context } = await open('archive', '?tab=mapping');
    watch.expect(/400/);
    await button(page, 'Add column').click();
    const dialog = page.getByRole('dialog', { name: 'Add a column' });
    const add = dialog.getByRole('button', { name: 'Add column' });
    await dialog.getByLabel('Column', { exact: true }).fill('region');
    await dialog.getByLabel('Type').fill('NoSuchType');
    await add.click();
    await dialog.getByText(/NoSuchType/).waitFor();
    await watch.isClean();
    await dialog.getByLabel('Type').fill('String');
    await dialog.getByLabel('Field of the record').fill('place.region');
    await add.click();
    await page
      .getByRole('row', { name: /^region/ })
      .getByText('place.region')
      .last()
      .waitFor();
    await watch.isClean();
    await context.close();
  });

  it('of a database gets another table, loses it, and is resynced once its name is typed', async () => {
    const { page, watch, context } = await open('items', '?tab=mapping');
    await play.call('PATCH', `/${made.items}/state`, { command: 'start' });
    const before = await rowsOf(made.items);
    expect(await button(page, 'Remove public.items').isDisabled()).toBe(true);
    await button(page, 'Add table').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Table at the source').fill('customers');
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Add table' }).click();
    const customers = page.getByRole('row', { name: /^public\.customers/ });
    await customers.waitFor();
    await expect.poll(() => rowsOf(made.items)).toBe(before + 2);
    await button(page, 'Remove public.customers').click();
    await dialog.getByRole('button', { name: 'Remove table' }).click();
    await customers.waitFor({ state: 'detached' });
    await menu(page, 'Resync…');
    const resync = dialog.getByRole('button', { name: 'Resync pipe' });
    await dialog.getByLabel(`Type “${names.items}” to confirm`).fill('Items');
    expect(await resync.isDisabled()).toBe(true);
    await watch.isClean();
    await dialog.getByLabel(/^Type/).fill(names.items);
    await resync.click();
    await expect.poll(() => rowsOf(made.items)).toBe(before + 42);
    await context.close();
  });

  it('is deleted once its name is typed, after a change of somebody else only when told', async () => {
    const body = databasePipe(play, 'Leaving', ['customers']);
    const { id } = await play.call<PipeRecord>('POST', '', body);
    const { page, watch, context } = await play.open(`/pipes/${id}`);
    watch.expect(/404|412/);
    await menu(page, 'Delete…');
    const dialog = page.getByRole('dialog', { name: 'Delete “Leaving”?' });
    const remove = dialog.getByRole('button', { name: 'Delete pipe' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByText('Leave what it made at the source').waitFor();
    await dialog.getByLabel('Type “Leaving” to confirm').fill('Leaving');
    await play.call('PATCH', `/${id}`, { settings: { engine_max_threads: 2 } });
    await remove.click();
    await dialog.getByText('Somebody changed this pipe after you opened it.').waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Delete it as it is now' }).click();
    await page.waitForURL(/\/pipes$/);
    await link(page, names.items).waitFor();
    await link(page, 'Leaving').waitFor({ state: 'detached' });
    await context.close();
  });
});
