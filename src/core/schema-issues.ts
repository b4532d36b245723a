import type { z } from 'zod';
import type { Issue } from '../contract/errors.ts';

/** What a schema found wrong, by dotted path. Of alternatives that all failed, the one that came furthest speaks. */
export function schemaIssues(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const furthest = issue.errors.map((alternative) => schemaIssues(alternative, path)).sort((left, right) => depth(right) - depth(left))[0]!;
      if (depth(furthest) > path.length) return furthest;
    }
    return [{ path: path.map(String).join('.'), message: messageOf(issue) }];
  });
}

const depth = (issues: readonly Issue[]): number => Math.max(...issues.map(({ path }) => (path === '' ? 0 : path.split('.').length)));

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type') return issue.message.replace('Invalid input: expected', 'must be');
  return issue.message;
}
