import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { rows, shopCount, shopWorld } from './kit/search-page.ts';
import type { World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await shopWorld(nowMs, {
    service: 'cart',
    severity: 'WARN',
    body: '=1+1\n"two", lines',
    atMs: nowMs - 500,
  });
});
afterAll(() => world?.close());

/** A page in a browser that has no file picker: the browser downloads the file. */
async function withoutPicker(path: string) {
  const made = await world.signedIn();
  await made.page.addInitScript(() => {
    Object.defineProperty(globalThis, 'showSaveFilePicker', { value: undefined });
  });
  return opened(made, path);
}

/** A page whose file picker answers with a real file of the browser's private disk. */
async function withPicker(path: string) {
  const made = await world.signedIn();
  await made.page.addInitScript(() => {
    const showSaveFilePicker = async () =>
      (await navigator.storage.getDirectory()).getFileHandle('picked', { create: true });
    Object.assign(globalThis, { showSaveFilePicker });
  });
  return opened(made, path);
}

async function opened(made: Awaited<ReturnType<World['signedIn']>>, path: string) {
  await made.page.goto(path);
  await rows(made.page).first().waitFor();
  return made;
}

const pickedText = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const place = await navigator.storage.getDirectory();
    return (await (await place.getFileHandle('picked')).getFile()).text();
  });

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe.skipIf(isMissing)('the export of rows', () => {
  it('downloads every row that matches, in the shown columns, as CSV', async () => {
    const { page, watch, context } = await withoutPicker('/search?cols=Body,ServiceName');
    const download = page.waitForEvent('download');
    await choose(page, 'All rows that match as CSV');
    const file = await download;
    await page.getByText('1,201 rows exported.').waitFor();
    expect(file.suggestedFilename()).toMatch(/^Logs-\d{8}T\d{6}Z\.csv$/);
    const text = await readFile((await file.path()) ?? '', 'utf8');
    expect(text).toMatch(/^Timestamp,Body,ServiceName\r\n/);
    expect(text).toContain(`,"'=1+1\n""two"", lines",cart\r\n`);
    expect(text.match(/\r\n/g)).toHaveLength(shopCount + 2);
    await watch.isClean();
    await context.close();
  });

  it('saves only the rows of the question to the chosen file, by keyboard', async () => {
    const { page, context } = await withPicker('/search?q=bank&cols=Body');
    await page.getByRole('button', { name: 'Export', exact: true }).focus();
    await page.keyboard.press('Enter');
    const focused = (name: string) =>
      page.getByRole('menuitem', { name }).and(page.locator(':focus'));
    await focused('as CSV').waitFor();
    await page.keyboard.press('ArrowDown');
    await focused('as NDJSON').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('71 rows exported.').waitFor();
    const lines = (await pickedText(page)).trim().split('\n');
    expect(lines).toHaveLength(71);
    for (const line of lines) {
      const row = JSON.parse(line) as Record<string, string>;
      expect(Object.keys(row)).toEqual(['Timestamp', 'Body']);
      expect(row['Body']).toContain('the bank did not answer');
    }
    await context.close();
  });

  it('tells how far it is, and a canceled one leaves no file', async () => {
    const { page, watch, context } = await withPicker('/search');
    const slow = await context.newCDPSession(page);
    await slow.send('Network.enable');
    await slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: 2_000,
      uploadThroughput: -1,
    });
    await choose(page, 'All rows that match as CSV');
    await page.getByText(/Exporting CSV: [1-9][\d,]* rows? so far/).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Cancel export' }).click();
    await page.getByText('Export canceled. No file is kept.').waitFor();
    expect(await pickedText(page)).toBe('');
    await page.getByRole('button', { name: 'Export', exact: true, disabled: false }).waitFor();
    await context.close();
  });
});
