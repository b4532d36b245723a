import type { Issue } from '../contract/errors.ts';

/**
 * Properties the caller sent that parsing dropped. Works because our schemas strip what they do not know and never rename:
 * whatever is in the input but not in the output was unknown.
 */
export function unknownPaths(input: unknown, parsed: unknown, at = ''): Issue[] {
  if (typeof input !== 'object' || input === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.keys(input).flatMap((key) => {
    const path = at === '' ? key : `${at}.${key}`;
    if (!Object.hasOwn(parsed, key)) return [{ path, message: 'is not a known property' }];
    return unknownPaths((input as Record<string, unknown>)[key], (parsed as Record<string, unknown>)[key], path);
  });
}
