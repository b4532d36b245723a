import type { z } from 'zod';
import type { Issue } from './errors.ts';

/**
 * The issues of a schema, by dotted path. If all alternatives of a union fail, the issues are those
 * of the alternative that matched deepest.
 */
export function schemaIssues(
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly PropertyKey[] = [],
): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const [deepest = []] = issue.errors
        .map((alternative) => schemaIssues(alternative, path))
        .sort((left, right) => depth(right) - depth(left));
      if (depth(deepest) > path.length) {
        return deepest;
      }
    }
    return [{ path: path.map(String).join('.'), message: messageOf(issue) }];
  });
}

const depth = (issues: readonly Issue[]): number =>
  Math.max(...issues.map(({ path }) => (path === '' ? 0 : path.split('.').length)));

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return 'is required';
  }
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_type') {
    return issue.message.replace('Invalid input: expected', 'must be');
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must ${bound(issue.origin, 'at most', Number(issue.maximum), issue.inclusive)}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return `must ${bound(issue.origin, 'at least', Number(issue.minimum), issue.inclusive)}`;
  }
  return issue.message;
}

const units: Record<string, string> = { string: 'character', array: 'element' };

/** The text for a bound whose schema has no message of its own. */
function bound(
  origin: string,
  direction: 'at most' | 'at least',
  limit: number,
  inclusive = true,
): string {
  const unit = units[origin];
  if (unit !== undefined) {
    return `have ${direction} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
  }
  return inclusive
    ? `be ${direction} ${limit}`
    : `be ${direction === 'at most' ? 'less' : 'more'} than ${limit}`;
}
