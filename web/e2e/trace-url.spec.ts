import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tabs, writeView } from '../src/screens/trace/model/view.ts';
import { stringifySearch } from '../src/view/url-state.ts';
import { browserMissing } from './kit/browser.ts';
import { orderTrace, spanIdOf, traceIdOf } from './kit/spans.ts';
import { stillScreen } from './kit/still-screen.ts';
import { World } from './kit/world.ts';

const isMissing = browserMissing();
const nowMs = Date.now();
const startMs = nowMs - 60_000;
const order = traceIdOf(0xa1);
const lengthNanos = 846_000_000;
const addressMax = 4000;
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  await world.sendSpans(orderTrace(startMs, order, traceIdOf(0xb2)));
  const log = { service: 'payment', traceId: order, spanId: spanIdOf(22) };
  await world.send([
    { ...log, severity: 'INFO', body: 'charging the card of order 4711', atMs: startMs + 330 },
  ]);
});
afterAll(() => world?.close());

/** A page at that moment: the screen tells how long ago things were. */
async function atMoment(path: string) {
  const made = await world.signedIn();
  await made.page.clock.setFixedTime(nowMs);
  await made.page.goto(path);
  await made.page.getByRole('treegrid', { name: 'Spans of the trace' }).waitFor();
  return made;
}

const window = fc
  .tuple(fc.nat(lengthNanos - 1), fc.nat(lengthNanos - 1))
  .filter(([one, other]) => Math.abs(one - other) > 1000)
  .map(([one, other]) => ({ fromNanos: Math.min(one, other), toNanos: Math.max(one, other) }));
const view = fc.record({
  isCritical: fc.boolean(),
  tab: fc.constantFrom(...tabs),
  window: fc.option(window, { nil: undefined }),
});
/** The root, the failed call, one outside of the critical path, an orphan, and one that is not there. */
const span = fc.constantFrom(...[1, 22, 15, 101, 4242].map(spanIdOf));
const state = fc.record({ span, view, at: fc.constant(startMs) }, { requiredKeys: [] });

describe.skipIf(isMissing)('the URL of a trace', () => {
  it('shows the same screen in a fresh profile, and Back returns to it', async () => {
    await fc.assert(
      fc.asyncProperty(state, async ({ view: seen, ...rest }) => {
        const written = seen && writeView(seen);
        const here = await atMoment(
          `/traces/${order}${stringifySearch({ ...rest, view: written })}`,
        );
        const shown = await stillScreen(here.page);
        const url = here.page.url();
        expect(url.length).toBeLessThanOrEqual(addressMax);
        const there = await atMoment(url);
        expect(await stillScreen(there.page)).toBe(shown);
        await there.page.getByRole('link', { name: 'Settings' }).click();
        await there.page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
        await there.page.goBack();
        expect(await stillScreen(there.page)).toBe(shown);
        expect(there.page.url()).toBe(url);
        await here.watch.isClean();
        await Promise.all([here.context.close(), there.context.close()]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
