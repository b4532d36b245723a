import type { Page } from 'playwright-core';
import type { AlertWorld } from './alert-world.ts';
import { callApi, logSource } from './call-api.ts';
import { hostileText, type LogRecord } from './telemetry.ts';

const minuteMs = 60_000;

/** Noon; the world begins 66 minutes earlier. */
export const noon = Date.UTC(2026, 10, 20, 12);
export const worldStart = noon - 66 * minuteMs;

/** Errors of the shop in each minute before noon: a short incident, and one that goes on. */
export function shopErrors(): LogRecord[] {
  const records: LogRecord[] = [];
  for (let minute = 1; minute <= 65; minute++) {
    const startMs = noon - minute * minuteMs;
    const isIncident = minute <= 9 || (minute >= 38 && minute <= 50);
    const counts = { cart: isIncident ? 12 + (minute % 4) : 3, payment: 2 + (minute % 3) };
    for (const [service, count] of Object.entries(counts)) {
      for (let index = 0; index < count; index++) {
        records.push({
          service,
          severity: 'ERROR',
          body: `charge ${minute}-${index} failed: the bank did not answer`,
          atMs: startMs + index * 1000,
          attributes: { region: index % 2 === 0 ? 'eu' : hostileText },
        });
      }
    }
  }
  return records;
}

export const saved = (page: Page, sourceId: string, name: string, where: string) =>
  callApi<{ id: string }>(page, 'POST', '/saved-searches', {
    name,
    sourceId,
    select: '',
    where,
    whereLanguage: 'lucene',
    orderBy: '',
    tags: [],
    filters: [],
  });

export const webhook = (page: Page, name: string, url: string) =>
  callApi<{ id: string }>(page, 'POST', '/webhooks', { name, service: 'generic', url });

/** Names of the alerts of `makeShopAlerts`. */
export const names = {
  firing: 'Failed payments',
  grouped: 'Errors by service',
  pending: 'Errors for an hour',
  silenced: 'Errors, silenced',
  broken: 'Watches nothing',
  quiet: `Quiet ${hostileText}`,
} as const;

export type ShopAlerts = Record<keyof typeof names, string>;

/** An alert of each state over `shopErrors`, by the API. */
export async function makeShopAlerts(page: Page, receiverUrl: string): Promise<ShopAlerts> {
  const sourceId = await logSource(page);
  const errors = await saved(page, sourceId, 'Errors of the shop', 'SeverityText:ERROR');
  const hook = await webhook(page, `on-call ${hostileText}`, receiverUrl);
  const make = async (name: string, change: object): Promise<string> => {
    const { id } = await callApi<{ id: string }>(page, 'POST', '/alerts', {
      name,
      source: 'search',
      savedSearchId: errors.id,
      interval: '1m',
      threshold: 12,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: hook.id },
      ...change,
    });
    return id;
  };
  const made = {
    firing: await make(names.firing, {
      tags: ['shop', 'payments'],
      numConsecutiveWindows: 2,
      renotifyInterval: '5m',
      message: `Call the bank. ${hostileText}`,
    }),
    grouped: await make(names.grouped, { groupBy: 'ServiceName', tags: ['shop'], threshold: 10 }),
    pending: await make(names.pending, { numConsecutiveWindows: 90, threshold: 4 }),
    silenced: await make(names.silenced, {
      thresholdType: 'not_between',
      threshold: 3,
      thresholdMax: 8,
    }),
    broken: await make(names.broken, { savedSearchId: null }),
    quiet: await make(names.quiet, { threshold: 1000, tags: [hostileText.slice(0, 20)] }),
  };
  await callApi(page, 'POST', `/alerts/${made.silenced}/silence`, {
    until: new Date(noon + 6 * 60 * minuteMs).toISOString(),
  });
  return made;
}

/** Sends the errors, makes the alerts, and evaluates them up to noon. */
export async function playShop({ world, receiver, runUntil }: AlertWorld): Promise<ShopAlerts> {
  await world.send(shopErrors());
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  const made = await makeShopAlerts(page, receiver.url);
  await context.close();
  // The window that ends at noon is evaluated, too.
  await runUntil(noon + 10_000);
  return made;
}
