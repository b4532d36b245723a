import type { Page } from 'playwright-core';

type Theme = 'light' | 'dark';

/** Calls back in the theme that the page has and in the other one, and then restores the first. */
export async function inEachTheme(
  page: Page,
  look: (theme: Theme, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const first = await page.evaluate<Theme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  const other = first === 'light' ? 'dark' : 'light';
  await look(first, true);
  await prefer(page, other);
  await look(other, false);
  await prefer(page, first);
}

async function prefer(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  // The first frame tells the page, the second has what the page drew again.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );
}
