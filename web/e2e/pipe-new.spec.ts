import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../test/kit/eventually.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { openPipeWorld, pipePeersMissing, type PipeRecord, type PipeWorld } from './kit/pipes.ts';
import { smallTargets } from './kit/small-targets.ts';
import { views, wide } from './kit/world.ts';

const isMissing = pipePeersMissing();
const wrongSecret = 'wrong-secret-word';
let play: PipeWorld;

const fruit = Array.from({ length: 20 }, (_, n) =>
  JSON.stringify({ id: n, name: `Fruit ${n}`, shop: { city: 'Bern' }, note: 'fresh' }),
);

beforeAll(async () => {
  if (!isMissing) {
    play = await openPipeWorld();
    await play.storage.put('shop', 'fruit/1.json', fruit.slice(0, 15).join('\n'));
    await play.storage.put('shop', 'fruit/2.json', fruit.slice(15).join('\n'));
    await play.run(
      'CREATE TABLE items (id int PRIMARY KEY, name text)',
      "INSERT INTO items SELECT n, 'item ' || n FROM generate_series(1, 40) AS n",
    );
  }
});
afterAll(() => play?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const next = (page: Page) => button(page, 'Next').click();
const atStep = (page: Page, step: string) => page.waitForURL(new RegExp(`[?&]step=${step}$`));
const toStep = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name }).click();
const fruitUrl = () => `${play.storage.endpoint}/shop/fruit/*.json`;

async function enterKey(page: Page, key = play.storage.accessKey): Promise<void> {
  await page.getByLabel('Access key id').fill(key.accessKeyId);
  await page.getByLabel('Secret key').fill(key.secretKey);
}

async function connect(page: Page): Promise<void> {
  await button(page, 'Check connection').click();
  await page.getByText('The connection works', { exact: true }).waitFor();
}

const madePipe = async (page: Page): Promise<string> => {
  await page.waitForURL(/\/pipes\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
};

const hasRows = (id: string, rows: number) =>
  until(`${rows} rows`, async () => {
    const metrics = await play.call<{ rows: number }>('GET', `/${id}/metrics`);
    return metrics.rows === rows;
  });

describe.skipIf(isMissing)('a new pipe', () => {
  it.each(views)('is clean in every step at $width px', async (view) => {
    const { page, watch, context } = await play.open('/pipes/new', view);
    const isClean = async (): Promise<void> => {
      await watch.isClean();
      if (view.width < 640) {
        expect(await smallTargets(page)).toEqual([]);
      }
    };
    await page.getByRole('heading', { name: 'Where does the pipe read?' }).waitFor();
    await isClean();
    await page.getByRole('link', { name: /^Object storage/ }).click();
    await page.getByLabel('URL of the objects').fill(fruitUrl());
    await enterKey(page);
    await connect(page);
    await isClean();
    await next(page);
    await page.getByText('Fruit 7').first().waitFor();
    await isClean();
    await next(page);
    await page.getByRole('combobox', { name: 'Type of shop_city' }).waitFor();
    await isClean();
    await next(page);
    await page.getByText('Advanced settings and scaling').click();
    await page.getByLabel('Most objects in an insert').waitFor();
    await isClean();
    await next(page);
    await page.getByText('it can be read').waitFor();
    await isClean();
    await button(page, 'Discard').click();
    await atStep(page, 'connection');
    await context.close();
  });
});

describe.skipIf(isMissing)('a pipe that is made', () => {
  it('by mouse loads objects, over a refused login, a reload and a wrong type', async () => {
    const { page, watch, context } = await play.open('/pipes');
    watch.expect(/400/);
    await page.getByRole('link', { name: 'New pipe' }).first().click();
    await page.getByRole('link', { name: /^Object storage/ }).click();
    await button(page, 'Check connection').click();
    await page.getByText('is required (or containerName').waitFor();
    await page.getByLabel('URL of the objects').fill(fruitUrl());
    await enterKey(page, { accessKeyId: 'another', secretKey: wrongSecret });
    await button(page, 'Check connection').click();
    await page.getByText('The source refuses the login').waitFor();
    expect(await button(page, 'Next').isDisabled()).toBe(true);
    await enterKey(page);
    await connect(page);

    await next(page);
    await page.getByRole('radio', { name: /fruit\/2\.json/ }).click();
    await page.getByText('Fruit 17').first().waitFor();
    await next(page);
    await page.getByRole('checkbox', { name: 'Load note' }).uncheck();
    await page.getByRole('textbox', { name: 'Column of column 3' }).fill('city');
    await page.getByRole('combobox', { name: 'Type of city' }).fill('Nonsense');
    await page.getByRole('checkbox', { name: 'id is in the key' }).check();
    await page.goBack();
    await atStep(page, 'data');
    await page.goForward();
    await atStep(page, 'columns');

    await page.reload();
    await atStep(page, 'connection');
    await page.getByText('Enter these again: Access key id, Secret key.').waitFor();
    expect(await page.getByLabel('URL of the objects').inputValue()).toBe(fruitUrl());
    expect(await page.getByLabel('Secret key').inputValue()).toBe('');
    await keepsNothingOf(page, wrongSecret);
    await enterKey(page);
    await connect(page);
    await toStep(page, /Settings/);
    await page.getByLabel('Name (optional)').fill('Fruit');
    await page.getByRole('textbox', { name: 'Table', exact: true }).fill('fruit');
    await next(page);
    await button(page, 'Create pipe').click();
    await atStep(page, 'columns');
    const type = page.getByRole('combobox', { name: 'Type of city' });
    await page
      .getByRole('alert')
      .getByText(/Nonsense/)
      .waitFor();
    expect(await type.getAttribute('aria-invalid')).toBe('true');
    expect(await type.evaluate((field) => field === document.activeElement)).toBe(true);
    await type.fill('LowCardinality(String)');
    await toStep(page, /Create/);
    await button(page, 'Create pipe').click();
    const id = await madePipe(page);
    await page.getByRole('heading', { level: 1, name: 'Fruit' }).waitFor();
    await play.reaches(id, 'Completed');
    await hasRows(id, fruit.length);
    expect(await play.call<PipeRecord>('GET', `/${id}`)).toMatchObject({
      destination: {
        table: 'fruit',
        columns: [
          { name: 'id' },
          { name: 'name', type: 'String' },
          { name: 'city', type: 'LowCardinality(String)' },
        ],
        tableDefinition: { sortingKey: ['id'] },
      },
    });
    expect(await page.evaluate(() => localStorage.getItem('sightline.pipeDrafts'))).toBe('{}');
    await context.close();
  });

  it('by keyboard alone replicates tables', async () => {
    const { page, watch, context } = await play.open('/settings', wide);
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    const type = async (field: string, text: string): Promise<void> => {
      await tabTo(page, field);
      await page.keyboard.type(text);
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('new pipe');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/pipes\/new$/);
    await page.getByRole('heading', { name: 'Where does the pipe read?' }).waitFor();
    await tabTo(page, 'PostgreSQLTables of a PostgreSQL database, with their changes.');
    await page.keyboard.press('Enter');
    await atStep(page, 'connection');
    await type('Host', '127.0.0.1');
    await type('Port', String(play.database.port));
    await type('Database', 'postgres');
    await type('User name', 'postgres');
    await type('Password', 'EXAMPLE-NOT-A-PASSWORD');
    await page.keyboard.press('Enter');
    await page.getByText('The connection works', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await atStep(page, 'data');
    await tabTo(page, 'Choose public.items');
    await page.keyboard.press('Space');
    await page.getByText('item 1').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await atStep(page, 'columns');
    await tabTo(page, 'Target table');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('shop_items');
    await page.keyboard.press('Enter');
    await atStep(page, 'settings');
    await type('Sync interval (s)', '1');
    await page.keyboard.press('Enter');
    await atStep(page, 'create');
    await page.getByText('it can be read').waitFor();
    await watch.isClean();
    await tabTo(page, 'Create pipe');
    await page.keyboard.press('Enter');
    const id = await madePipe(page);
    await play.reaches(id, 'Running');
    await hasRows(id, 40);
    await context.close();
  });
});

describe.skipIf(isMissing)('the draft of a pipe', () => {
  it('asks before it is left, and stays', async () => {
    const { page, context } = await play.open('/pipes/new?kind=kafka&step=settings');
    await atStep(page, 'connection');
    await page.getByRole('textbox', { name: 'Brokers' }).fill('broker-1.example.com:9092');
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await button(page, 'Keep the draft and leave').click();
    await page.waitForURL(/\/search/);
    await page.goto('/pipes/new');
    await page.getByText('Your draft is kept here').waitFor();
    await context.close();
  });

  it('is nothing for a member, who sees who can help', async () => {
    const { page, watch, context } = await play.world.joined({ email: 'reader@example.com' });
    await page.goto('/pipes');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: 'New pipe' }).count()).toBe(0);
    await page.goto('/pipes/new');
    await page.getByText('Only an admin can create pipes.').waitFor();
    await page.getByText('Ask ada@example.com.').waitFor();
    await watch.isClean();
    await context.close();
  });
});
