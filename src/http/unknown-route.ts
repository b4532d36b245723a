import { Fault } from '../contract/errors.ts';
import type { Surface } from './surface.ts';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * The fault for a request that matches no route: 404, or 405 with `allow` if the path has routes for
 * other methods.
 */
export type UnknownRoute = (method: string, path: string) => { fault: Fault; allow?: string };

/** For every path of the surfaces, health and references. */
export function unknownRoute(surfaces: readonly Surface[]): UnknownRoute {
  const known = knownPaths(surfaces);
  return (method, path) => {
    const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const match = known.find(({ pattern }) => pattern.test(bare));
    if (!match || match.methods.has(method)) {
      return { fault: new Fault('not_found', 'No route matches this path.') };
    }
    const allow = [...match.methods].join(', ');
    return { fault: new Fault('method_not_allowed', `this path supports only ${allow}`), allow };
  };
}

function knownPaths(surfaces: readonly Surface[]): KnownPath[] {
  const byPath = new Map<string, Set<string>>();
  const add = (path: string, ...methods: string[]): void => {
    byPath.set(path, new Set([...(byPath.get(path) ?? []), ...methods]));
  };
  for (const path of ['/', '/health', '/ready', '/metrics']) {
    add(path, 'GET', 'HEAD');
  }
  for (const { basePath, routes } of surfaces) {
    add(`${basePath}/openapi.json`, 'GET', 'HEAD');
    add(`${basePath}/docs`, 'GET', 'HEAD');
    for (const [method, path] of routes) {
      add(basePath + path, ...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    }
  }
  // Fixed words before parameters: `/alerts/preview` is not the alert named preview.
  return [...byPath]
    .sort(([left], [right]) => left.split('{').length - right.split('{').length)
    .map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      methods,
    }));
}
