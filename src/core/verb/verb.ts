import { z } from 'zod';
import { NoParams, NoQuery } from '../../contract/common.ts';
import { Fault, invalid, type Issue } from '../../contract/errors.ts';
import type {
  AnyOperation,
  ChangeOperation,
  InputOf,
  ReadOperation,
  ResultOf,
} from '../../contract/operation.ts';
import type { Principal } from '../../ports/principal.ts';
import type { ChangeOutcome, Commit, KeepAnswer } from './change.ts';
import type { Outcome } from './outcome.ts';
import { schemaIssues } from '../../contract/schema-issues.ts';
import { unknownIssues } from './unknown-paths.ts';

/** One parsed call. */
export interface Call<O extends AnyOperation> extends InputOf<O> {
  principal: Principal;
  requestId: string;
  /** Versions the caller accepts (If-Match); undefined: any. */
  ifMatch?: readonly number[] | undefined;
  /** The name that the caller's program gives itself (`User-Agent`). */
  readonly agent?: string | undefined;
  /** Aborted when the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that may write, through `commit` only. */
export interface ChangeCall<O extends ChangeOperation> extends Call<O> {
  readonly commit: Commit;
}

/** A reading operation with the code that does it. */
export interface ReadVerb<O extends ReadOperation = ReadOperation> {
  readonly changes: false;
  readonly operation: O;
  /** Answers without a promise if the answer is in memory. */
  run(call: Call<O>): Outcome<ResultOf<O>> | Promise<Outcome<ResultOf<O>>>;
}

/** A changing operation with the code that does it. It cannot answer without an audit line. */
export interface ChangeVerb<O extends ChangeOperation = ChangeOperation> {
  readonly changes: true;
  readonly operation: O;
  run(call: ChangeCall<O>): Promise<ChangeOutcome<ResultOf<O>>>;
}

/** The verb that an operation needs: the scope of the operation decides which of the two. */
export type Verb<O extends AnyOperation = AnyOperation> = O extends ReadOperation
  ? ReadVerb<O>
  : O extends ChangeOperation
    ? ChangeVerb<O>
    : never;

export function readVerb<O extends ReadOperation>(
  operation: O,
  run: ReadVerb<O>['run'],
): ReadVerb<O> {
  return { changes: false, operation, run };
}

export function changeVerb<O extends ChangeOperation>(
  operation: O,
  run: ChangeVerb<O>['run'],
): ChangeVerb<O> {
  return { changes: true, operation, run };
}

/** A call whose input is not checked yet. */
export interface RawCall {
  principal: Principal;
  requestId: string;
  params: unknown;
  query: unknown;
  body: unknown;
  ifMatch?: readonly number[] | undefined;
  /** Set if the caller may repeat the call under the same `Idempotency-Key`. */
  readonly keepAnswer?: KeepAnswer | undefined;
  readonly agent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks the scope, parses the input, runs the verb. @throws Fault, or rejects with one. */
export function read<O extends ReadOperation>(
  verb: ReadVerb<O>,
  raw: RawCall,
): ReturnType<ReadVerb<O>['run']> {
  return verb.run(new ParsedCall<O>(admitted(verb.operation, raw), raw));
}

/** The same for a verb that changes something. @throws Fault */
export async function change<O extends ChangeOperation>(
  verb: ChangeVerb<O>,
  raw: RawCall,
  commit: Commit,
): Promise<ChangeOutcome<ResultOf<O>>> {
  return verb.run(new ParsedChange<O>(admitted(verb.operation, raw), raw, commit));
}

/** A class, so that `signal` is created only for the few verbs that ask for it. */
class ParsedCall<O extends AnyOperation> implements Call<O> {
  readonly params: Call<O>['params'];
  readonly query: Call<O>['query'];
  readonly body: Call<O>['body'];
  readonly principal: Principal;
  readonly requestId: string;
  readonly ifMatch: readonly number[] | undefined;
  readonly #raw: RawCall;

  constructor(input: InputOf<O>, raw: RawCall) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.principal = raw.principal;
    this.requestId = raw.requestId;
    this.ifMatch = raw.ifMatch;
    this.#raw = raw;
  }

  get agent(): string | undefined {
    return this.#raw.agent;
  }

  get signal(): AbortSignal | undefined {
    return this.#raw.signal;
  }
}

class ParsedChange<O extends ChangeOperation> extends ParsedCall<O> implements ChangeCall<O> {
  readonly commit: Commit;

  constructor(input: InputOf<O>, raw: RawCall, commit: Commit) {
    super(input, raw);
    this.commit = commit;
  }
}

/** The input of a call whose principal may make it. @throws Fault */
function admitted<O extends AnyOperation>(operation: O, raw: RawCall): InputOf<O> {
  const { scopes, subject } = raw.principal;
  if (!scopes.has(operation.scope)) {
    const isPerson = subject.kind === 'user';
    throw new Fault(
      'forbidden',
      `${isPerson ? 'your role' : 'this credential'} does not permit ${operation.name}: ` +
        `it needs the scope ${operation.scope}${isPerson ? '. Ask an admin of your team' : ''}`,
    );
  }
  return parse(operation, raw);
}

/** Checks all three parts of the input, so that one answer names every mistake. */
function parse<O extends AnyOperation>(operation: O, raw: RawCall): InputOf<O> {
  const params = check(operation.params, raw.params);
  const query = check(operation.query, raw.query);
  // An operation without a body ignores one.
  const body = operation.body instanceof z.ZodUndefined ? nothing : check(operation.body, raw.body);
  const unknown =
    body === nothing ? none : unknownIssues(operation.body, raw.body, operation.readOnly);
  const issues = [...params.issues, ...query.issues, ...body.issues, ...unknown];
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return { params: params.value, query: query.value, body: body.value } as InputOf<O>;
}

const none: Issue[] = [];
const nothing = { value: undefined, issues: none };
const empty = { value: Object.freeze({}), issues: none };

function check(schema: z.ZodType, input: unknown): { value: unknown; issues: Issue[] } {
  // Most operations take no options. Parsing nothing would still cost every read.
  if (schema === NoQuery || schema === NoParams) {
    return empty;
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return { value: parsed.data, issues: none };
  }
  return { value: undefined, issues: schemaIssues(parsed.error.issues) };
}
