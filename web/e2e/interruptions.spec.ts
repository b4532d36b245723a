import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserMissing } from './kit/browser.ts';
import { callApi, logSource, makeDashboard, shopDashboard } from './kit/dashboards.ts';
import { shopRecords } from './kit/telemetry.ts';
import { account, World } from './kit/world.ts';
import { receiverAllowed } from './kit/webhooks.ts';

const isMissing = browserMissing();
const email = 'grace@example.com';
let world: World;
/** A page of the first user, who changes the role of the other. */
let admin: Page;
let memberId = '';
let dashboardId = '';

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  world = await World.open(receiverAllowed);
  await world.send(shopRecords(Date.now(), 20));
  await (await world.joined({ email, name: 'Grace', role: 'admin' })).context.close();
  admin = (await world.signedIn()).page;
  await admin.goto('/settings');
  const members = await callApi<{ id: string; email: string }[]>(admin, 'GET', '/team/members');
  memberId = members.find((member) => member.email === email)?.id ?? '';
  dashboardId = await makeDashboard(admin, shopDashboard(await logSource(admin)));
});
afterAll(() => world?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

interface Screen {
  screen: string;
  path(): string;
  /** Opens the form and fills everything but the field. */
  fill(page: Page): Promise<void>;
  field(page: Page): Locator;
  submit: string;
  /** The button of a second attempt, if it is another. */
  repeat?: string;
  /** Where the API lists what the form made. */
  list(): string;
  /** The rights to it belong to admins alone. */
  isOfAdmins?: true;
}

const screens: readonly Screen[] = [
  {
    screen: 'webhook editor',
    path: () => '/settings/webhooks/new',
    fill: (page) => field(page, 'URL').fill('http://127.0.0.1:9/hook'),
    field: (page) => field(page, 'Name'),
    submit: 'Create webhook',
    list: () => '/webhooks',
  },
  {
    screen: 'saved search dialog',
    path: () => '/search',
    fill: async (page) => {
      await button(page, 'Saved searches').click();
      await button(page, 'Save this search…').click();
    },
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    submit: 'Save',
    list: () => '/saved-searches',
  },
  {
    screen: 'new dashboard',
    path: () => '/dashboards',
    fill: (page) => button(page, 'New dashboard').first().click(),
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    submit: 'Create dashboard',
    list: () => '/dashboards',
  },
  {
    screen: 'tile form',
    path: () => `/dashboards/${dashboardId}?edit=1`,
    fill: async (page) => {
      await button(page, 'Add tile').click();
      await page.getByRole('menuitem', { name: 'Pie' }).click();
    },
    field: (page) => page.getByRole('complementary', { name: 'Tile' }).getByLabel('Title'),
    submit: 'Save',
    repeat: 'Save again',
    list: () => `/dashboards/${dashboardId}`,
  },
  {
    screen: 'maintenance window',
    path: () => '/alerts/maintenance?new=1',
    fill: async (page) => {
      await field(page, 'Begin').fill('tomorrow 22:00');
      await field(page, 'End').fill('23:30');
    },
    field: (page) => field(page, 'Name'),
    submit: 'Create window',
    list: () => '/maintenance-windows',
  },
  {
    screen: 'invitation',
    path: () => '/settings/members',
    fill: async (page) => {
      await button(page, 'Add member').click();
      await page.getByRole('dialog').getByLabel('Email').fill('invited@example.com');
    },
    field: (page) => page.getByRole('dialog').getByLabel('Name (optional)'),
    submit: 'Add member',
    list: () => '/team/members',
    isOfAdmins: true,
  },
  {
    screen: 'team settings',
    path: () => '/settings/team',
    fill: () => Promise.resolve(),
    field: (page) => field(page, 'Name'),
    submit: 'Rename',
    list: () => '/session',
    isOfAdmins: true,
  },
];

/** A page of the second admin, with a session of its own. */
async function opened(path: string) {
  const made = await world.page();
  await made.page.goto('/sign-in');
  await callApi(made.page, 'POST', '/session', { email, password: account.password });
  await made.page.goto(path);
  return made;
}

/** Ends the session on the server. The browser keeps its cookie and does not know. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const ended = await fetch(`${world.server.ui}/api/v2/session`, {
    method: 'DELETE',
    headers: { cookie, origin: world.server.ui, 'x-sightline': '1' },
  });
  expect(ended.ok).toBe(true);
}

const setRole = (role: 'admin' | 'member') =>
  callApi(admin, 'PATCH', `/team/members/${memberId}`, { role });

/** How often the API lists the name. */
async function storedTimes(list: string, name: string): Promise<number> {
  return JSON.stringify(await callApi(admin, 'GET', list)).split(JSON.stringify(name)).length - 1;
}

const message = (page: Page, text: RegExp) =>
  page.getByText(text).locator('visible=true').first().waitFor();

describe.skipIf(isMissing)('what is typed', () => {
  it.each(screens)(
    'in the $screen outlives a cut network, a lost role and the end of the session',
    async (form) => {
      const { page, watch, context } = await opened(form.path());
      watch.expect(/401|403|ERR_INTERNET_DISCONNECTED/);
      const typed = `Typed in the ${form.screen}`;
      await form.fill(page);
      await form.field(page).fill(typed);
      const submit = (name = form.repeat ?? form.submit) => button(page, name).last().click();
      const isKept = async () => expect(await form.field(page).inputValue()).toBe(typed);

      await context.setOffline(true);
      await submit(form.submit);
      await message(page, /The server does not answer/);
      await isKept();
      await context.setOffline(false);
      expect(await storedTimes(form.list(), typed)).toBe(0);

      if (form.isOfAdmins) {
        await setRole('member');
        try {
          await submit();
          await message(
            page,
            /your role does not permit .*members:write\. Ask an admin of your team/,
          );
          await isKept();
        } finally {
          await setRole('admin');
        }
      }

      await endSession(context);
      await submit();
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.getByLabel('Password').fill(account.password);
      expect(await page.locator(`input[value="${typed}"]`).count()).toBe(1);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      await expect.poll(() => storedTimes(form.list(), typed)).toBe(1);
      await watch.isClean();
      await context.close();
    },
  );
});
