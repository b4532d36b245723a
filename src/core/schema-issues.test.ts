import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaIssues } from './schema-issues.ts';

const of = (schema: z.ZodType, input: unknown) => schemaIssues(schema.safeParse(input).error!.issues);

describe('schemaIssues', () => {
  it('says in words what is missing, what may be there, and what is of another type', () => {
    expect(of(z.object({ a: z.string(), b: z.enum(['x', 'y']), c: z.number() }), { b: 'z', c: '1' })).toEqual([
      { path: 'a', message: 'is required' },
      { path: 'b', message: 'must be one of x, y' },
      { path: 'c', message: 'must be number, received string' },
    ]);
  });

  it('speaks of the alternative that came furthest', () => {
    const either = z.object({ v: z.union([z.string(), z.array(z.object({ n: z.number() }))]) });
    expect(of(either, { v: [{ n: 'x' }] })).toEqual([{ path: 'v.0.n', message: 'must be number, received string' }]);
  });

  it('keeps the message of a union of which no alternative was begun', () => {
    expect(of(z.object({ v: z.union([z.string(), z.number()], 'must be text or a number') }), { v: true })).toEqual([{ path: 'v', message: 'must be text or a number' }]);
  });
});
