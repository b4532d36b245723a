import type { Page } from 'playwright-core';

/**
 * Controls lower than a finger. A radio button covers its label, and a switch has one to hit; the
 * heads of columns only sort and resize.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, nav a, input:not([role=switch]), [role^=menuitem]')]
      .filter((element) => !element.closest('[role=columnheader], thead'))
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0)
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.top >= 0 && Math.round(box.height) < 40)
      .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.height}`),
  );
