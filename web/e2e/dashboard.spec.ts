import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { hold } from './kit/hold.ts';
import { shopRecords } from './kit/telemetry.ts';
import { views, World } from './kit/world.ts';

interface BatchedRequest {
  type: string;
  series: { groupBy: string[] }[];
}

const recordCount = 1200;
const batches = '**/api/v2/charts/batch';
const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const isMissing = browserMissing();
let world: World;
let id = '';
let sourceId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.send(shopRecords(Date.now(), recordCount));
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  sourceId = await logSource(page);
  id = await makeDashboard(page, shopDashboard(sourceId));
  await context.close();
});
afterAll(() => world?.close());

describe.skipIf(isMissing)('tiles of a dashboard', () => {
  describe.each(views)('at $width px', (view) => {
    it('shows every kind of tile without a complaint', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto(`/dashboards/${id}`);
      await tile(page, 'Records').getByText('1,200', { exact: true }).waitFor();
      await tile(page, 'Share of errors').getByText('5.9 %', { exact: true }).waitFor();
      const lines = tile(page, 'Orders by service');
      await lines.getByRole('group', { name: /cart: last \d+/ }).waitFor();
      await tile(page, 'About').locator('[data-depth]').waitFor();
      await tile(page, 'Services').scrollIntoViewIfNeeded();
      await tile(page, 'Services').getByText('33.3 %').first().waitFor();
      await tile(page, 'Services and regions').scrollIntoViewIfNeeded();
      await tile(page, 'Services and regions').getByRole('cell', { name: 'eu' }).first().waitFor();
      await tile(page, 'Errors').scrollIntoViewIfNeeded();
      await tile(page, 'Errors')
        .getByText(/charge \d+ failed/)
        .first()
        .waitFor();
      await watch.isClean();
      await context.close();
    });

    it('says that a tile has no row, and what to do', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.goto(`/dashboards/${id}?from=1500000000000&to=1500000900000`);
      const empty = tile(page, 'Orders by service');
      await empty.getByText('No row in this range matches.').waitFor();
      await empty.getByRole('button', { name: 'Widen the range' }).waitFor();
      await watch.isClean();
      await context.close();
    });

    it('shows a failure in its tile alone, and tries again', async () => {
      const { page, watch, context } = await world.signedIn(view);
      await page.route(batches, failServices);
      await page.goto(`/dashboards/${id}`);
      const failed = tile(page, 'Services');
      await failed.scrollIntoViewIfNeeded();
      await failed.getByText('This tile cannot be shown').waitFor();
      await failed.getByText(timedOut).waitFor();
      await tile(page, 'Records').getByText('1,200', { exact: true }).waitFor();
      await watch.isClean();
      await page.unroute(batches);
      await failed.getByRole('button', { name: 'Try again' }).click();
      await failed.getByText('33.3 %').first().waitFor();
      await context.close();
    });

    it('says that no tile has an answer, and tries again', async () => {
      const { page, watch, context } = await world.signedIn(view);
      watch.expect(/ERR_FAILED/);
      await page.route(batches, (route) => route.abort());
      await page.goto(`/dashboards/${id}`);
      const failed = tile(page, 'Services');
      await failed.scrollIntoViewIfNeeded();
      await failed.getByText('This tile cannot be shown').waitFor();
      await tile(page, 'Errors').scrollIntoViewIfNeeded();
      await tile(page, 'Errors')
        .getByText(/charge \d+ failed/)
        .first()
        .waitFor();
      await watch.isClean();
      await page.unroute(batches);
      await failed.getByRole('button', { name: 'Try again' }).click();
      await failed.getByText('33.3 %').first().waitFor();
      await context.close();
    });
  });

  it('keeps the old numbers, and says their age, when a refresh fails', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/ERR_FAILED/);
    await page.goto(`/dashboards/${id}`);
    const shown = tile(page, 'Records').getByText('1,200', { exact: true });
    await shown.waitFor();
    await page.route(batches, (route) => route.abort());
    await page.keyboard.press('r');
    await tile(page, 'Records')
      .getByText(/^Data of \d\d:\d\d:\d\d/)
      .waitFor();
    await shown.waitFor();
    await watch.isClean();
    await context.close();
  });

  it('keeps markdown and telemetry text', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}`);
    const about = tile(page, 'About');
    await about.getByText('<img src=x onerror="document.title=1">').waitFor();
    expect(await about.locator('img').count()).toBe(0);
    expect(await about.getByRole('link').count()).toBe(1);
    expect(await about.getByRole('link').getAttribute('rel')).toBe('noreferrer');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('dashboard in use', () => {
  it('filters every tile with the values of a picker, and the link keeps them', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}`);
    await tile(page, 'Records').getByText('1,200', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Region: all' }).click();
    await page.getByRole('option', { name: /^eu/ }).click();
    await page.waitForURL(/v\.region=eu/);
    await page.keyboard.press('Escape');
    await tile(page, 'Records').getByText('600', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Region: eu' }).waitFor();
    await tile(page, 'Records').getByText('600', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await tile(page, 'Records').getByText('1,200', { exact: true }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('selects a range for all tiles with the pointer and with keys, and goes back', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}`);
    const chart = tile(page, 'Orders by service').getByRole('group', { name: /cart: last/ });
    await chart.waitFor();
    await tile(page, 'By severity')
      .getByRole('group', { name: /INFO: last/ })
      .waitFor();
    const before = await page.evaluate(() => document.documentElement.scrollHeight);
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
    await page.getByRole('status').getByText(/ – /).waitFor();
    // The crosshair is on the other chart, too; its numbers are not.
    await tile(page, 'By severity')
      .locator('.u-cursor-x:not(.u-off)')
      .waitFor({ state: 'attached' });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(before);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d{13}&to=\d{13}/);
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('from='));

    await chart.focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) {
      await page.keyboard.press(key);
    }
    await page.waitForURL(/from=\d{13}&to=\d{13}/);
    await watch.isClean();
    await context.close();
  });

  it.each(['America/St_Johns', 'Asia/Kathmandu'])(
    'shows and selects times of one zone: %s',
    async (zone) => {
      const { page, context } = await world.signedIn();
      await context.addInitScript((name) => {
        localStorage.setItem('sightline.zone', JSON.stringify(name));
      }, zone);
      const toMs = Math.floor(Date.now() / 60_000) * 60_000;
      const fromMs = toMs - 1_800_000;
      await page.goto(`/dashboards/${id}?from=${fromMs}&to=${toMs}`);
      const chart = tile(page, 'Orders by service').getByRole('group', { name: /cart: last/ });
      await chart.waitFor();
      const plot = (await chart.locator('.u-over').boundingBox())!;
      const clock = (ms: number): string =>
        new Date(ms).toLocaleTimeString('en-GB', {
          timeZone: zone,
          hour: '2-digit',
          minute: '2-digit',
        });
      // In the middle of a bucket of 30 s.
      const pointedMs = fromMs + 900_000 + 15_000;
      const x = plot.x + (plot.width * (pointedMs - fromMs)) / (toMs - fromMs);
      await page.mouse.move(x, plot.y + 40);
      await page.getByRole('status').getByText(clock(pointedMs)).first().waitFor();
      await page.mouse.down();
      await page.mouse.move(plot.x + plot.width * 0.8, plot.y + 40, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL((url) => url.searchParams.get('from') !== String(fromMs));
      const startMs = Number(new URL(page.url()).searchParams.get('from'));
      expect(Math.abs(startMs - pointedMs)).toBeLessThan(10_000);
      const picker = page.getByRole('button', { name: /^Time range: / });
      await expect.poll(() => picker.getAttribute('aria-label')).toContain(clock(startMs));
      await context.close();
    },
  );

  it('shows a tile alone, as a table, and the dashboard in full screen', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}`);
    await tile(page, 'Orders by service')
      .getByRole('group', { name: /cart: last/ })
      .waitFor();
    const menu = page.getByRole('button', { name: 'Actions of Orders by service' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'As table' }).click();
    const table = page.getByRole('dialog', { name: 'Orders by service' });
    await table.getByRole('columnheader', { name: 'payment' }).waitFor();
    await watch.isClean();
    await table.getByRole('button', { name: 'Close' }).click();
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show alone' }).click();
    await page.waitForURL(/tile=/);
    await page
      .getByRole('dialog')
      .getByRole('group', { name: /cart: last/ })
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.waitForURL((url) => !url.search.includes('tile='));
    await page.keyboard.press('v');
    await page.waitForURL(/full=1/);
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('is shared with its times and filters, and without the refresh', async () => {
    const { page, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}?every=30s&v.region=eu`);
    await tile(page, 'Records').getByText('600', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy link with these times' }).click();
    await page.getByText('Link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await context.close();
    expect(link).toMatch(/from=\d{13}&to=\d{13}/);
    expect(link).not.toContain('every');
    const other = await world.signedIn();
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Region: eu' }).waitFor();
    await tile(other.page, 'Records').getByText('600', { exact: true }).waitFor();
    await other.context.close();
  });
});

describe.skipIf(isMissing)('a tile that repeats', () => {
  it('is set in its form, and shown for each value of the filter or each chosen one', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    const repeating = await makeDashboard(page, {
      name: 'Regions',
      tags: [],
      filters: [{ id: 'region', name: 'Region', expression: 'LogAttributes.region', sourceId }],
      tiles: [
        {
          name: 'Records',
          x: 0,
          y: 0,
          w: 12,
          h: 4,
          config: { displayType: 'number', sourceId, select: [{ aggFn: 'count' }] },
        },
      ],
    });
    await page.goto(`/dashboards/${repeating}?edit=1`);
    await page.getByRole('button', { name: 'Actions of Records' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: /^Repeat for/ }).click();
    await page.getByRole('option', { name: 'Each Region' }).click();
    await tile(page, 'Records').getByText('for each Region').waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL((url) => !url.search.includes('edit'));
    for (const region of ['eu', 'us']) {
      await tile(page, `Records · ${region}`).getByText('600', { exact: true }).waitFor();
    }
    await watch.isClean();
    await page.getByRole('button', { name: 'Actions of Records · us' }).click();
    await page.getByRole('menuitem', { name: 'Show alone' }).click();
    await page.reload();
    const alone = page.getByRole('dialog', { name: 'Records · us' });
    await alone.getByText('600', { exact: true }).waitFor();
    await alone.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Region: all' }).click();
    await page.getByRole('option', { name: /^eu/ }).click();
    await tile(page, 'Records · us').waitFor({ state: 'detached' });
    await tile(page, 'Records · eu').getByText('600', { exact: true }).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('what a dashboard asks', () => {
  it('refreshes by itself while it is seen', async () => {
    const { page, context } = await world.signedIn();
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/charts/batch')) {
        asked.push(request.postData() ?? '');
      }
    });
    await page.goto(`/dashboards/${id}?every=10s`);
    await tile(page, 'Records').getByText('1,200', { exact: true }).waitFor();
    const first = asked.length;
    await page.clock.runFor(10_500);
    await expect.poll(() => asked.length).toBeGreaterThan(first);
    await context.close();
  });

  it('says that a dashboard is gone', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/404/);
    await page.goto(`/dashboards/${'0'.repeat(24)}`);
    await page.getByText('There is no such dashboard').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('asks only for tiles near the window, those in view first and together', async () => {
    const { page, context } = await world.signedIn();
    const tiles = Array.from({ length: 60 }, (_, index) =>
      countTile(`Tile ${index}`, index * 4, `ServiceName:cart OR ${index}`),
    );
    await page.goto('/settings');
    const long = await makeDashboard(page, { name: 'Long', tiles });
    const asked: number[] = [];
    await page.route(batches, async (route) => {
      const { requests } = route.request().postDataJSON() as { requests: unknown[] };
      asked.push(requests.length);
      await route.continue();
    });
    await page.goto(`/dashboards/${long}`);
    const drawn = (name: string) =>
      tile(page, name)
        .getByRole('group', { name: /count: last/ })
        .waitFor();
    await drawn('Tile 0');
    await drawn('Tile 4');
    const [inView = 0, below = 0] = asked;
    expect(asked).toHaveLength(2);
    expect(inView).toBeGreaterThan(1);
    expect(inView + below).toBeLessThan(20);
    await tile(page, 'Tile 50').scrollIntoViewIfNeeded();
    await drawn('Tile 50');
    await callApi(page, 'DELETE', `/dashboards/${long}`);
    await context.close();
  });

  it('stops a tile that takes long, or all of them, and keeps what they showed', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto(`/dashboards/${id}`);
    const records = tile(page, 'Records');
    await records.getByText('1,200', { exact: true }).waitFor();
    const release = await hold(page, batches);
    await page.keyboard.press('r');
    await records.getByRole('button', { name: 'Cancel loading' }).click();
    await records.getByText(/^Data of .*: loading was cancelled\.$/).waitFor();
    await records.getByText('1,200', { exact: true }).waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Stop loading' }).click();
    const bySeverity = tile(page, 'By severity');
    await bySeverity.getByText(/loading was cancelled/).waitFor();
    await page.getByRole('button', { name: 'Refresh', exact: true }).waitFor();
    await release();
    await bySeverity.getByRole('button', { name: 'Try again' }).click();
    await bySeverity.getByText(/loading was cancelled/).waitFor({ state: 'detached' });
    await records.getByText(/loading was cancelled/).waitFor();
    await context.close();
  });
});

function countTile(name: string, y: number, where: string): object {
  const select = [{ aggFn: 'count', where }];
  return { name, x: 0, y, w: 24, h: 4, config: { displayType: 'line', sourceId, select } };
}

const timedOut = 'The query took longer than 30 s. Narrow the time range.';

/** The answer of a batch in which the pie of the services took too long. */
async function failServices(route: Route): Promise<void> {
  const { requests } = route.request().postDataJSON() as { requests: BatchedRequest[] };
  const response = await route.fetch();
  const answer = (await response.json()) as { data: object[] };
  const data = answer.data.map((result, index) => {
    const request = requests[index];
    const isPie = request?.type === 'totals' && request.series[0]?.groupBy.length === 1;
    return isPie ? { type: 'error', error: { message: timedOut, code: 'timeout' } } : result;
  });
  await route.fulfill({ response, json: { ...answer, data } });
}
