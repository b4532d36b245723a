import type { CDPSession, Page } from 'playwright-core';
import { hostileText } from './telemetry.ts';

/** Numbers from 0 to 1 that one seed repeats. Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Target {
  name: string;
  x: number;
  y: number;
  isText: boolean;
}

const keys = (
  'Escape Enter Tab Shift+Tab ArrowDown ArrowUp ArrowLeft ArrowRight Home End PageDown Space ' +
  'Control+k ? / [ ] j k f o w r c e n Shift+F Backspace'
).split(' ');
/** Second strokes of "go to". */
const places = ['s', 'e', 'd', 'm', 'v', 'a', 't', 'p', 'h'];
const texts = [
  hostileText,
  'SeverityText:ERROR',
  'ServiceName:(',
  '-1',
  '1e309',
  '2026-11-20 12:00 – now',
  'a'.repeat(300),
  'עברית 🛒 İstanbul',
];

/** What would end the walk, or a session of somebody else. */
const isLeftAlone = /^(?:Sign out|End session|End all|Replace|Deactivate|Remove .*@)/;

/** A person who clicks and types at random. Each step says what it did. */
export class Walk {
  readonly steps: string[] = [];
  private readonly page: Page;
  private readonly random: () => number;

  constructor(page: Page, random: () => number) {
    this.page = page;
    this.random = random;
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  }

  async step(): Promise<void> {
    const roll = this.random();
    if (roll < 0.65) {
      await this.click();
    } else if (roll < 0.88) {
      await this.press(this.pick(keys));
    } else if (roll < 0.95) {
      await this.press('g');
      await this.press(this.pick(places));
    } else if (roll < 0.985) {
      this.steps.push('Back');
      await this.page.goBack({ waitUntil: 'commit', timeout: 10_000 }).catch(() => null);
    } else {
      this.steps.push('reload');
      await this.page.reload();
    }
    await this.page.waitForTimeout(this.random() * 300);
  }

  private async click(): Promise<void> {
    const targets = await this.targets();
    if (targets.length === 0) {
      return;
    }
    const { name, x, y, isText } = this.pick(targets);
    this.steps.push(`click ${name}`);
    await this.page.mouse.click(x, y);
    if (isText && this.random() < 0.7) {
      const text = this.pick(texts);
      this.steps.push(`type ${text.slice(0, 40)}`);
      await this.page.keyboard.insertText(text);
      await this.press(this.random() < 0.5 ? 'Enter' : 'Tab');
    }
  }

  private async press(key: string): Promise<void> {
    this.steps.push(`press ${key}`);
    await this.page.keyboard.press(key);
  }

  /** What can be clicked, where the mouse reaches it. */
  private async targets(): Promise<Target[]> {
    const all = await this.page.evaluate(() => {
      const selector =
        'a[href], button, input, textarea, select, summary, [role], [tabindex], .cm-content, canvas';
      const found = [];
      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        const box = element.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const top = document.elementFromPoint(x, y);
        const isReached = top !== null && (element.contains(top) || top.contains(element));
        const isAway = element.matches('a[target="_blank"], a[href^="http"]');
        if (box.width > 0 && isReached && !isAway) {
          const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
          const name = text.trim().slice(0, 60);
          const isText = element.matches('input, textarea, .cm-content');
          found.push({ name: `${element.tagName.toLowerCase()} ${name}`, x, y, isText });
        }
      }
      return found;
    });
    return all.filter(({ name }) => !isLeftAlone.test(name.slice(name.indexOf(' ') + 1)));
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }
}

/** Bytes of the page's heap after a collection, and its nodes, on a page that is open anew. */
export async function heapOf(session: CDPSession): Promise<{ bytes: number; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
  return { bytes: value('JSHeapUsedSize'), nodes: value('Nodes') };
}
