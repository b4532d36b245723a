import { z } from 'zod';
import { NoParams, NoQuery } from '../contract/common.ts';
import { Fault, invalid, type Issue } from '../contract/errors.ts';
import type { AnyOperation, InputOf, ResultOf } from '../contract/operation.ts';
import type { Principal } from '../ports/principal.ts';
import { schemaIssues } from './schema-issues.ts';
import { unknownPaths } from './unknown-paths.ts';

/** What a verb answers: the value, and what a surface may say about it in headers. */
export interface Outcome<T> {
  value: T;
  /** The version of the single resource; becomes its ETag. */
  version?: number;
  /** Set on lists. */
  page?: { total: number; limit: number; offset: number };
}

export type Answered<O extends AnyOperation> = Outcome<ResultOf<O>> | Promise<Outcome<ResultOf<O>>>;

/** One parsed call. */
export interface Call<O extends AnyOperation> extends InputOf<O> {
  principal: Principal;
  requestId: string;
  /** Versions the caller accepts (If-Match); undefined: any. */
  ifMatch?: readonly number[] | undefined;
  /** Aborted when the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
  /** As it came from outside: what a transaction is told. */
  readonly raw: object;
}

/** An operation with the code that does it. */
export interface Verb<O extends AnyOperation = AnyOperation> {
  operation: O;
  /** Without a promise where the answer is known already: reads of what is remembered. */
  run(call: Call<O>): Answered<O>;
  /** It names its call to every transaction it makes, and changes nothing outside of one. */
  namesItsCall?: boolean;
}

export function verb<O extends AnyOperation>(
  operation: O,
  run: Verb<O>['run'],
  traits: Pick<Verb<O>, 'namesItsCall'> = {},
): Verb<O> {
  return { operation, run, ...traits };
}

/** A call as it comes from outside: nothing of it checked yet. */
export interface RawCall {
  principal: Principal;
  requestId: string;
  params: unknown;
  query: unknown;
  body: unknown;
  /** What becomes of properties that the operation does not know. */
  unknownProperties: 'ignore' | 'refuse';
  ifMatch?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Check scope, parse, run: the same for every verb, whoever calls. @throws Fault, or answers a promise that does. */
export function invoke<O extends AnyOperation>(target: Verb<O>, raw: RawCall): Answered<O> {
  const { operation } = target;
  if (!raw.principal.scopes.has(operation.scope)) {
    throw new Fault(
      'forbidden',
      `this credential may not do ${operation.name} (it needs ${operation.scope})`,
    );
  }
  return target.run(new ParsedCall<O>(parse(operation, raw), raw));
}

/** A class because `signal` is made only when a verb asks for it, and few do. */
class ParsedCall<O extends AnyOperation> implements Call<O> {
  readonly params: Call<O>['params'];
  readonly query: Call<O>['query'];
  readonly body: Call<O>['body'];
  readonly principal: Principal;
  readonly requestId: string;
  readonly ifMatch: readonly number[] | undefined;
  readonly raw: RawCall;

  constructor(input: InputOf<O>, raw: RawCall) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.principal = raw.principal;
    this.requestId = raw.requestId;
    this.ifMatch = raw.ifMatch;
    this.raw = raw;
  }

  get signal(): AbortSignal | undefined {
    return this.raw.signal;
  }
}

/** All three parts of the input are checked before any is refused, so that one answer names every mistake. */
function parse<O extends AnyOperation>(operation: O, raw: RawCall): InputOf<O> {
  const params = check(operation.params, raw.params);
  const query = check(operation.query, raw.query);
  // An operation without a body does not look at one.
  const body = operation.body instanceof z.ZodUndefined ? nothing : check(operation.body, raw.body);
  if (
    raw.unknownProperties === 'ignore' &&
    params.issues === none &&
    query.issues === none &&
    body.issues === none
  ) {
    return { params: params.value, query: query.value, body: body.value } as InputOf<O>;
  }
  const issues = [...params.issues, ...query.issues, ...body.issues];
  if (raw.unknownProperties === 'refuse' && body !== nothing) {
    issues.push(...unknownPaths(operation.body, raw.body));
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return { params: params.value, query: query.value, body: body.value } as InputOf<O>;
}

const none: Issue[] = [];
const nothing = { value: undefined, issues: none };
const empty = { value: Object.freeze({}), issues: none };

function check(schema: z.ZodType, input: unknown): { value: unknown; issues: Issue[] } {
  // Most operations take no options: there is nothing to find wrong, and every read would pay for looking.
  if (schema === NoQuery || schema === NoParams) {
    return empty;
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return { value: parsed.data, issues: none };
  }
  return { value: undefined, issues: schemaIssues(parsed.error.issues) };
}
