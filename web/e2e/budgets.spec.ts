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

/** Files that the page itself names. */
const named = files.filter((name) => html.includes(`/assets/${name}"`));
const entry = readFileSync(assets + named.find((name) => /^index-.*\.js$/.test(name)), 'utf8');

/** For each script of a route, everything that the browser loads with it: the bundler's own list. */
function routeFiles(): Map<string, string[]> {
  const list = /m\.f=(\[[^\]]*\])/.exec(entry)?.[1] ?? '[]';
  const all = (JSON.parse(list) as string[]).map((path) => path.replace(/^assets\//, ''));
  const imports = entry.matchAll(
    /import\(.\.\/([^)]+)-[\w-]{8}\.js.\)(?:\.then\(\w=>\w\.\w\))?,__vite__mapDeps\(\[([\d,]*)\]\)/g,
  );
  return new Map(
    [...imports].map(([, name = '', indexes = '']) => [
      name,
      indexes.split(',').map((index) => all[Number(index)] ?? ''),
    ]),
  );
}

const routes = routeFiles();

/** Compressed size of all that a route loads before its first paint, in KiB. */
function firstLoad(parts: readonly string[], ending: string): number {
  const names = new Set([...named, ...parts.flatMap((part) => routes.get(part) ?? [])]);
  const sizes = [...names].filter((name) => name.endsWith(ending)).map(sizeOf);
  return kib(sizes.reduce((sum, size) => sum + size, 0));
}

/** Pages within another one load both. */
const pages: Record<string, string[]> = Object.fromEntries(
  [
    'preferences',
    'team',
    'members',
    'sources',
    'keys',
    'sessions',
    'webhooks',
    'new-webhook',
    'webhook',
  ].map((page) => [page, ['settings', page]]),
);

describe('size of the interface', () => {
  it('knows the files of every route', () => {
    const screens = [
      'sign-in',
      'join',
      'search',
      'trace',
      'welcome',
      'settings',
      'dashboards',
      'dashboard',
      'explore',
      'metrics',
      'services',
      'alerts',
      'alert',
      'maintenance',
      'new-alert',
      'edit-alert',
      'pipes',
      'new-pipe',
      'pipe',
      'health',
      'organization',
    ];
    expect([...routes.keys()]).toEqual(expect.arrayContaining([...screens, ...Object.keys(pages)]));
    for (const [route, names] of routes) {
      expect(
        names.some((name) => name.startsWith('framework-')),
        route,
      ).toBe(true);
      for (const name of names) {
        expect(files, route).toContain(name);
      }
    }
  });

  it.each([...routes.keys()])(
    'first load of %s with all its parts: at most 250 KiB scripts, 20 styles',
    (route) => {
      const parts = pages[route] ?? [route];
      expect(firstLoad(parts, '.js')).toBeGreaterThan(100);
      expect(firstLoad(parts, '.js')).toBeLessThanOrEqual(250);
      expect(firstLoad(parts, '.css')).toBeLessThanOrEqual(20);
    },
  );

  it('a script that is loaded later: at most 110 KiB', () => {
    const later = scripts.filter((name) => !html.includes(name));
    for (const name of later) {
      expect(kib(sizeOf(name)), name).toBeLessThanOrEqual(110);
    }
  });

  it.each([
    ['CodeMirror', 'cm-scroller', 'codemirror'],
    ['React', 'Minified React error', 'framework'],
    ['the virtual list', 'isScrollingResetDelay', 'framework'],
    ['Radix', 'data-radix-popper-content-wrapper', undefined],
  ])('has %s in one script', (_package, mark, script) => {
    const having = scripts.filter((name) => readFileSync(assets + name, 'utf8').includes(mark));
    expect(having.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual([
      script ?? expect.any(String),
    ]);
  });

  it('has no validator of forms in the first load of a screen to read', () => {
    const names = new Set([
      ...named,
      ...(routes.get('search') ?? []),
      ...(routes.get('trace') ?? []),
    ]);
    for (const name of [...names].filter((one) => one.endsWith('.js'))) {
      expect(readFileSync(assets + name, 'utf8'), name).not.toContain('invalid_union');
    }
  });

  it('loads charts and markdown with dashboards only', () => {
    const having = (text: string): string[] =>
      scripts.filter((name) => readFileSync(assets + name, 'utf8').includes(text));
    expect(having('u-cursor-x')).toHaveLength(1);
    expect(html).not.toContain(having('u-cursor-x')[0]);
    expect(having('labelStartLink')).toHaveLength(1);
    expect(html).not.toContain(having('labelStartLink')[0]);
  });

  it('has no script or style within the page', () => {
    expect(html).toContain('<meta name="csp-nonce" content="__NONCE__" />');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
  });
});
