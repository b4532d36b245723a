import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const assets = fileURLToPath(new URL('../../dist/web/assets/', import.meta.url));
const html = readFileSync(new URL('../../dist/web/index.html', import.meta.url), 'utf8');

const kib = (bytes: number): number => Math.round(bytes / 1024);
const files = readdirSync(assets);
/** Compressed size; small files have no compressed copy. */
const sizeOf = (name: string): number => {
  const compressed = `${name}.gz`;
  return statSync(assets + (files.includes(compressed) ? compressed : name)).size;
};
const scripts = files.filter((name) => name.endsWith('.js'));

/** Files that the page itself names, and the parts of one screen. */
function firstLoad(screen: string, ending: string): number {
  const names = files.filter(
    (name) => name.endsWith(ending) && (html.includes(name) || name.startsWith(`${screen}-`)),
  );
  return kib(names.reduce((sum, name) => sum + sizeOf(name), 0));
}

describe('size of the interface', () => {
  it.each(['search', 'sign-in', 'settings', 'trace', 'welcome'])(
    'first load of %s: at most 250 KiB scripts, 20 styles',
    (screen) => {
      expect(firstLoad(screen, '.js')).toBeGreaterThan(50);
      expect(firstLoad(screen, '.js')).toBeLessThanOrEqual(250);
      expect(firstLoad(screen, '.css')).toBeLessThanOrEqual(20);
    },
  );

  it('a script that is loaded later: at most 110 KiB', () => {
    const later = scripts.filter((name) => !html.includes(name));
    for (const name of later) {
      expect(kib(sizeOf(name)), name).toBeLessThanOrEqual(110);
    }
  });

  it('has each heavy package in one script', () => {
    const withEditor = scripts.filter((name) =>
      readFileSync(assets + name, 'utf8').includes('cm-scroller'),
    );
    expect(withEditor).toHaveLength(1);
    expect(withEditor[0]).toMatch(/^where-editor-/);
  });

  it('has no script or style within the page', () => {
    expect(html).toContain('<meta name="csp-nonce" content="__NONCE__" />');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
  });
});
