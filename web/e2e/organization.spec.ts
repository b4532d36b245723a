import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { goTo, keepsNothingOf, tabTo } from './kit/journey.ts';
import { smallTargets } from './kit/small-targets.ts';
import { hostileText, shopRecords } from './kit/telemetry.ts';
import { account, views, wide, World, type View } from './kit/world.ts';

const isMissing = browserMissing();
const first = `Deployments ${hostileText}`;
let world: World;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open();
  const { page, context } = await world.signedIn();
  await page.goto('/settings');
  await callKeys(page, 'POST', '', { name: first, roles: ['developer'] });
  await context.close();
});
afterAll(() => world?.close());

/** Calls the API below the keys of the organization, as the person of the page. */
function callKeys<T>(page: Page, method: string, path: string, body: object): Promise<T> {
  return page.evaluate(
    async ([verb, at, sent]) => {
      const session = await (await fetch('/api/v2/session')).json();
      const url = `/v1/organizations/${session.data.organizationId}/keys${at}`;
      const headers = { 'content-type': 'application/json', 'x-sightline': '1' };
      const response = await fetch(url, { method: verb, headers, body: sent });
      if (!response.ok) {
        throw new Error(await response.text());
      }
      return (await response.json()).result;
    },
    [method, path, JSON.stringify(body)] as const,
  );
}

const open = async (search = '', view: View = wide) => {
  const made = await world.signedIn(view);
  await made.page.goto(`/organization${search}`);
  return made;
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** The status that the managed API answers a program with this key. */
const statusOf = async (id: string, secret: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const response = await fetch(`${world.server.ui}/v1/organizations`, {
    headers: { authorization },
  });
  return response.status;
};

describe.skipIf(isMissing).each(views)('organization at $width px', (view) => {
  it('is whole in every part, with hostile names as text', async () => {
    const { page, watch, context } = await open('', view);
    const isWhole = async (): Promise<void> => {
      await watch.isClean();
      expect(await page.locator('img').count()).toBe(0);
      expect(view.width < 640 ? await smallTargets(page) : []).toEqual([]);
    };
    await row(page, 'Yours').waitFor();
    await isWhole();
    await tab(page, 'API keys').click();
    await row(page, first).waitFor();
    await isWhole();
    await button(page, 'New key').click();
    await dialog(page, 'New API key').getByLabel('Name').waitFor();
    await isWhole();
    await page.keyboard.press('Escape');
    await tab(page, 'Audit trail').click();
    await row(page, 'createKey').first().waitFor();
    await isWhole();
    await context.close();
  });
});

describe.skipIf(isMissing)('keys of the organization', () => {
  it('are made, shown once, changed, disabled and deleted', async () => {
    const { page, watch, context } = await open('?tab=keys');
    watch.expect(/412|ERR_FAILED/);
    await button(page, 'New key').click();
    const form = dialog(page, 'New API key');
    await form.getByLabel('Addresses').fill('127.0.0.1 This machine\n::1\n300.1.1.1');
    await button(page, 'Create key').click();
    await form.getByText('is required').waitFor();
    await form.getByText('“300.1.1.1”: must be an IPv4 or IPv6 address or CIDR').waitFor();
    await form.getByLabel('Name').fill('Backup');
    await form.getByLabel('Addresses').fill('127.0.0.0/8 This machine\n::1');
    await form.getByText('At a time').click();
    await watch.isClean();
    await page.route('**/v1/**', (route) => route.abort());
    await button(page, 'Create key').click();
    await form.getByText('The server does not answer.').waitFor();
    await page.unroute('**/v1/**');
    await page.goBack();
    await button(page, 'Stay').click();
    await page.keyboard.press('Escape');
    await button(page, 'Stay').click();
    await button(page, 'Create key').click();
    const shown = dialog(page, 'Your new key “Backup”');
    const secret = await shown.getByLabel('Key secret').innerText();
    const id = await shown.getByLabel('Key id').innerText();
    await watch.isClean();
    await button(page, 'Done').click();
    await row(page, 'Backup').getByText('127.0.0.0/8, ::1').waitFor();
    expect(await page.content()).not.toContain(secret);
    await keepsNothingOf(page, secret, id);
    expect(await statusOf(id, secret)).toBe(200);

    await button(page, 'Change Backup').click();
    const change = dialog(page, 'Change “Backup”');
    await change.getByText('Query endpoints').click();
    await change.getByText('Never').click();
    await change.getByRole('button', { name: 'Save key' }).click();
    await row(page, 'Backup').getByText('Developer, Query endpoints').last().waitFor();
    await row(page, 'Backup').getByText('Never', { exact: true }).first().waitFor();

    await button(page, 'Disable Backup').click();
    await row(page, 'Backup').getByText('Disabled', { exact: true }).waitFor();
    expect(await statusOf(id, secret)).toBe(401);
    await button(page, 'Enable Backup').click();
    await row(page, 'Backup').getByText('Enabled', { exact: true }).waitFor();
    expect(await statusOf(id, secret)).toBe(200);
    await button(page, 'Delete Backup').click();
    await button(page, 'Delete key').click();
    await page.getByText('“Backup” is deleted.').waitFor();
    await row(page, 'Backup').waitFor({ state: 'detached' });
    expect(await statusOf(id, secret)).toBe(401);
    await watch.isClean();
    await context.close();
  });

  it('keep the change of somebody else until the person chooses', async () => {
    const { page, watch, context } = await open('?tab=keys');
    watch.expect(/412/);
    const { key } = await callKeys<{ key: { id: string } }>(page, 'POST', '', { name: 'Shared' });
    await page.reload();
    await button(page, 'Change Shared').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    await callKeys(page, 'PATCH', `/${key.id}`, { name: 'Theirs' });
    await button(page, 'Save key').click();
    const conflict = dialog(page, '“Theirs” has changed');
    await conflict.getByRole('row', { name: 'Name Theirs Mine' }).waitFor();
    await watch.isClean();
    await button(page, 'Save mine').click();
    await page.getByRole('table', { name: 'API keys' }).getByText('Mine').waitFor();
    await context.close();
  });

  it('are made by keyboard alone', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await goTo(page, 'o', '/organization');
    await row(page, 'Yours').waitFor();
    await tabTo(page, 'Services');
    // The name of the tab, after the link to the screen of services.
    await tabTo(page, 'Services');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=keys/);
    await tabTo(page, 'New key');
    await page.keyboard.press('Enter');
    await dialog(page, 'New API key').locator('input:focus').waitFor();
    await page.keyboard.type('Typed');
    await page.keyboard.press('Control+Enter');
    await dialog(page, 'Your new key “Typed”').waitFor();
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await row(page, 'Typed').waitFor();
    await watch.isClean();
    await context.close();
  });
});

describe.skipIf(isMissing)('audit trail', () => {
  it('is narrowed by filters in the link, which Back drops, and saved as CSV', async () => {
    const { page, watch, context } = await world.signedIn();
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'showSaveFilePicker', { value: undefined });
    });
    await page.goto('/organization?tab=audit');
    await row(page, 'createKey').first().waitFor();
    const trail = page.getByRole('table', { name: 'Audit trail' });
    const operations = () => trail.getByRole('rowheader').allInnerTexts();
    await page.getByLabel('Operation').fill('createKey');
    await page.keyboard.press('Enter');
    await page.waitForURL(/operation=createKey/);
    await expect
      .poll(async () => (await operations()).every((text) => text.startsWith('createKey')))
      .toBe(true);
    await trail
      .getByRole('button', { name: `Only ${account.email}` })
      .first()
      .click();
    await page.waitForURL(/actorId=/);
    await page.reload();
    await row(page, 'createKey').first().waitFor();
    await watch.isClean();
    const download = page.waitForEvent('download');
    await button(page, 'Save as CSV').click();
    const text = await readFile((await (await download).path()) ?? '', 'utf8');
    const [head = '', ...lines] = text.split('\n');
    expect(head).toContain('time,actor_kind,actor_id,actor_name,operation');
    expect(lines).toHaveLength((await operations()).length);
    expect(lines.every((line) => line.includes(`${account.email},createKey,key,`))).toBe(true);
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('actorId'));
    await page.getByRole('button', { name: /^Outcome/ }).click();
    await page.getByRole('option', { name: 'Failure' }).click();
    await page.getByText('Nothing happened').waitFor();
    await watch.isClean();
    await button(page, 'Show all').click();
    await row(page, 'createSession').first().waitFor();
    await context.close();
  });
});

describe.skipIf(isMissing)('organization', () => {
  it('is renamed, and gets a service that takes telemetry', async () => {
    const { page, watch, context } = await open();
    await button(page, 'Rename the organization').click();
    await page.getByRole('dialog').getByLabel('Name').fill(`Shop ${hostileText}`);
    await button(page, 'Rename').click();
    await page.getByText(`Shop ${hostileText}`, { exact: true }).waitFor();
    await button(page, 'New service').click();
    await page.getByRole('dialog').getByLabel('Name').fill('staging');
    await button(page, 'Create service').click();
    const key = await page.getByLabel('Ingestion key').innerText();
    await watch.isClean();
    expect((await world.sendWith(key, shopRecords(Date.now(), 3))).status).toBe(200);
    await button(page, 'Done').click();
    await row(page, 'staging').getByText('Running', { exact: true }).waitFor();
    await keepsNothingOf(page, key);

    await button(page, 'Rename staging').click();
    const form = dialog(page, 'Rename “staging”');
    await form.getByLabel('Name').fill(`Rehearsal ${hostileText}`);
    await watch.isClean();
    await form.getByRole('button', { name: 'Rename', exact: true }).click();
    const renamed = row(page, `Rehearsal ${hostileText}`);
    await renamed.waitFor();
    expect(await renamed.getByText('Yours').count()).toBe(0);
    expect((await world.sendWith(key, shopRecords(Date.now(), 1))).status).toBe(200);
    const yours = await row(page, 'Yours').getByRole('rowheader').innerText();
    await page.goto('/settings/team');
    const name = await page.getByLabel('Name', { exact: true }).inputValue();
    expect(yours).toContain(name);
    expect(name).not.toContain('Rehearsal');
    await context.close();
  });

  it('says in its region what failed, and tries again', async () => {
    const { page, watch, context } = await world.signedIn();
    watch.expect(/ERR_FAILED/);
    for (const [search, call, text] of [
      ['', '**/services', 'The services cannot be listed'],
      ['?tab=keys', '**/keys', 'The keys cannot be listed'],
      ['?tab=audit', '**/activities?*', 'The audit trail cannot be read'],
    ] as const) {
      await page.route(call, (route) => route.abort());
      await page.goto(`/organization${search}`);
      await page.getByText(text).waitFor();
      await watch.isClean();
      await page.unroute(call);
      await button(page, 'Try again').click();
      await page.getByRole('table').waitFor();
    }
    await context.close();
  });

  it('shows a member its services, and says what else an admin sees', async () => {
    const { page, watch, context } = await world.joined({ email: 'reader@example.com' });
    await page.goto('/organization');
    await row(page, 'Yours').waitFor();
    for (const [name, what] of [
      ['API keys', 'API keys'],
      ['Audit trail', 'the audit trail'],
    ] as const) {
      await tab(page, name).click();
      await page.getByText(`Only an admin can see ${what}. Ask ${account.email}.`).waitFor();
    }
    await watch.isClean();
    await context.close();
  });
});
