import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/kit/webhook-receiver.ts';
import { makeFiringAlert, makeWebhook, notified, receiverAllowed } from './kit/webhooks.ts';
import { browserMissing } from './kit/browser.ts';
import { callApi } from './kit/call-api.ts';
import { hold } from './kit/hold.ts';
import { keepsNothingOf, tabTo } from './kit/journey.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { views, World, type View } from './kit/world.ts';

const isMissing = browserMissing();
let world: World;
/** A server without a webhook. */
let fresh: World;
let receiver: WebhookReceiver;
let firedId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  [world, fresh, receiver] = await Promise.all([
    World.open(receiverAllowed),
    World.open(),
    startWebhookReceiver(),
  ]);
  await world.send(shopRecords(Date.now(), 20));
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  firedId = await makeWebhook(page, 'on-call', { url: receiver.url, description: 'Second line' });
  await makeFiringAlert(page, 'Too quiet', firedId);
  await makeWebhook(page, 'team channel', {
    service: 'slack',
    url: 'https://hooks.slack.com/services/T0/B0/EXAMPLE',
  });
  await notified(receiver, 1);
  await context.close();
});
afterAll(async () => {
  await Promise.all([world?.close(), fresh?.close(), receiver?.close()]);
});

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
/** The editor itself: until it is loaded, a plain field stands in. */
const editor = (page: Page) => page.locator('.cm-content[aria-label="Template"]');
const sample = (page: Page) => page.getByRole('region', { name: 'Sample message' });
const toastOf = (page: Page, text: string) => page.getByRole('status').getByText(text);

async function opened(path: string, view?: View) {
  const made = await world.signedIn(view);
  await made.page.goto(path);
  return made;
}

/** A webhook of one test, open in its editor. */
async function editing(name: string, fields: object = {}) {
  const made = await opened('/settings');
  const id = await makeWebhook(made.page, name, { url: `${receiver.url}/${name}`, ...fields });
  await made.page.goto(`/settings/webhooks/${id}`);
  await field(made.page, 'Name').waitFor();
  // The rules are loaded: a sample can be shown.
  await sample(made.page).getByText('evt_sample').or(sample(made.page).getByText('{')).waitFor();
  return { ...made, id };
}

describe.skipIf(isMissing).each(views)('webhooks at $width px', (view) => {
  it('are listed with their last delivery, and say what is empty or failed', async () => {
    const { page, watch, context } = await opened('/settings/webhooks', view);
    await row(page, 'on-call').getByText('Delivered').locator('visible=true').waitFor();
    await row(page, 'team channel').getByText('None yet').locator('visible=true').waitFor();
    await watch.isClean();
    await page.getByRole('link', { name: 'on-call' }).click();
    await page.waitForURL(`**/settings/webhooks/${firedId}`);
    await context.close();

    const empty = await fresh.signedIn(view);
    await empty.page.goto('/settings/webhooks');
    await empty.page.getByText('There is no webhook yet').waitFor();
    await empty.watch.isClean();
    empty.watch.expect(/ERR_FAILED/);
    await empty.page.route('**/api/v2/webhooks', (route) => route.abort());
    await empty.page.reload();
    await empty.page.getByText('The webhooks cannot be listed').waitFor();
    await empty.watch.isClean();
    await empty.page.unroute('**/api/v2/webhooks');
    await empty.page.getByRole('button', { name: 'Try again' }).click();
    await empty.page.getByText('There is no webhook yet').waitFor();
    await empty.context.close();
  });

  it('are edited with a template and its message beside it', async () => {
    const { page, watch, context } = await opened('/settings/webhooks/new', view);
    await sample(page).getByText('"type": "alert.test"').waitFor();
    await watch.isClean();
    await page.getByText('Own template', { exact: true }).click();
    await editor(page).waitFor();
    await sample(page).getByText('"title": "Test: Checkout errors is firing"').waitFor();
    await watch.isClean();
    await page.getByText('PagerDuty', { exact: true }).click();
    await page.getByText('incidents stay open').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('show what was sent, each attempt, nothing and a failure', async () => {
    const { page, watch, context } = await opened(
      `/settings/webhooks/${firedId}?tab=deliveries`,
      view,
    );
    await page.getByText('Too quiet is firing').waitFor();
    await page.getByRole('button', { name: /^Attempts of/ }).click();
    await page.getByText(/status 200 in/).waitFor();
    await watch.isClean();
    const id = await makeWebhook(page, `unused ${view.width}`, { url: receiver.url });
    await page.goto(`/settings/webhooks/${id}?tab=deliveries`);
    await page.getByText('Nothing was sent to this webhook yet').waitFor();
    await watch.isClean();
    watch.expect(/ERR_FAILED|404/);
    await page.route('**/deliveries*', (route) => route.abort());
    await page.reload();
    await page.getByText('The deliveries cannot be listed').waitFor();
    await watch.isClean();
    await page.goto('/settings/webhooks/65f0c1d2e3a4b5c6d7e8f901');
    await page.getByText('There is no such webhook').waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('a new webhook', () => {
  it('is made by mouse with a template and secrets, and a test of the draft arrives', async () => {
    const { page, watch, context } = await opened('/settings/webhooks');
    const before = receiver.received.length;
    receiver.reactOnce({ status: 202, body: 'thank you' });
    await page.getByRole('link', { name: 'New webhook' }).click();
    await field(page, 'Name').fill('draft');
    await field(page, 'URL').fill(receiver.url);
    const secret = 'EXAMPLE-SIGNING-SECRET';
    await field(page, 'Signing secret').fill(secret);
    await page.getByRole('button', { name: 'Add header' }).click();
    await field(page, 'Name of header 1').fill('X-Token');
    await field(page, 'Value of header 1').fill('EXAMPLE-HEADER-VALUE');
    await page.getByText('Own template', { exact: true }).click();
    await editor(page).fill('{"who": "{{alert.name}}", "value": {{value}}, "more": {{}}');
    await page.getByText('The template contains {{ or }}').waitFor();
    await editor(page).fill('{"who": "{{alert.name}}", "value": {{value}}, "group": ');
    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'Insert variable' }).click();
    await page.getByRole('combobox', { name: 'Variables' }).fill('groupV');
    await page.getByRole('option', { name: /groupValues/ }).click();
    await editor(page).getByText('{{groupValues}}').waitFor();
    await page.keyboard.type('}');
    await sample(page).getByText('"who": "Checkout errors"').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^Delivered: status 202 in \d+ ms/).waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText('thank you').waitFor();
    const request = (await receiver.waitFor(before + 1)).at(-1);
    expect(request?.json).toEqual({ who: 'Checkout errors', value: 12, group: ['checkout'] });
    expect(request?.headers['x-token']).toBe('EXAMPLE-HEADER-VALUE');
    new Webhook(secret, { format: 'raw' }).verify(
      request?.text ?? '',
      request?.headers as Record<string, string>,
    );
    await watch.isClean();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await toastOf(page, '“draft” is created.').waitFor();
    await row(page, 'draft').getByRole('link', { name: 'draft' }).click();
    await page.getByText('Set: X-Token').waitFor();
    expect(await page.content()).not.toContain(secret);
    await keepsNothingOf(page, secret, 'EXAMPLE-HEADER-VALUE', receiver.url);
    await watch.isClean();
    await context.close();
  });

  it('is made by keyboard alone, from the palette, with completion in the template', async () => {
    const { page, watch, context } = await opened('/search');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new webhook');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/webhooks/new');
    await sample(page).getByText('"type"').waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('keys only');
    await tabTo(page, 'URL');
    await page.keyboard.type(receiver.url);
    await tabTo(page, 'Default');
    await page.keyboard.press('ArrowRight');
    await editor(page).waitFor();
    await tabTo(page, 'Template');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"text": "{{alert.na');
    await page.getByRole('option', { name: /alert\.name/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('"}');
    await sample(page).getByText('"text": "Checkout errors"').waitFor();
    await watch.isClean();
    await page.keyboard.press('Control+Enter');
    await toastOf(page, '“keys only” is created.').waitFor();
    const all = await callApi<{ name: string; body?: string }[]>(page, 'GET', '/webhooks');
    expect(all.find(({ name }) => name === 'keys only')?.body).toBe('{"text": "{{alert.name}}"}');
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('the settings of a webhook', () => {
  it('keep, replace and remove its secrets, and drop them with the URL', async () => {
    const secrets = { secret: 'EXAMPLE-FIRST-SECRET', headers: { 'X-A': '1', 'X-B': '2' } };
    const { page, watch, context, id } = await editing('secrets', secrets);
    await page.getByText('Set: X-A, X-B').waitFor();
    await page.getByRole('button', { name: 'Replace signing secret' }).click();
    await field(page, 'Signing secret').fill('whsec_short');
    await field(page, 'Signing secret').blur();
    await page.getByText('must have the base64 form').waitFor();
    await field(page, 'Signing secret').fill('EXAMPLE-SECOND-SECRET');
    await page.getByRole('button', { name: 'Remove headers' }).click();
    await page.getByText('Removed when you save').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toastOf(page, '“secrets” is saved.').waitFor();
    await page.getByRole('button', { name: 'Add header' }).waitFor();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^Delivered: status 200/).waitFor();
    const { headers, text } = (await receiver.waitFor(before + 1)).at(-1)!;
    new Webhook('EXAMPLE-SECOND-SECRET', { format: 'raw' }).verify(
      text,
      headers as Record<string, string>,
    );
    expect(headers['x-a']).toBeUndefined();
    await field(page, 'URL').fill(`${receiver.url}/moved`);
    await page.getByText('the stored credentials are dropped').waitFor();
    await watch.isClean();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('the stored credentials are dropped').waitFor({ state: 'detached' });
    const stored = await callApi<{ hasSecret?: boolean }>(page, 'GET', `/webhooks/${id}`);
    expect(stored.hasSecret).toBeUndefined();
    await keepsNothingOf(page, secrets.secret, 'EXAMPLE-SECOND-SECRET');
    await context.close();
  });

  it('say at their field what is wrong: here, and by the server', async () => {
    const { page, watch, context } = await opened('/settings/webhooks/new');
    watch.expect(/400|409/);
    await sample(page).getByText('"type"').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('must have at least 1 character').waitFor();
    expect(await field(page, 'Name').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByText('must be an http or https URL').waitFor();
    await field(page, 'Name').fill('on-call');
    await field(page, 'URL').fill('http://10.0.0.1/hook');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('alert').getByText('10.0.0.1').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('alert').getByText('10.0.0.1').waitFor();
    await field(page, 'URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('A webhook named "on-call" already exists').waitFor();
    await watch.isClean();
    await context.close();
  });

  it('tell what a receiver answered that refuses, and one that does not answer', async () => {
    const { page, watch, context } = await editing('refusing');
    receiver.reactOnce({ status: 500, body: 'out of order' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^Not delivered after \d+ ms: returned 500/).waitFor();
    await page.getByText('out of order').waitFor();
    await watch.isClean();
    receiver.reactOnce('reset');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^Not delivered after [\d,]+ ms: (?!returned)/).waitFor();
    await watch.isClean();
    await context.close();
  });

  it('show theirs and mine if another person changed them meanwhile', async () => {
    const { page, watch, context, id } = await editing('shared');
    watch.expect(/412/);
    await field(page, 'Note (optional)').fill('mine');
    await callApi(page, 'PUT', `/webhooks/${id}`, { description: 'theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '“shared” has changed' });
    await dialog.getByRole('row', { name: 'Note theirs mine' }).waitFor();
    await watch.isClean();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await toastOf(page, '“shared” is saved.').waitFor();
    const note = async () =>
      (await callApi<{ description?: string }>(page, 'GET', `/webhooks/${id}`)).description;
    expect(await note()).toBe('mine');

    await field(page, 'Note (optional)').fill('mine again');
    await callApi(page, 'PUT', `/webhooks/${id}`, { description: 'theirs again' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Open theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await field(page, 'Note (optional)').inputValue()).toBe('theirs again');
    await context.close();
  });

  it('ask before they are left with changes', async () => {
    const { page, watch, context } = await editing('left');
    await field(page, 'Name').fill('another name');
    await page.getByRole('link', { name: 'Preferences' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await field(page, 'Name').inputValue()).toBe('another name');
    await watch.isClean();
    await page.getByRole('link', { name: 'Preferences' }).click();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('a webhook', () => {
  it('is not deleted while alerts use it, and names them', async () => {
    const { page, watch, context } = await opened('/settings/webhooks');
    await page.getByRole('button', { name: 'Delete on-call' }).click();
    const used = page.getByRole('dialog', { name: '“on-call” is in use' });
    await used.getByText('Too quiet').waitFor();
    await watch.isClean();
    await used.getByRole('button', { name: 'Close' }).last().click();
    await makeWebhook(page, 'short-lived', { url: receiver.url });
    await page.reload();
    await page.getByRole('button', { name: 'Delete short-lived' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await toastOf(page, '“short-lived” is deleted.').waitFor();
    await row(page, 'short-lived').waitFor({ state: 'detached' });
    await watch.isClean();
    await context.close();
  });

  it('is tested from the list', async () => {
    const { page, watch, context } = await opened('/settings/webhooks');
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send a test to on-call' }).click();
    await toastOf(page, 'on-call: Delivered: status 200').waitFor();
    expect((await receiver.waitFor(before + 1)).at(-1)?.json).toMatchObject({ type: 'alert.test' });
    await watch.isClean();
    await context.close();
  });

  it('with hostile names, notes, parameters and answers stays text', async () => {
    const hostile = { description: hostileText, queryParams: { [hostileText]: 'x' } };
    const { page, watch, context } = await editing(hostileText, hostile);
    await page.getByText(`Set: ${hostileText}`).waitFor();
    receiver.reactOnce({ status: 200, body: hostileText });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText(hostileText).waitFor();
    await page.goto('/settings/webhooks');
    await row(page, hostileText).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Webhooks · Sightline');
    await watch.isClean();
    await context.close();
  });

  it('keeps its tab in the address, and Back leaves the page', async () => {
    const { page, watch, context } = await opened('/settings/webhooks');
    await page.getByRole('link', { name: 'on-call' }).click();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.waitForURL(/tab=deliveries/);
    const { page: other, context: second } = await opened(
      new URL(page.url()).pathname + '?tab=deliveries',
    );
    await other.getByText('Too quiet is firing').waitFor();
    await second.close();
    await page.goBack();
    await page.waitForURL(/\/settings\/webhooks$/);
    await watch.isClean();
    await context.close();
  });

  it('waits with a skeleton while its answer takes long', async () => {
    const { page, watch, context } = await world.signedIn();
    const release = await hold(page, `**/api/v2/webhooks/${firedId}`);
    await page.goto(`/settings/webhooks/${firedId}`);
    await page.locator('[aria-busy]').waitFor();
    await watch.isClean();
    await release();
    await field(page, 'Name').waitFor();
    await context.close();
  });
});
