import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Fault } from '../contract/errors.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Outcome } from '../core/verb/outcome.ts';
import type { Verb } from '../core/verb/verb.ts';
import type { Principal } from '../ports/principal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One line of an endpoint table: `['GET', '/alerts/{id}', getAlert]`. */
export type Route = readonly [method: Method, path: string, operation: AnyOperation];

export type JsonSchema = { [key: string]: unknown };

/** The described part of a surface, from which its OpenAPI document is made. */
export interface SurfaceDescription {
  name: 'open-source' | 'managed';
  title: string;
  description: string;
  /** `/api/v2`: no slash at the end. */
  basePath: string;
  routes: readonly Route[];
  /** Ids in paths that belong to no operation, because authentication looks at them. */
  pathParams?: z.ZodObject;
  security: { name: string; scheme: JsonSchema };
  /** The envelope around a result; undefined: a deletion. */
  successSchema(
    result: JsonSchema | undefined,
    kind: { isList: boolean; isMeasured: boolean },
  ): JsonSchema;
  /** Schemas of the envelope, `Error` among them. */
  components: { Error: JsonSchema; [name: string]: JsonSchema };
  /** The body of an answer as JSON text. `result` is JSON text too; undefined: a deletion. */
  ok(
    result: string | undefined,
    about: Pick<Outcome<unknown>, 'page' | 'notice' | 'statistics'>,
    requestId: string,
  ): string;
  error(fault: Fault, context: ErrorContext): object;
}

/** The parts of a request that authentication may use. Nothing of it is checked yet. */
export interface Incoming {
  authorization: string | undefined;
  /** The caller's address; behind trusted proxies the one they report. */
  address: string;
  /** Ids in the path, unchecked. */
  params: Readonly<Record<string, string>>;
  method: string;
  headers: IncomingHttpHeaders;
  operation: AnyOperation;
  requestId: string;
}

/** A described surface with its authentication and its verbs. */
export interface Surface extends SurfaceDescription {
  verbs: Readonly<Record<string, Verb>>;
  /** `WWW-Authenticate` of a 401. */
  challenge: string;
  /**
   * @throws Fault `unauthorized`, or whatever else keeps this caller out. Answered without a
   * promise where it is known already.
   */
  authenticate(incoming: Incoming): Principal | Promise<Principal>;
  /** `Set-Cookie` for the token of a session; null ends it. Only where cookies are read. */
  sessionCookie?: (token: string | null) => string;
}

/** The surface whose base path begins `path`; the first surface if there is none. */
export function surfaceOf(surfaces: readonly [Surface, ...Surface[]], path: string): Surface {
  return surfaces.find(({ basePath }) => isUnder(basePath, path)) ?? surfaces[0];
}

export const isUnder = (basePath: string, path: string): boolean =>
  path === basePath || path.startsWith(`${basePath}/`);

export interface ErrorContext {
  status: number;
  requestId: string;
  /** Path of the request, below the base path where it is. */
  path: string;
}

/** The verbs a route table needs, by operation name: leaving one out does not compile. */
export type VerbsOf<Routes extends readonly Route[]> = {
  [R in Routes[number] as R[2]['name']]: Verb<R[2]>;
};
