import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
export const section = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true });
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
export const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
export const bulk = (page: Page) => page.getByRole('group', { name: 'Selected pipes' });
export const results = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Results' }).getByRole('heading', { name });
export const menu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: /^More actions of / }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** The item is in the menu, and off with its reason. */
export const menuIsOff = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: /^More actions of / }).click();
  await page.getByRole('menu').getByText('Only an admin can change pipes.').waitFor();
  const off = page.getByRole('menuitem', { name: item });
  expect(await off.getAttribute('aria-disabled')).toBe('true');
};
