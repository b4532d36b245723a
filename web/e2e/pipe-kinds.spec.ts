import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAzurite, type AzuritePeer } from '../../test/kit/azurite.ts';
import { until } from '../../test/kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../../test/kit/kafka.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../../test/kit/kinesis.ts';
import { browserMissing } from './kit/browser.ts';
import { button, field } from './kit/forms.ts';
import { keepsNothingOf } from './kit/journey.ts';
import { callPipes } from './kit/pipes.ts';
import { World } from './kit/world.ts';

/** New pipes of the kinds that `pipe-new.spec.ts` and the guide do not make. */

const isMissing = browserMissing() || kafkaMissing();
let world: World;
let broker: KafkaPeer;
let stream: KinesisPeer;
let blobs: AzuritePeer;

const orders = Array.from({ length: 12 }, (_, id) => JSON.stringify({ id, city: 'Bern' }));

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [broker, stream, blobs] = await Promise.all([startKafka(), startKinesis(), startAzurite()]);
  [world] = await Promise.all([
    World.open({
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
      SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
      // Where the client of the provider finds the emulator.
      AWS_ENDPOINT_URL_KINESIS: stream.endpoint,
    }),
    fillTopic(),
    fillStream(),
    fillContainer(),
  ]);
});
afterAll(async () => {
  await Promise.all([world?.close(), broker?.remove(), stream?.remove(), blobs?.remove()]);
});

async function fillTopic(): Promise<void> {
  await broker.createTopic('orders', 2);
  await broker.producer.send({ topic: 'orders', messages: orders.map((value) => ({ value })) });
}

async function fillStream(): Promise<void> {
  await stream.createStream('orders', 2);
  await stream.put(
    'orders',
    orders.map((data, key) => ({ key: String(key), data })),
  );
}

async function fillContainer(): Promise<void> {
  await blobs.container('shop');
  await blobs.put('shop', 'orders/1.json', orders.slice(0, 5).join('\n'));
  await blobs.put('shop', 'orders/2.json', orders.slice(5).join('\n'));
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click();
  await page.getByRole('option', { name: option }).first().click();
}

interface Kind {
  kind: string;
  link: RegExp;
  connect(page: Page): Promise<unknown>;
  /** The choice in the list of what the source has, if it has more than one. */
  item: RegExp;
  secrets(): string[];
}

const kinds: readonly Kind[] = [
  {
    kind: 'Kafka with a login and TLS',
    link: /^Kafka/,
    connect: async (page) => {
      await field(page, 'Brokers').fill(broker.scram);
      await choose(page, 'Authentication', 'SCRAM-SHA-256');
      await field(page, 'User name').fill(broker.user.username);
      await field(page, 'Password').fill(broker.user.password);
      await page.getByText('One more field').click();
      await page.getByLabel('CA certificate of the brokers (optional)').fill(broker.ca);
    },
    item: /^orders/,
    secrets: () => [broker.user.password],
  },
  {
    kind: 'a Kinesis-compatible stream',
    link: /^Cloudstream/,
    connect: async (page) => {
      await field(page, 'Region').fill(testRegion);
      await field(page, 'Access key id').fill('AKIDTEST');
      await field(page, 'Secret key').fill('a very secret key');
    },
    item: /^orders/,
    secrets: () => ['a very secret key'],
  },
  {
    kind: 'Azure Blob Storage',
    link: /^Object storage/,
    connect: async (page) => {
      await choose(page, 'Provider', 'Azure Blob Storage');
      await field(page, 'Container').fill('shop');
      await field(page, 'Path of the blobs').fill('orders/*.json');
      await field(page, 'Connection string').fill(blobs.connectionString);
    },
    item: /orders\/1\.json/,
    secrets: () => [blobs.key, blobs.connectionString],
  },
];

describe.skipIf(isMissing)('a new pipe in the browser', () => {
  it.each(kinds)('from $kind stores its records', async ({ link, connect, item, secrets }) => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/pipes/new');
    await page.getByRole('link', { name: link }).click();
    await connect(page);
    await button(page, 'Check connection').click();
    await page.getByText('The connection works', { exact: true }).waitFor();
    await button(page, 'Next').click();
    await page.getByRole('radio', { name: item }).check();
    await page.getByText('Bern').first().waitFor();
    await button(page, 'Next').click();
    await page.getByRole('combobox', { name: 'Type of city' }).waitFor();
    await page.getByRole('checkbox', { name: 'id is in the key' }).check();
    await button(page, 'Next').click();
    const table = `orders_${kinds.findIndex((kind) => kind.link === link)}`;
    await page.getByRole('textbox', { name: 'Table', exact: true }).fill(table);
    await button(page, 'Next').click();
    await page.getByText('it can be read').waitFor();
    await watch.isClean();
    await button(page, 'Create pipe').click();
    await page.waitForURL(/\/pipes\/[0-9a-f-]{36}$/);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await until('the rows', async () => {
      const { rows } = await callPipes<{ rows: number }>(page, 'GET', `/${id}/metrics`);
      return rows === orders.length;
    });
    await page.locator('dl').getByText(String(orders.length), { exact: true }).first().waitFor();
    expect(await page.content()).not.toContain(secrets()[0]);
    await keepsNothingOf(page, ...secrets());
    await watch.isClean();
    await context.close();
  });
});
