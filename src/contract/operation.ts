import type { z } from 'zod';

/** Permissions of a principal. Roles (managed) and memberships (open source) are sets of scopes. */
export const scopes = [
  'stack:read',
  'stack:write',
  'sources:write',
  'webhooks:write',
  'team:read',
  'team:write',
  'telemetry:query',
  'organization:read',
  'organization:write',
  'keys:read',
  'keys:write',
  'pipes:read',
  'pipes:write',
  'audit:read',
  'members:write',
  'demo:write',
  'server:read',
  'session:read',
  'session:write',
] as const;
export type Scope = (typeof scopes)[number];

/** The scope of an operation that changes something. Such an operation is on the audit trail. */
export type WriteScope = Extract<Scope, `${string}:write`>;
export type ReadScope = Exclude<Scope, WriteScope>;

/** Name of an operation's object in the audit trail. */
export type ObjectKind =
  | 'activity'
  | 'alert'
  | 'chart'
  | 'dashboard'
  | 'demo'
  | 'key'
  | 'maintenanceWindow'
  | 'organization'
  | 'pipe'
  | 'savedSearch'
  | 'search'
  | 'session'
  | 'source'
  | 'status'
  | 'team'
  | 'user'
  | 'webhook';

/** The groups of the reference. */
export const tags = {
  Activities: 'The audit trail: changes and rejected requests.',
  Alerts: 'Conditions that the server evaluates at an interval, and their state.',
  Charts: 'Time series over the telemetry of a source.',
  Dashboards: 'Tiles on a grid.',
  Demo: 'A simulated shop that sends telemetry to the team.',
  Keys: 'API keys of an organization.',
  'Maintenance windows': 'Times at which alerts are evaluated but send no notifications.',
  Organizations: 'Organizations and their services.',
  Pipes: 'Continuous or one-time transfers from a source into tables.',
  'Saved searches': 'Named conditions on a source.',
  Search: 'Rows of a source.',
  Services: 'Services of a trace source, and the calls between them.',
  Sessions: 'Sign-in of people on the port of the web interface.',
  Sources: 'Telemetry that charts, searches and alerts query.',
  Status: 'Health of the server and of the work for the team.',
  Team: 'The team of the caller and its credentials.',
  Webhooks: 'Receivers of notifications.',
} as const;
export type Tag = keyof typeof tags;

type ObjectSchema = z.ZodObject;

/**
 * An action of the API without transport: no URL, no status, no envelope. A surface binds it to a
 * route, and a verb (core) implements it.
 */
export interface Operation<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  N extends string = string,
  S extends Scope = Scope,
> {
  /** OpenAPI's operationId, camelCase, unique. */
  name: N;
  /** One line for the reference. */
  summary: string;
  description: string;
  /** The resource of the operation, which groups the reference. */
  tag: Tag;
  /** The scope that a credential needs. A write scope makes it a changing operation. */
  scope: S;
  /**
   * The object of the operation. `id` names the path parameter with the id of one existing object.
   */
  object: { kind: ObjectKind; id?: string };
  /** Ids in the path. */
  params: P;
  /** Options of a read: paging, filters. */
  query: Q;
  /** The body; `z.undefined()` if the operation has none. */
  body: B;
  /** The result without an envelope; `z.undefined()` for a deletion. */
  result: R;
  /**
   * Fault codes of this operation in addition to those of every operation (400, 401, 429, 500,
   * 503).
   */
  faults?: readonly ('forbidden' | 'not_found' | 'conflict' | 'timeout')[];
  /**
   * An example body for the reference, which a test checks against the schema. The example of a
   * response is in the `meta` of its schema.
   */
  example?: unknown;
  /**
   * Fields of the record that an update may repeat, because clients send back what they read. The
   * update ignores them.
   */
  readOnly?: readonly string[];
  /**
   * A read that shows a stored secret: every successful call leaves an audit line, as a change does.
   */
  showsSecret?: boolean;
  /** Needs no credential. Such an operation never keeps its answer for an `Idempotency-Key`. */
  anonymous?: boolean;
  /**
   * The response is a streamed file instead of JSON: its media types, each with an example. Such an
   * operation never keeps its answer for an `Idempotency-Key`.
   */
  file?: Readonly<Record<string, string>>;
  /** The response shows data of another system, so it is never kept for an `Idempotency-Key`. */
  unkept?: boolean;
  /** Whether the response tells the cost of its queries in headers. */
  measured?: boolean;
  /** Whether the response has an ETag. If absent, a result with `id` and `updatedAt` has one. */
  versioned?: boolean;
}

/** An operation that changes nothing. */
export type ReadOperation<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Operation<P, Q, B, R, string, ReadScope>;

/** An operation that changes something or acts on something; every call leaves an audit line. */
export type ChangeOperation<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Operation<P, Q, B, R, string, WriteScope>;

export type AnyOperation = ReadOperation | ChangeOperation;

export interface InputOf<O extends AnyOperation> {
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: z.output<O['body']>;
}
export type ResultOf<O extends AnyOperation> = z.input<O['result']>;

/** Keeps the exact types of the schemas, the name and the scope, while checking the shape. */
export function operation<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  R extends z.ZodType,
  const N extends string,
  S extends Scope,
>(
  declared: Operation<P, Q, B, R, N, S> & { object: { id?: keyof z.output<P> } },
): Operation<P, Q, B, R, N, S> {
  return declared;
}
