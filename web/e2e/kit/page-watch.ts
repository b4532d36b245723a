import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inEachTheme } from './themes.ts';

interface AxeRun {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

const wholeStandard = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
const rulesOfColour = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Collects what a page complains about. */
export class PageWatch {
  private readonly complaints: string[] = [];
  private readonly expected: RegExp[] = [];

  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  /** A complaint that the test causes, such as the browser's line about a 401. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /**
   * No error in console or scripts, no violation of the policy, none of WCAG 2.2 AA in either theme,
   * no scroll.
   */
  async isClean(): Promise<void> {
    // Through the debugger, which the policy of the page does not bind.
    await this.page.evaluate(axe.source);
    await inEachTheme(this.page, async (theme, isFirst) => {
      // Nothing but colours depends on the theme.
      expect(await this.axe(isFirst ? wholeStandard : rulesOfColour), theme).toEqual([]);
    });
    expect(this.complaints.filter((text) => !this.expected.some((one) => one.test(text)))).toEqual(
      [],
    );
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow, 'horizontal scroll').toBeLessThanOrEqual(0);
  }

  private async axe(runOnly: object): Promise<string[]> {
    const { violations } = await this.page.evaluate((only) => {
      const page = globalThis as unknown as { axe: AxeRun };
      return page.axe.run({ runOnly: only });
    }, runOnly);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }
}
