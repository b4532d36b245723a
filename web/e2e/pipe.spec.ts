import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copied, keepsNothingOf, tabTo } from './kit/journey.ts';
import {
  badRecord,
  databasePipe,
  makeShopPipes,
  names,
  openPipeWorld,
  pipePeersMissing,
  orders,
  produce,
  topicPipe,
  type PipeRecord,
  type PipeWorld,
  type ShopPipes,
} from './kit/pipes.ts';
import { smallTargets } from './kit/small-targets.ts';
import { hostileText } from './kit/telemetry.ts';
import { views, type View } from './kit/world.ts';

const isMissing = pipePeersMissing();
let play: PipeWorld;
let made: ShopPipes;

beforeAll(async () => {
  if (!isMissing) {
    play = await openPipeWorld();
    made = await makeShopPipes(play);
  }
});
afterAll(() => play?.close());

const open = (which: keyof ShopPipes, search = '', view?: View) =>
  play.open(`/pipes/${made[which]}${search}`, view);
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const menu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: /^More actions of / }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const stored = <T = PipeRecord>(id: string, path = '') => play.call<T>('GET', `/${id}${path}`);
const rowsOf = async (id: string): Promise<number> =>
  (await stored<{ rows: number }>(id, '/metrics')).rows;

describe.skipIf(isMissing)('pipe', () => {
  describe.each(views)('at $width px in $theme', (view) => {
    it('shows state, next step, figures and checkpoints', async () => {
      const { page, watch, context } = await open('items', '', view);
      await heading(page, names.items).waitFor();
      await page.getByText(/^The pipe reads its source and stores what is new/).waitFor();
      await page.getByRole('table', { name: 'Checkpoints' }).getByRole('row').nth(1).waitFor();
      await watch.isClean();
      if (view.width < 640) {
        expect(await smallTargets(page)).toEqual([]);
      }
      await context.close();
    });

    it('shows bad records, and one of them whole, as text', async () => {
      const { page, watch, context } = await open('orders', '?tab=errors', view);
      await page.getByRole('button', { name: /^Record at / }).click();
      await section(page, 'Raw record').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('shows tables, columns and settings', async () => {
      const { page, watch, context } = await open('items', '?tab=mapping', view);
      await page.getByRole('row', { name: /^public\.items/ }).waitFor();
      await watch.isClean();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await section(page, 'Advanced').getByText('Threads of a query').waitFor();
      await watch.isClean();
      await page.goto(`/pipes/${made.archive}?tab=mapping`);
      await page.getByRole('row', { name: /^note/ }).waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says that it has no bad record, and that it is gone', async () => {
      const { page, watch, context } = await open('items', '?tab=errors', view);
      watch.expect(/404/);
      await page.getByText('There is no bad record').waitFor();
      await watch.isClean();
      await page.goto('/pipes/9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e');
      await page.getByText('There is no such pipe').waitFor();
      await watch.isClean();
      await page.getByRole('link', { name: 'Pipes' }).last().click();
      await page.waitForURL(/\/pipes$/);
      await context.close();
    });

    it('keeps the page if its metrics fail, and tries again', async () => {
      const { page, watch, context } = await play.open('/settings', view);
      watch.expect(/ERR_FAILED/);
      await page.route('**/metrics', (route) => route.abort());
      await page.goto(`/pipes/${made.items}`);
      await page.getByText('The metrics cannot be read').waitFor();
      await heading(page, names.items).waitFor();
      await watch.isClean();
      await page.unroute('**/metrics');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Rows per second').waitFor();
      await context.close();
    });
  });

  it('says why it does not work, and what to do', async () => {
    const { page, watch, context } = await open('prices');
    await page.getByText(/^Failed: .*prices/).waitFor();
    await page
      .getByText(/^The pipe has given up .* Correct the reason, then start it\.$/)
      .waitFor();
    await page.goto(`/pipes/${made.backup}`);
    await page.getByText(/^Degraded: /).waitFor();
    await page.getByText(/^The pipe keeps trying/).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('says that an address is none of a pipe', async () => {
    const { page, watch, context } = await play.open('/pipes/not-an-id');
    watch.expect(/400/);
    await page.getByText('There is no such pipe').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('counts what it stores by itself, and keeps the page with its age if that fails', async () => {
    const { page, watch, context } = await open('orders');
    watch.expect(/ERR_FAILED/);
    const rows = page.getByText(/^(500|900)$/);
    await rows.waitFor();
    await produce(play, 'orders', orders(500, 900));
    await page.getByText('900', { exact: true }).waitFor();
    await page.getByText(/^[\d.]+\/s$/).waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await page
      .getByText(/^As of \d\d:\d\d:\d\d: The server does not answer/)
      .first()
      .waitFor();
    await page.getByText('900', { exact: true }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('keeps the tab in the link, and Back leads to the list', async () => {
    const { page, watch, context } = await play.open('/pipes?kind=kafka');
    await page.getByRole('link', { name: names.orders, exact: true }).click();
    await page.getByRole('tab', { name: /^Bad records/ }).click();
    await page.waitForURL(/tab=errors/);
    await page.reload();
    const text = await copied(page, async () => {
      await page.getByRole('button', { name: /^Record at / }).click();
      await page.getByRole('button', { name: 'Copy record' }).click();
    });
    expect(text).toBe(badRecord);
    await page.goBack();
    await page.waitForURL(/\/pipes\?kind=kafka$/);
    await watch.isClean();
    await context.close();
  });

  it('shows a member all of it, and says why actions are off', async () => {
    const { page, watch, context } = await play.world.joined({ email: 'reader@example.com' });
    await page.goto(`/pipes/${made.items}?tab=settings`);
    await page.getByText('You have the role member. Only an admin can start').waitFor();
    for (const name of ['Stop', 'Rename', 'Change source', 'Change scaling', 'Change settings']) {
      await button(page, name).waitFor();
      expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
    }
    await page.getByRole('tab', { name: 'Tables' }).click();
    expect(await button(page, 'Add table').isDisabled()).toBe(true);
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('what is changed of a pipe', () => {
  it('is renamed, and somebody else’s change in between is a choice', async () => {
    const { page, watch, context } = await open('archive', '?tab=settings');
    watch.expect(/412/);
    const dialog = page.getByRole('dialog', { name: 'Rename the pipe' });
    await button(page, 'Rename').click();
    await dialog.getByLabel('Name').fill('');
    expect(await dialog.getByRole('button', { name: 'Save name' }).isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Save name' }).click();
    await dialog.getByText('must have 1 to 255 characters').waitFor();
    await dialog.getByLabel('Name').fill(`Mine ${hostileText}`);
    await play.call('PATCH', `/${made.archive}`, { name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save name' }).click();
    const conflict = page.getByRole('dialog', { name: '“Theirs” has changed' });
    await conflict.getByRole('row', { name: `Name Theirs Mine ${hostileText}` }).waitFor();
    await watch.isClean();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await heading(page, `Mine ${hostileText}`).waitFor();
    expect((await stored(made.archive)).name).toBe(`Mine ${hostileText}`);
    await play.call('PATCH', `/${made.archive}`, { name: names.archive });
    await context.close();
  });

  it('takes new credentials, which nothing shows or keeps', async () => {
    const { page, watch, context } = await open('backup', '?tab=settings');
    const secret = 'EXAMPLE-NOT-A-NEW-PASSWORD';
    await button(page, 'Change source').click();
    const dialog = page.getByRole('dialog', { name: 'Change the source' });
    expect(await dialog.getByLabel('Password').inputValue()).toBe('');
    await dialog.getByLabel('Port').fill('99999');
    await dialog.getByLabel('Password').fill(secret);
    await dialog.getByRole('button', { name: 'Save source' }).click();
    await dialog.getByText('must be a whole number from 1 to 65535').waitFor();
    await dialog.getByText('is required').waitFor();
    await watch.isClean();
    await dialog.getByLabel('Port').fill(String(play.database.port));
    await dialog.getByLabel('User name').fill('postgres');
    await dialog.getByRole('button', { name: 'Save source' }).click();
    await page.getByText('The source is saved.').waitFor();
    await section(page, 'Source').getByText(String(play.database.port), { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await keepsNothingOf(page, secret);
    // The server answers now, and has no such table.
    await play.reaches(made.backup, 'Failed');
    await play.run('CREATE TABLE IF NOT EXISTS backup (id int PRIMARY KEY)');
    await button(page, 'Start').click();
    await play.reaches(made.backup, 'Running');
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
    await page.getByText('The settings are saved.').waitFor();
    await section(page, 'Advanced').getByText('30,000 (default)').waitFor();
    const now = await stored<{ scaling: object; settings: object }>(made.archive);
    expect([now.scaling, now.settings]).toEqual([
      expect.objectContaining({ replicas: 2 }),
      { object_storage_concurrency: 3 },
    ]);
    await context.close();
  });

  it('gets another column', async () => {
    const { page, watch, context } = await open('archive', '?tab=mapping');
    watch.expect(/400/);
    await button(page, 'Add column').click();
    const dialog = page.getByRole('dialog', { name: 'Add a column' });
    await dialog.getByRole('button', { name: 'Add column' }).click();
    await dialog.getByText('must not be empty').first().waitFor();
    await dialog.getByLabel('Column', { exact: true }).fill('region');
    await dialog.getByLabel('Type').fill('NoSuchType');
    await dialog.getByRole('button', { name: 'Add column' }).click();
    await dialog.getByText(/NoSuchType/).waitFor();
    await dialog.getByLabel('Type').fill('String');
    await dialog.getByLabel('Field of the record').fill('place.region');
    await dialog.getByRole('button', { name: 'Add column' }).click();
    const row = page.getByRole('row', { name: /^region/ });
    await row.getByText('place.region', { exact: true }).waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('pipe of a database', () => {
  it('gets another table, loads it, and loses it again', async () => {
    const { page, watch, context } = await open('items', '?tab=mapping');
    const before = await rowsOf(made.items);
    expect(await button(page, 'Remove public.items').isDisabled()).toBe(true);
    await button(page, 'Add table').click();
    const dialog = page.getByRole('dialog', { name: 'Add a table' });
    await dialog.getByLabel('Table at the source').fill('customers');
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Add table' }).click();
    await page.getByRole('row', { name: /^public\.customers/ }).waitFor();
    await expect.poll(() => rowsOf(made.items), { timeout: 60_000 }).toBe(before + 2);
    await button(page, 'Remove public.customers').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove table' }).click();
    await page.getByRole('row', { name: /^public\.customers/ }).waitFor({ state: 'detached' });
    await watch.isClean();
    await context.close();
  });

  it('is resynced once its name is typed', async () => {
    const { page, watch, context } = await open('items');
    const before = await rowsOf(made.items);
    await menu(page, 'Resync…');
    const dialog = page.getByRole('dialog', { name: `Resync “${names.items}”?` });
    const resync = dialog.getByRole('button', { name: 'Resync pipe' });
    await dialog.getByLabel(`Type “${names.items}” to confirm`).fill('Items');
    expect(await resync.isDisabled()).toBe(true);
    await watch.isClean();
    await dialog.getByLabel(/^Type/).fill(names.items);
    await resync.click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => rowsOf(made.items), { timeout: 60_000 }).toBe(before + 40);
    await play.reaches(made.items, 'Running');
    await context.close();
  });

  it('is deleted once its name is typed, after a change of somebody else only when told', async () => {
    const { id } = await play.call<PipeRecord>(
      'POST',
      '',
      databasePipe(play, 'Leaving', ['customers']),
    );
    await play.reaches(id, 'Running');
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
    await page.getByRole('link', { name: names.items, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Leaving', exact: true }).waitFor({ state: 'detached' });
    await context.close();
  });
});

describe.skipIf(isMissing)('pipe by keyboard alone', () => {
  it('is stopped, started and renamed, and its bad record is read', async () => {
    await play.broker.createTopic('keys', 1);
    await produce(play, 'keys', [badRecord]);
    const { id } = await play.call<PipeRecord>('POST', '', topicPipe(play, 'Keys', 'keys'));
    await play.reaches(id, 'Running');
    const { page, watch, context } = await play.open(`/pipes/${id}`);
    await heading(page, 'Keys').waitFor();
    await page.keyboard.press('Shift+S');
    await play.reaches(id, 'Stopped');
    await page.getByText(/^The pipe reads nothing and keeps its position/).waitFor();
    await page.keyboard.press('s');
    await play.reaches(id, 'Running');
    await tabTo(page, 'Metrics');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=errors/);
    await page.getByRole('button', { name: /^Record at / }).waitFor();
    await tabTo(page, 'Save as NDJSON');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await section(page, 'Raw record').waitFor();
    await page.goto(`/pipes/${id}?tab=settings`);
    await tabTo(page, 'Rename');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rename the pipe' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Keys alone');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Keys alone').waitFor();
    await watch.isClean();
    await context.close();
  });
});
