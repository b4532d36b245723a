import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { tabTo } from './kit/journey.ts';
import { shopMetrics } from './kit/metrics.ts';
import { hostileRecord } from './kit/search-page.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  const nowMs = Date.now();
  await world.send([...shopRecords(nowMs, 60), hostileRecord(nowMs)]);
  await world.sendSpans(orderTrace(nowMs - 60_000, traceIdOf(1), traceIdOf(2)));
  await world.sendMetrics(shopMetrics(nowMs));
});
afterAll(() => world?.close());

interface Source {
  id: string;
  name: string;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const table = (page: Page) => page.getByRole('table', { name: 'Sources' });
const link = (page: Page, name: string) => table(page).getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const rows = (page: Page) => page.getByRole('group', { name: 'Rows' });
const saved = (page: Page, text: string) => page.getByRole('status').getByText(text);

const logsOf = (name: string) => ({
  kind: 'log',
  name,
  from: { databaseName: 'default', tableName: 'otel_logs' },
});

/** A page with the usual three sources and these. */
async function withSources(names: readonly string[], ...given: Parameters<World['signedIn']>) {
  const made = await world.signedIn(...given);
  const { page } = made;
  await page.goto('/settings');
  const usual = ['Logs', 'Traces', 'Metrics'];
  for (const { id, name } of await callApi<Source[]>(page, 'GET', '/sources')) {
    if (!usual.includes(name)) {
      await callApi(page, 'DELETE', `/sources/${id}`);
    }
  }
  for (const name of names) {
    await callApi(page, 'POST', '/sources', logsOf(name));
  }
  return made;
}

describe.skipIf(isMissing)('pages of sources', () => {
  describe.each(views)('at $width px', (view) => {
    it('lists them with their newest row, also with hostile names', async () => {
      const { page, watch, context } = await withSources([hostileText], view);
      await page.goto('/settings/sources');
      await link(page, hostileText).waitFor();
      await page.locator('time:visible').nth(3).waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await link(page, hostileText).click();
      await heading(page, hostileText).waitFor();
      await page.getByRole('button', { name: 'Try it' }).click();
      await rows(page).getByText(hostileText).first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await watch.isClean();
      await context.close();
    });

    it('has a form for each kind, and completes tables and columns', async () => {
      const { page, watch, context } = await withSources([], view);
      await page.goto('/settings/sources?new=1');
      await field(page, 'Table').click();
      await page.getByRole('option', { name: /^otel_logs table/ }).waitFor();
      await watch.isClean();
      for (const [kind, part] of [
        ['Traces', 'Parent span id'],
        ['Metrics', 'Exponential histogram'],
      ] as const) {
        await page.getByText(kind, { exact: true }).last().click();
        await field(page, part).waitFor();
        await watch.isClean();
      }
      await context.close();
    });

    it('says that there is none, and that the list failed', async () => {
      const { page, watch, context } = await withSources([], view);
      watch.expect(/ERR_FAILED/);
      const empty = { data: [], meta: { total: 0, limit: 1000, offset: 0 } };
      await page.route('**/api/v2/sources', (route) => route.fulfill({ json: empty }));
      await page.goto('/settings/sources');
      await page.getByText('There is no source').waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/sources');
      await page.route('**/api/v2/sources', (route) => route.abort());
      await page.reload();
      await page.getByText('The sources cannot be listed').waitFor();
      await watch.isClean();
      await page.unroute('**/api/v2/sources');
      await page.getByRole('button', { name: 'Try again' }).click();
      await link(page, 'Traces').waitFor();
      await context.close();
    });
  });
});

describe.skipIf(isMissing)('the form of a source', () => {
  it('makes a source of a table, whose columns fill the form', async () => {
    const { page, watch, context } = await withSources([]);
    watch.expect(/status of 400/);
    await page.goto('/settings/sources');
    await page.getByRole('button', { name: 'New source' }).click();
    await page.getByText('Traces', { exact: true }).last().click();
    await field(page, 'Table').click();
    await page.getByRole('option', { name: /^otel_traces table/ }).click();
    await expect.poll(() => field(page, 'Parent span id').inputValue()).toBe('ParentSpanId');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Traces');
    await page.getByLabel('Name', { exact: true }).fill('Spans in upper case');
    await field(page, 'Span name').fill('upper(SpanNam');
    await page.getByRole('option', { name: /^SpanName/ }).click();
    expect(await field(page, 'Span name').inputValue()).toBe('upper(SpanName');
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(() => field(page, 'Span name').getAttribute('aria-invalid')).toBe('true');
    await watch.isClean();
    await field(page, 'Span name').fill('upper(SpanName)');
    await expect.poll(() => field(page, 'Span name').getAttribute('aria-invalid')).toBe('false');
    await page.getByRole('button', { name: 'Try it' }).click();
    await rows(page).getByText('flag: new-receipt').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Create source' }).click();
    await link(page, 'Spans in upper case').waitFor();
    await saved(page, '“Spans in upper case” is made.').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('refuses at the field what the schema and the tables refuse', async () => {
    const { page, watch, context } = await withSources([]);
    watch.expect(/status of 400/);
    await page.goto('/settings/sources?new=1');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByText('Some fields have mistakes.').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
      .toBe('true');
    await watch.isClean();
    await page.getByLabel('Name', { exact: true }).fill('Nowhere');
    await field(page, 'Table').fill('nowhere');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('the table "nowhere" does not exist').waitFor();
    await page.getByText('Metrics', { exact: true }).last().click();
    for (const type of ['Gauge', 'Sum', 'Histogram', 'Exponential histogram', 'Summary']) {
      await field(page, type).fill('');
    }
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Name at least one table of metrics.').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('shows theirs and mine if another person was faster', async () => {
    const { page, watch, context } = await withSources(['Audit']);
    watch.expect(/status of 412/);
    await page.goto('/settings/sources');
    await link(page, 'Audit').click();
    await field(page, 'Message').fill('lower(Body)');
    const [audit] = (await callApi<Source[]>(page, 'GET', '/sources')).filter(
      ({ name }) => name === 'Audit',
    );
    const change = { bodyExpression: 'upper(Body)', severityTextExpression: 'SeverityText' };
    await callApi(page, 'PUT', `/sources/${audit?.id}`, change);
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: '“Audit” has changed' });
    await dialog.getByRole('row', { name: /^Message upper\(Body\) lower\(Body\)/ }).waitFor();
    await dialog.getByRole('row', { name: /^Severity SeverityText/ }).waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Open theirs' }).click();
    await expect.poll(() => field(page, 'Message').inputValue()).toBe('upper(Body)');
    await field(page, 'Message').fill('lower(Body)');
    await page.getByRole('button', { name: 'Save source' }).click();
    await saved(page, '“Audit” is saved.').waitFor();
    const after = await callApi<object>(page, 'GET', `/sources/${audit?.id}`);
    expect(after).toMatchObject({
      bodyExpression: 'lower(Body)',
      severityTextExpression: 'SeverityText',
    });
    await context.close();
  });
});

describe.skipIf(isMissing)('a source', () => {
  it('that is in use names its users; one that nothing uses is deleted', async () => {
    const { page, watch, context } = await withSources(['Unused']);
    const sourceId = await logSource(page);
    await makeDashboard(page, shopDashboard(sourceId));
    await callApi(page, 'POST', '/saved-searches', { name: 'Failed payments', sourceId });
    await page.goto('/settings/sources');
    const remove = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions of ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
    };
    await remove('Logs');
    const users = page.getByRole('list', { name: 'Users of the source' });
    await users.getByRole('link', { name: 'Shop' }).waitFor();
    await users.getByRole('link', { name: 'Failed payments' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete source' }).count()).toBe(0);
    await watch.isClean();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await remove('Unused');
    await page.getByRole('button', { name: 'Delete source' }).click();
    await link(page, 'Unused').waitFor({ state: 'detached' });
    await context.close();
  });

  it('whose users cannot be listed is kept by the API, which says why', async () => {
    const { page, watch, context } = await withSources([]);
    watch.expect(/ERR_FAILED|status of 409/);
    await makeDashboard(page, shopDashboard(await logSource(page), 'Night shift'));
    await page.route(/\/api\/v2\/(dashboards|saved-searches)/, (route) => route.abort());
    await page.goto('/settings/sources');
    await page.getByRole('button', { name: 'Actions of Logs' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete source' }).click();
    await page.getByText(/the source is in use by .*dashboard "Night shift"/).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('can be edited where times, tables or rows cannot be read', async () => {
    const { page, watch, context } = await withSources([]);
    watch.expect(/ERR_FAILED/);
    const failing = /\/api\/v2\/sources\/(times|tables|check)/;
    await page.route(failing, (route) => route.abort());
    await page.goto('/settings/sources');
    await table(page).getByRole('cell', { name: 'Not known' }).first().waitFor();
    await watch.isClean();
    await link(page, 'Logs').click();
    await page.getByText('The tables cannot be listed, so names are not completed.').waitFor();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('The rows cannot be read').waitFor();
    await watch.isClean();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await rows(page).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('sources', () => {
  it('have addresses, and ask before changes are lost', async () => {
    const { page, watch, context } = await withSources([]);
    watch.expect(/status of 404/);
    await page.goto('/settings/sources');
    await link(page, 'Logs').click();
    await page.waitForURL(/\?id=[0-9a-f]{24}$/);
    await page.reload();
    await heading(page, 'Logs').waitFor();
    await field(page, 'Message').fill('lower(Body)');
    await page.goBack();
    await page.getByRole('button', { name: 'Stay' }).click();
    await heading(page, 'Logs').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await table(page).waitFor();
    await page.goto(`/settings/sources?id=${'0'.repeat(24)}`);
    await page.getByText('There is no such source').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('are made with the keyboard alone', async () => {
    const { page, watch, context } = await withSources([]);
    await page.goto('/settings');
    await heading(page, 'Preferences').waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('create source');
    await page.keyboard.press('Enter');
    await heading(page, 'New source').waitFor();
    await tabTo(page, 'Table');
    await page.keyboard.type('otel_lo');
    await page.getByRole('option', { name: /^otel_logs table/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'Message').inputValue()).toBe('Body');
    await tabTo(page, 'Message');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
    // Escape closes the list only.
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    await tabTo(page, 'Try it');
    await page.keyboard.press('Enter');
    await rows(page).waitFor();
    await watch.isClean();
    await page.keyboard.press('Control+S');
    await table(page).waitFor();
    expect(await link(page, 'Logs').count()).toBe(2);
    await context.close();
  });
});
