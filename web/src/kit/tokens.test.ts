import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const [lightCss = '', darkCss = ''] = css.split(":root[data-theme='dark']");

const tokensOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [
      name,
      color,
    ]),
  );

/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const texts = ['text', 'text-2', 'accent', 'fatal', 'error', 'warn', 'info', 'debug', 'ok'];
const grounds = ['bg', 'panel', 'raise', 'selection', 'hover', 'error-soft', 'warn-soft'];
const controls = ['edge', 'bar-fatal', 'bar-error', 'bar-warn', 'bar-info', 'bar-other'];

describe.each([
  ['light', tokensOf(lightCss)],
  ['dark', tokensOf(darkCss)],
])('colours of the %s theme', (_theme, tokens) => {
  const colour = (name: string): string => tokens.get(name) ?? 'none';

  it.each(texts)('--%s is readable on every ground: 4.5 to 1', (text) => {
    for (const ground of grounds) {
      expect(contrast(colour(text), colour(ground)), ground).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(controls)('--%s can be told from the page: 3 to 1', (name) => {
    expect(contrast(colour(name), colour('bg'))).toBeGreaterThanOrEqual(3);
  });
});
