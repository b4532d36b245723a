import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaIssues } from './schema-issues.ts';

const issuesOf = (schema: z.ZodType, input: unknown) =>
  schemaIssues(schema.safeParse(input).error?.issues ?? []);

describe('schemaIssues', () => {
  it('says in words what is missing, what may be there, and what is of another type', () => {
    expect(
      issuesOf(z.object({ a: z.string(), b: z.enum(['x', 'y']), c: z.number() }), {
        b: 'z',
        c: '1',
      }),
    ).toEqual([
      { path: 'a', message: 'is required' },
      { path: 'b', message: 'must be one of x, y' },
      { path: 'c', message: 'must be number, received string' },
    ]);
  });

  it('says bounds in words, and lets a schema say its own', () => {
    expect(
      issuesOf(
        z.object({
          a: z.string().min(1),
          b: z.string().max(3),
          c: z.array(z.string()).max(2),
          d: z.number().max(2000),
          e: z.number().gt(0),
          f: z.number().min(1, 'must be from 1'),
        }),
        { a: '', b: 'long', c: ['', '', ''], d: 5000, e: 0, f: 0 },
      ).map(({ message }) => message),
    ).toEqual([
      'must have at least 1 character',
      'must have at most 3 characters',
      'must have at most 2 elements',
      'must be at most 2000',
      'must be more than 0',
      'must be from 1',
    ]);
  });

  it('speaks of the alternative that came furthest', () => {
    const either = z.object({ v: z.union([z.string(), z.array(z.object({ n: z.number() }))]) });
    expect(issuesOf(either, { v: [{ n: 'x' }] })).toEqual([
      { path: 'v.0.n', message: 'must be number, received string' },
    ]);
  });

  it('keeps the message of a union of which no alternative was begun', () => {
    expect(
      issuesOf(z.object({ v: z.union([z.string(), z.number()], 'must be text or a number') }), {
        v: true,
      }),
    ).toEqual([{ path: 'v', message: 'must be text or a number' }]);
  });
});
