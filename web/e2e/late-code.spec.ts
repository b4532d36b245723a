import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { rows, shopWorld } from './kit/search-page.ts';
import type { World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (!isMissing) {
    world = await shopWorld(Date.now());
  }
});
afterAll(() => world?.close());

/** A page whose server does not have these files: it was upgraded since the page was opened. */
async function without(files: string) {
  const made = await world.signedIn();
  made.watch.expect(/404|Failed to fetch dynamically imported module|Unable to preload CSS/);
  const asked: string[] = [];
  await made.page.route(`**/assets/${files}-*`, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 404 });
  });
  const isAsked = () => expect.poll(() => asked.length).toBeGreaterThan(0);
  return { ...made, isAsked };
}

const inputOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

describe.skipIf(isMissing)('a page whose late code is gone', () => {
  it('searches with a plain query', async () => {
    const { page, context, isAsked } = await without('where-editor');
    await page.goto('/search');
    await page.getByText('1,200 rows', { exact: true }).waitFor();
    await isAsked();
    await inputOf(page, 'Query').fill('ServiceName:cart');
    await inputOf(page, 'Query').press('Enter');
    await page.getByText('400 rows', { exact: true }).waitFor();
    await rows(page).first().waitFor();
    await context.close();
  });

  it('shows a text tile as it was typed, beside the other tiles', async () => {
    const { page, context, isAsked } = await without('markdown-tile');
    await page.goto('/settings');
    const id = await makeDashboard(page, shopDashboard(await logSource(page)));
    await page.goto(`/dashboards/${id}`);
    await isAsked();
    const tile = (name: string) => page.getByRole('region', { name, exact: true });
    await tile('About').getByText('**restart** nothing').waitFor();
    await tile('Records').getByText('1,200', { exact: true }).waitFor();
    await context.close();
  });

  it('takes a template of a webhook in a plain field', async () => {
    const { page, context, isAsked } = await without('template-editor');
    await page.goto('/settings/webhooks/new');
    await page.getByText('Own template', { exact: true }).click();
    await isAsked();
    const template = inputOf(page, 'Template');
    const fill = async (text: string): Promise<string> => {
      await template.fill(text);
      return template.inputValue();
    };
    // The first field is replaced by another one when the file is not there.
    await expect.poll(() => fill('{"who": ')).toBe('{"who": ');
    await page.getByRole('button', { name: 'Insert variable' }).click();
    await page.getByRole('combobox', { name: 'Variables' }).fill('alert.name');
    await page.getByRole('option', { name: /alert\.name/ }).click();
    await expect.poll(() => template.inputValue()).toBe('{"who": {{alert.name}}');
    await fill('{"who": "{{alert.name}}"}');
    await page
      .getByRole('region', { name: 'Sample message' })
      .getByText('"who": "Checkout errors"')
      .waitFor();
    await context.close();
  });

  it('says that a part cannot be loaded, and loads the page again', async () => {
    const { page, context, isAsked } = await without('editing');
    await page.goto('/settings');
    const id = await makeDashboard(page, shopDashboard(await logSource(page)));
    await page.goto(`/dashboards/${id}?edit=1`);
    await isAsked();
    await page.getByText('A part of it cannot be loaded').waitFor();
    await page.unroute('**/assets/editing-*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Add tile' }).first().waitFor();
    await context.close();
  });
});
