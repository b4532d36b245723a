import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestApp } from '../../../test/kit/app.ts';
import { freePort } from '../../../test/kit/port.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/kit/webhook-receiver.ts';
import type { PageWatch } from './page-watch.ts';
import { account, wide, World, type View } from './world.ts';

const minuteMs = 60_000;
/** How long after its end a window is evaluated. */
const delayMs = 6000;

/**
 * The real server with its engine in this process, so that the test moves its clock: an hour of
 * evaluations takes seconds.
 */
export interface AlertWorld {
  world: World;
  /** A receiver of webhooks, at the time of the world. */
  receiver: WebhookReceiver;
  now(): number;
  /** Evaluates every minute up to a time, and sends what follows. */
  runUntil(ms: number): Promise<void>;
  /** A page of the first user at the time of the world. */
  open(path: string, view?: View): Promise<AlertPage>;
  close(): Promise<void>;
}

export interface AlertPage {
  page: Page;
  watch: PageWatch;
  context: BrowserContext;
}

export async function openAlertWorld(startMs: number): Promise<AlertWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-alerts-'));
  let nowMs = startMs;
  const clock = { now: () => nowMs };
  const receiver = await startWebhookReceiver(clock);
  const app = await startTestApp({
    folder,
    roles: ['api', 'ui', 'ingest', 'alerts'],
    clock,
    random: () => 0,
    config: {
      // Known beforehand, so that messages link to it.
      uiPort: await freePort(),
      bootstrapEmail: account.email,
      bootstrapPassword: account.password,
      bootstrapIngestionKey: account.ingestionKey,
      retentionDaysLogs: 0,
    },
    tuning: { ticksByHand: true },
  });
  const { alerting } = app;
  const { ui = '', otlpHttp = '', surfaces = [] } = app.addresses;
  if (!alerting) {
    throw new Error('the app does not run alerts');
  }
  const world = await World.around(
    { ui, otlpHttp, api: new URL(surfaces[0] ?? '').origin },
    async () => {
      await app.stop();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  );
  // The clock of this browser is another than that of the world.
  const { context } = await world.signedIn();
  await context.close();
  const settle = async (): Promise<void> => {
    await alerting.tick();
    await alerting.delivered();
  };
  return {
    world,
    receiver,
    now: clock.now,
    async runUntil(ms) {
      await settle();
      while (nowMs < ms) {
        const next = Math.floor((nowMs - delayMs) / minuteMs + 1) * minuteMs + delayMs;
        nowMs = Math.min(next, ms);
        await settle();
      }
    },
    async open(path, view = wide) {
      const made = await world.signedIn(view);
      await made.page.clock.setFixedTime(nowMs);
      await made.page.goto(path);
      return made;
    },
    close: () => world.close(),
  };
}
