import { z } from 'zod';
import { Fault, faultCodes, type FaultCode } from '../../contract/errors.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { rowLimitHeader, truncatedTrailer } from '../file-answer.ts';
import type { JsonSchema, Method, SurfaceDescription } from '../surface.ts';
import { missingShardsHeader } from './partial-result.ts';
import type { Schemas } from './schemas.ts';

const requestId = 'b1f7e6d5-4c3b-4a29-9807-16253443526a';

/** Every status an operation can answer with. */
export function responsesOf(
  surface: SurfaceDescription,
  method: Method,
  operation: AnyOperation,
  schemas: Schemas,
): Record<string, JsonSchema> {
  return { 200: success(surface, operation, schemas), ...failures(surface, method, operation) };
}

/** A change of one item: it takes If-Match. */
export const changesOneItem = (method: Method, { params }: AnyOperation): boolean =>
  method !== 'GET' && method !== 'POST' && Object.keys(params.shape).length > 0;

function success(
  surface: SurfaceDescription,
  operation: AnyOperation,
  schemas: Schemas,
): JsonSchema {
  const { result, query, file } = operation;
  if (file) {
    return fileResponse(file);
  }
  const isDeletion = result instanceof z.ZodUndefined;
  const isList = 'limit' in query.shape && result instanceof z.ZodArray;
  const schema = surface.successSchema(isDeletion ? undefined : schemas.out(result), {
    isList,
    isMeasured: operation.measured === true,
  });
  const value = isDeletion ? undefined : exampleOf(result);
  if (!isDeletion && value === undefined) {
    throw new TypeError(`the result of ${operation.name} has no example in its meta`);
  }
  const text = surface.ok(
    isDeletion ? undefined : JSON.stringify(value),
    isList ? { page: { total: 1, limit: 1000, offset: 0 } } : {},
    requestId,
  );
  return {
    description: 'Success',
    headers: headerRefs([
      'X-Request-Id',
      ...(isList ? ['X-Total-Count'] : []),
      ...(!isList && isVersioned(operation) ? ['ETag'] : []),
      ...(operation.measured
        ? ['X-Sightline-Rows-Read', 'X-Sightline-Elapsed', missingShardsHeader]
        : []),
    ]),
    content: { 'application/json': { schema, example: JSON.parse(text) as unknown } },
  };
}

function fileResponse(examples: Readonly<Record<string, string>>): JsonSchema {
  return {
    description: 'Success: the file, in chunks',
    headers: headerRefs([
      'X-Request-Id',
      'Content-Disposition',
      rowLimitHeader,
      'Trailer',
      truncatedTrailer,
    ]),
    content: Object.fromEntries(
      Object.entries(examples).map(([mediaType, example]) => [
        mediaType,
        { schema: { type: 'string' }, example },
      ]),
    ),
  };
}

function exampleOf(schema: z.ZodType): unknown {
  if (!(schema instanceof z.ZodArray)) {
    return schema.meta()?.['example'];
  }
  const element = exampleOf(schema.element as z.ZodType);
  return element === undefined ? undefined : [element];
}

/** A stored resource, rather than an answer computed for the caller. */
function isVersioned({ result, versioned }: AnyOperation): boolean {
  const stored = (schema: z.ZodType): boolean =>
    schema instanceof z.ZodUnion
      ? schema.options.every((option) => stored(option as z.ZodType))
      : schema instanceof z.ZodObject && 'id' in schema.shape && 'updatedAt' in schema.shape;
  return versioned ?? stored(result);
}

function failures(
  surface: SurfaceDescription,
  method: Method,
  operation: AnyOperation,
): Record<string, JsonSchema> {
  const names = new Set<FailureName>([
    'bad_request',
    'unauthorized',
    'request_timeout',
    'rate_limited',
    'headers_too_large',
    'internal',
    'unavailable',
    ...(operation.faults ?? []),
  ]);
  if (surface.name === 'managed') {
    names.add('forbidden');
  }
  if (method !== 'GET') {
    names.add('payload_too_large').add('unsupported_media_type');
  }
  if (method === 'POST') {
    names.add('conflict');
  }
  if (changesOneItem(method, operation)) {
    names.add('conflict').add('precondition_failed');
  }
  return Object.fromEntries(
    [...names].map((name) => [
      String(failureKinds[name].status),
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

interface FailureKind {
  status: number;
  code: FaultCode;
  meaning: string;
  /** As a caller may get it. */
  message: string;
  headers?: string[];
}

const failure = (
  code: FaultCode,
  meaning: string,
  message: string,
  headers?: string[],
): FailureKind => ({
  status: faultCodes[code].status,
  code,
  meaning,
  message,
  ...(headers && { headers }),
});
const again = ['Retry-After'];

/** The Fault codes of operations, and what the parser of HTTP answers by itself. */
const failureKinds = {
  bad_request: failure(
    'bad_request',
    'The request is invalid; `errors` lists every invalid field',
    'name: must have at least 1 character',
  ),
  unauthorized: failure(
    'unauthorized',
    'The request has no valid credential',
    'a valid credential is needed',
    ['WWW-Authenticate'],
  ),
  forbidden: failure(
    'forbidden',
    'The credential does not permit this operation',
    'this credential does not permit createAlert: it needs the scope stack:write',
  ),
  not_found: failure(
    'not_found',
    'The object does not exist or belongs to another owner',
    'alert not found',
  ),
  request_timeout: {
    status: 408,
    code: 'bad_request',
    meaning: 'The request did not arrive in time',
    message: 'the request was not complete in time',
  },
  conflict: failure(
    'conflict',
    'The request conflicts with the current state',
    'the Idempotency-Key was used for another request',
  ),
  precondition_failed: failure(
    'precondition_failed',
    'The version in `If-Match` is not current',
    'the alert has changed since it was read: get it again and repeat the change',
  ),
  payload_too_large: failure(
    'payload_too_large',
    'The body is larger than 10 MiB',
    'the body is larger than 10 MiB',
  ),
  unsupported_media_type: failure(
    'unsupported_media_type',
    'The body is not application/json',
    'the body must be application/json, not compressed',
  ),
  rate_limited: failure(
    'rate_limited',
    'Too many requests; retry after `Retry-After` seconds',
    'more than 1000 requests in 10 s: try again in 7 s',
    [
      ...again,
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-RateLimit-Policy',
    ],
  ),
  headers_too_large: {
    status: 431,
    code: 'bad_request',
    meaning: 'The path and headers together exceed 16 KiB',
    message: 'the headers are larger than 16 KiB',
  },
  internal: failure(
    'internal',
    'Unexpected server error',
    'an unexpected error occurred; quote the request id when you report it',
  ),
  unavailable: failure(
    'unavailable',
    'A required component is unavailable; retry after `Retry-After` seconds',
    'the metadata store cannot be reached',
    again,
  ),
  timeout: failure(
    'timeout',
    'The query exceeded its time limit',
    'the query took too long and was stopped: ask for a shorter range or a narrower condition',
  ),
} as const satisfies Record<
  Exclude<FaultCode, 'method_not_allowed'> | 'request_timeout' | 'headers_too_large',
  FailureKind
>;
type FailureName = keyof typeof failureKinds;

/** The answers that operations refer to, each with an example in the surface's own form. */
export function failureResponses(surface: SurfaceDescription): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(failureKinds).map(
      ([name, { status, code, meaning, message, headers = [] }]: [string, FailureKind]) => {
        const issues =
          name === 'bad_request'
            ? { issues: [{ path: 'name', message: message.slice('name: '.length) }] }
            : {};
        const example = surface.error(new Fault(code, message, issues), {
          status,
          requestId,
          path: surface.basePath,
        });
        return [
          name,
          {
            description: meaning,
            headers: headerRefs(['X-Request-Id', ...headers]),
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
            },
          },
        ];
      },
    ),
  );
}

const headerRefs = (names: string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const header = (
  description: string,
  type: 'string' | 'integer',
  example: string | number,
): JsonSchema => ({ description, schema: { type }, example });

export const responseHeaders: Record<string, JsonSchema> = {
  'X-Request-Id': header('Unique id of the request, a UUID v4', 'string', requestId),
  ETag: header(
    'Version of the resource, for `If-Match`. Responses with a single resource include it.',
    'string',
    '"3"',
  ),
  'X-Total-Count': header('Total number of items', 'integer', 1),
  'X-Sightline-Rows-Read': header(
    'Number of rows that the engine read for the request; 0 if the result was cached',
    'integer',
    120_400,
  ),
  'X-Sightline-Elapsed': header('Duration of the queries in milliseconds', 'integer', 38),
  [missingShardsHeader]: header(
    'Numbers of the shards of the ClickHouse cluster that did not respond, separated by commas. ' +
      'The result lacks their rows. Absent if the result is whole.',
    'string',
    '2',
  ),
  'Content-Disposition': header(
    'Name of the file',
    'string',
    'attachment; filename="Logs-20260101T000000Z.csv"',
  ),
  [rowLimitHeader]: header('Maximum number of rows in the file', 'integer', 1_000_000),
  Trailer: header('Names of the headers after the file', 'string', truncatedTrailer),
  [truncatedTrailer]: header(
    'After the file: `true` if more rows match than the file has',
    'string',
    'false',
  ),
  'Retry-After': header('Seconds to wait before a retry', 'integer', 5),
  'WWW-Authenticate': header(
    'Required authentication scheme',
    'string',
    'Bearer realm="sightline"',
  ),
  'X-RateLimit-Limit': header('Maximum number of requests per window', 'integer', 1000),
  'X-RateLimit-Remaining': header('Remaining requests in this window', 'integer', 998),
  'X-RateLimit-Reset': header('Seconds until the next window', 'integer', 7),
  'X-RateLimit-Policy': header('`<requests>;w=<seconds>`', 'string', '1000;w=10'),
};
