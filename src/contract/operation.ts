import type { z } from 'zod';

/** What a principal may do. Roles (managed) and memberships (open source) are sets of these. */
export const scopes = [
  'stack:read',
  'stack:write',
  'sources:write',
  'webhooks:write',
  'team:read',
  'team:write',
  'telemetry:query',
  'organization:read',
  'keys:read',
  'keys:write',
  'pipes:read',
  'pipes:write',
  'audit:read',
] as const;
export type Scope = (typeof scopes)[number];

type ObjectSchema = z.ZodObject;

/**
 * What a client may ask, free of any transport: no URL, no status, no envelope. A surface binds it to a route, a verb
 * (core) does it.
 */
export interface Operation<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  N extends string = string,
> {
  /** OpenAPI's operationId, camelCase, unique. */
  name: N;
  /** One line for a reader of the reference. */
  summary: string;
  description?: string;
  /** The resource it belongs to; groups the reference. */
  tag: string;
  scope: Scope;
  /** Ids in the path. */
  params: P;
  /** Options of a read: paging, filters. */
  query: Q;
  /** The body; `z.undefined()` where the operation takes none. */
  body: B;
  /** What is answered, before any envelope; `z.undefined()` for a deletion. */
  result: R;
  /** Fault codes this operation answers with besides those that every operation can (400, 401, 429, 500, 503). */
  faults?: readonly ('forbidden' | 'not_found' | 'conflict' | 'timeout')[];
  /** An example body, checked against the schema by a test; shown in the reference. That of an answer is in the `meta` of its schema. */
  example?: unknown;
  /** Whether the answer carries an ETag; where absent, one with `id` and `updatedAt` does. */
  versioned?: boolean;
}

export type AnyOperation = Operation;

export interface InputOf<O extends AnyOperation> {
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: z.output<O['body']>;
}
export type ResultOf<O extends AnyOperation> = z.input<O['result']>;

/** Keeps the exact types of the schemas, and the name, while checking the shape. */
export function operation<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  R extends z.ZodType,
  const N extends string,
>(declared: Operation<P, Q, B, R, N>): Operation<P, Q, B, R, N> {
  return declared;
}
