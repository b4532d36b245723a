import type { Locator, Page } from 'playwright-core';
import type { InterruptWorld } from './interrupt.ts';

/** A form that makes or changes an object with a text in it. */
export interface Form {
  form: string;
  path(play: InterruptWorld): string;
  /** Opens the form and fills everything but the field. */
  open(page: Page, play: InterruptWorld): Promise<void>;
  field(page: Page): Locator;
  /** What follows the field, if the button is elsewhere. */
  goOn?(page: Page): Promise<void>;
  /** Where the page shows the text until it is saved; absent: in the field. */
  shows?(page: Page, typed: string): Locator;
  submit: string;
  /** The button of a second attempt, if it is another. */
  repeat?: string;
  /** What the API lists afterwards. */
  list(play: InterruptWorld): Promise<unknown>;
  /** The rights to it belong to admins alone. */
  isOfAdmins?: true;
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByLabel(name);

const nothing = (): Promise<void> => Promise.resolve();

const ofTeams: readonly Form[] = [
  {
    form: 'webhook editor',
    path: () => '/settings/webhooks/new',
    open: (page) => field(page, 'URL').fill('http://127.0.0.1:9/hook'),
    field: (page) => field(page, 'Name'),
    submit: 'Create webhook',
    list: ({ call }) => call('GET', '/webhooks'),
  },
  {
    form: 'saved search dialog',
    path: () => '/search',
    open: async (page) => {
      // The editor of the condition loads late, and would miss its files once the network is cut.
      await page.waitForLoadState('networkidle');
      await button(page, 'Saved searches').click();
      await button(page, 'Save this search…').click();
    },
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    submit: 'Save',
    list: ({ call }) => call('GET', '/saved-searches'),
  },
  {
    form: 'new dashboard',
    path: () => '/dashboards',
    open: (page) => button(page, 'New dashboard').first().click(),
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    submit: 'Create dashboard',
    list: ({ call }) => call('GET', '/dashboards'),
  },
  {
    form: 'name of a dashboard',
    path: ({ dashboardId }) => `/dashboards/${dashboardId}?edit=1`,
    open: (page) => button(page, 'Name, tags and filters (variables)').click(),
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    goOn: (page) => button(page, 'Done').last().click(),
    shows: (page, typed) => page.locator('h1').filter({ hasText: typed }),
    submit: 'Save',
    repeat: 'Save again',
    list: ({ call, dashboardId }) => call('GET', `/dashboards/${dashboardId}`),
  },
  {
    form: 'tile form',
    path: ({ dashboardId }) => `/dashboards/${dashboardId}?edit=1`,
    open: async (page) => {
      await button(page, 'Add tile').click();
      await page.getByRole('menuitem', { name: 'Pie' }).click();
    },
    field: (page) => page.getByRole('complementary', { name: 'Tile' }).getByLabel('Title'),
    goOn: (page) => page.keyboard.press('Tab'),
    submit: 'Save',
    repeat: 'Save again',
    list: ({ call, dashboardId }) => call('GET', `/dashboards/${dashboardId}`),
  },
  {
    form: 'maintenance window',
    path: () => '/alerts/maintenance?new=1',
    open: async (page) => {
      await field(page, 'Begin').fill('tomorrow 22:00');
      await field(page, 'End').fill('23:30');
    },
    field: (page) => field(page, 'Name'),
    submit: 'Create window',
    list: ({ call }) => call('GET', '/maintenance-windows'),
  },
  {
    form: 'alert editor',
    path: ({ searchId }) => `/alerts/new?savedSearchId=${searchId}`,
    open: async (page) => {
      await page.getByText(/^Would (not )?have fired/).waitFor();
      // A browser that knows one webhook only has chosen it already.
      if ((await button(page, 'Remove webhook on-call').count()) === 0) {
        await page.getByRole('button', { name: 'Add a webhook' }).click();
        await page.getByRole('option', { name: 'on-call' }).click();
      }
    },
    field: (page) => page.getByRole('textbox', { name: 'Name', exact: true }),
    submit: 'Create alert',
    list: ({ call }) => call('GET', '/alerts'),
  },
  {
    form: 'source form',
    path: () => '/settings/sources?new=1',
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Table', exact: true }).click();
      await page.getByRole('option', { name: /^otel_logs table/ }).click();
    },
    field: (page) => field(page, 'Name'),
    submit: 'Create source',
    list: ({ call }) => call('GET', '/sources'),
  },
];

const ofAdmins: readonly Form[] = [
  {
    form: 'invitation',
    path: () => '/settings/members',
    open: async (page) => {
      await button(page, 'Add member').click();
      await inDialog(page, 'Email').fill(`invited-${Date.now()}@example.com`);
    },
    field: (page) => inDialog(page, 'Name (optional)'),
    submit: 'Add member',
    list: ({ call }) => call('GET', '/team/members'),
  },
  {
    form: 'name of the team',
    path: () => '/settings/team',
    open: nothing,
    field: (page) => field(page, 'Name'),
    submit: 'Rename',
    list: ({ call }) => call('GET', '/session'),
  },
  {
    form: 'API key',
    path: () => '/organization?tab=keys&new=1',
    open: nothing,
    field: (page) => inDialog(page, 'Name'),
    submit: 'Create key',
    list: ({ keys }) => keys(),
  },
  {
    form: 'name of a pipe',
    path: ({ pipeId }) => `/pipes/${pipeId}?tab=settings`,
    open: (page) => button(page, 'Rename').click(),
    field: (page) => inDialog(page, 'Name'),
    submit: 'Save name',
    list: ({ pipes }) => pipes(),
  },
  {
    form: 'new pipe',
    path: () => '/pipes/new?kind=objectStorage&step=connection',
    open: openLastStep,
    field: (page) => field(page, 'Name (optional)'),
    goOn: async (page) => {
      await button(page, 'Next').click();
      await page.getByText('it can be read').waitFor();
    },
    shows: (page, typed) => page.locator('dd').filter({ hasText: typed }),
    submit: 'Create pipe',
    list: ({ pipes }) => pipes(),
  },
];

export const forms: readonly Form[] = [
  ...ofTeams,
  ...ofAdmins.map((form) => ({ ...form, isOfAdmins: true as const })),
];

let tables = 0;

/** The settings of a new pipe over the objects of the world. */
async function openLastStep(page: Page, { objects, storage }: InterruptWorld): Promise<void> {
  await enterSource(page, objects, storage.accessKey);
  await button(page, 'Check connection').click();
  await page.getByText('The connection works', { exact: true }).waitFor();
  for (const seen of [page.getByText('Bern'), page.getByText('Proposed from the sample.')]) {
    await button(page, 'Next').click();
    await seen.first().waitFor();
  }
  await button(page, 'Next').click();
  await page.getByRole('textbox', { name: 'Table', exact: true }).fill(`loaded_${++tables}`);
}

export async function enterSource(
  page: Page,
  url: string,
  key: { accessKeyId: string; secretKey: string },
): Promise<void> {
  await page.getByLabel('URL of the objects').fill(url);
  await page.getByLabel('Access key id').fill(key.accessKeyId);
  await page.getByLabel('Secret key').fill(key.secretKey);
}

/** Opens a form and types into its field. */
export async function fillForm(
  page: Page,
  form: Form,
  play: InterruptWorld,
  typed: string,
): Promise<void> {
  await form.open(page, play);
  await form.field(page).fill(typed);
  await form.goOn?.(page);
}

/** Where the page shows what was typed. */
export const shown = (page: Page, form: Form, typed: string): Locator =>
  form.shows?.(page, typed) ?? page.locator(`input[value="${typed}"]`);

/** How often the API lists the text. */
export async function storedTimes(form: Form, play: InterruptWorld, text: string): Promise<number> {
  return JSON.stringify(await form.list(play)).split(JSON.stringify(text)).length - 1;
}
