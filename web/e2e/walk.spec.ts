import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource } from './kit/call-api.ts';
import { makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { orderTrace, traceIdOf } from './kit/spans.ts';
import { shopRecords } from './kit/telemetry.ts';
import { heapOf, randomOf, Walk } from './kit/walk.ts';
import { signIn, World } from './kit/world.ts';

/** The whole walk is half an hour: `SIGHTLINE_TEST_WALK_S=1800`. */
const seconds = Number(process.env['SIGHTLINE_TEST_WALK_S'] ?? 30);
const seed = Number(process.env['SIGHTLINE_TEST_WALK_SEED'] ?? 1);
const measures = 6;
/** What a walk may add from one third to the next: lists that grow by what it creates. */
const growthMax = { share: 1.25, bytes: 8 * 1024 * 1024 };
const isMissing = browserMissing();
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  const now = Date.now();
  await world.send(shopRecords(now, 1200));
  await world.sendSpans(orderTrace(now - 60_000, traceIdOf(0xa1), traceIdOf(0xb2)));
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  const source = await logSource(page);
  await makeDashboard(page, shopDashboard(source));
  const { id } = await callApi<{ id: string }>(page, 'POST', '/saved-searches', {
    name: 'Errors',
    sourceId: source,
    where: 'SeverityText:ERROR',
  });
  const webhook = await callApi<{ id: string }>(page, 'POST', '/webhooks', {
    name: 'on-call',
    service: 'generic',
    url: 'https://hooks.example.com/',
  });
  await callApi(page, 'POST', '/alerts', {
    name: 'Errors',
    source: 'search',
    savedSearchId: id,
    interval: '1m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook.id },
  });
  await context.close();
});
afterAll(() => world?.close());

describe.skipIf(isMissing)('a person who clicks at random', () => {
  it(
    'meets no error, no violation of the policy, no 5xx and no growing heap',
    async () => {
      const { page, context } = await world.signedIn();
      const found: string[] = [];
      const walk = new Walk(page, randomOf(seed));
      const note = (text: string): void => {
        found.push(`${text}\n  at ${page.url()}\n  after ${walk.steps.slice(-6).join(' | ')}`);
      };
      page.on('console', (message) => {
        // The browser's own line about an answer such as 400, which the page shows.
        const isAnswer = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
        if (message.type() === 'error' && !isAnswer) {
          note(message.text());
        }
      });
      page.on('pageerror', (error) => note(String(error.stack)));
      page.on('response', (response) => {
        if (response.status() >= 500) {
          note(`${response.status()} ${response.request().method()} ${response.url()}`);
        }
      });
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      await page.goto('/search');
      const startMs = Date.now();
      const screens = new Set<string>();
      const heaps = [];
      for (let part = 1; part <= measures; part++) {
        while (Date.now() < startMs + (part * seconds * 1000) / measures) {
          await walk.step();
          const { origin, pathname } = new URL(page.url());
          screens.add(pathname.replace(/\/[\w-]{20,}/, '/…'));
          if (origin !== world.server.ui) {
            // Back leads out of the program at last.
            await page.goto('/');
          } else if (pathname === '/sign-in') {
            await signIn(page);
          }
        }
        await page.keyboard.press('Escape');
        heaps.push(await heapOf(session));
      }
      const mib = heaps.map(({ bytes }) => (bytes / 2 ** 20).toFixed(1));
      const nodes = heaps.map((heap) => heap.nodes);
      console.log(`seed ${seed}: ${walk.steps.length} steps; MiB ${mib}; nodes ${nodes}`);
      console.log([...screens].toSorted().join(' '));
      expect(nodes.every((count) => count > 100)).toBe(true);
      expect(found).toEqual([]);
      const [middle, last] = [heaps.slice(2, 4), heaps.slice(4)].map((third) =>
        Math.min(...third.map(({ bytes }) => bytes)),
      ) as [number, number];
      expect(last).toBeLessThan(middle * growthMax.share + growthMax.bytes);
      await context.close();
    },
    (seconds + 120) * 1000,
  );
});
