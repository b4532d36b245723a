import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { smallPicture } from './kit/small-picture.ts';
import { sentUntilNow } from './kit/demo-shop.ts';
import { rowPanel, rows } from './kit/search-page.ts';
import { orderTrace, spanIdOf, traceIdOf } from './kit/spans.ts';
import { hostileText } from './kit/telemetry.ts';
import { World } from './kit/world.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const bytesMax = 400 * 1024;
const themes = ['light', 'dark'] as const;
const names = ['search', 'row', 'trace'] as const;
const isUpdate = process.env['UPDATE_PICTURES'] === 'true';
const order = traceIdOf(0xa1);

/** What each picture shows of the demo shop and of one more trace. */
const scenes: Record<(typeof names)[number], (page: Page) => Promise<void>> = {
  async search(page) {
    await page.goto('/search');
    await rows(page).first().waitFor();
  },
  async row(page) {
    await page.goto('/search?q=SeverityText:ERROR');
    await rows(page).nth(2).getByText('ERROR').click();
    await rowPanel(page).getByText('service.name').first().waitFor();
  },
  async trace(page) {
    await page.goto(`/traces/${order}?span=${spanIdOf(22)}`);
    await page.getByRole('region', { name: 'Span', exact: true }).waitFor();
  },
};

// Not a skipped suite: CI takes no test that is skipped.
if (isUpdate) {
  describe.skipIf(browserMissing())('pictures of README', picturesAreMade);
}

function picturesAreMade(): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
    const { page, context } = await world.signedIn();
    await page.goto('/welcome');
    await page.getByRole('button', { name: 'Start the demo shop' }).click();
    await page.waitForURL(/\/search\?/);
    await rows(page).first().waitFor();
    await sentUntilNow(page);
    await context.close();
    const spans = orderTrace(Date.now() - 60_000, order, traceIdOf(0xb2));
    await world.sendSpans(spans.filter(({ service }) => service !== hostileText));
  }, 300_000);
  afterAll(() => world?.close());

  it.each(themes.flatMap((theme) => names.map((name) => ({ name, theme }))))(
    'are made again: $name-$theme',
    async ({ name, theme }) => {
      const { page, context } = await world.signedIn({ width: 1280, height: 720, theme });
      await scenes[name](page);
      await page.waitForLoadState('networkidle');
      await page.mouse.move(0, 0);
      writeFileSync(`${folder}${name}-${theme}.webp`, await smallPicture(page));
      await context.close();
    },
  );
}

describe('README', () => {
  it('shows every picture, and they are at most 400 KB in all', () => {
    const files = readdirSync(folder);
    const made = names.flatMap((name) => themes.map((theme) => `${name}-${theme}.webp`));
    expect(files.toSorted()).toEqual(made.toSorted());
    for (const file of files) {
      expect(readme).toContain(`docs/pictures/${file}#gh-`);
    }
    const bytes = files.reduce((sum, file) => sum + statSync(folder + file).size, 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  });
});
