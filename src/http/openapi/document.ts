import { z } from 'zod';
import { faultCodes, type FaultCode } from '../../contract/errors.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import type { JsonSchema, Method, SurfaceDescription } from '../surface.ts';
import { Schemas } from './schemas.ts';

export interface OpenapiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, JsonSchema>; headers: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
}

export interface OpenapiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
}

/** OpenAPI 3.1 of a surface, from the very schemas that validate. Pure: the same description gives the same document. */
export function openapiDocument(surface: SurfaceDescription): OpenapiDocument {
  const schemas = new Schemas();
  const paths: OpenapiDocument['paths'] = {};
  for (const [method, path, operation] of surface.routes) {
    (paths[path] ??= {})[method.toLowerCase()] = describe(surface, method, path, operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: surface.title, version: surface.basePath.slice(surface.basePath.lastIndexOf('/') + 1), description: surface.description },
    servers: [{ url: surface.basePath }],
    security: [{ [surface.security.name]: [] }],
    tags: [...new Set(surface.routes.map(([, , { tag }]) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(Object.entries(schemas.components).sort(([left], [right]) => left.localeCompare(right))), Error: surface.errorSchema },
      responses: Object.fromEntries(answeredCodes.map((code) => [code, errorResponse(code)])),
      headers: responseHeaders,
      securitySchemes: { [surface.security.name]: surface.security.scheme },
    },
  };
}

function describe(surface: SurfaceDescription, method: Method, path: string, operation: AnyOperation, schemas: Schemas): OpenapiOperation {
  const parameters = [...pathParameters(surface, path, operation, schemas), ...queryParameters(operation, schemas), ...headerParameters(method, operation)];
  const takesBody = !(operation.body instanceof z.ZodUndefined);
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [operation.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody && { requestBody: { required: !operation.body.isOptional(), content: { 'application/json': { schema: schemas.in(operation.body), ...(operation.example !== undefined && { example: operation.example }) } } } }),
    responses: { 200: success(surface, operation, schemas), ...errors(surface, method, operation, takesBody) },
  };
}

/** In the order of the path. */
function pathParameters({ pathParams }: SurfaceDescription, path: string, { params }: AnyOperation, schemas: Schemas): JsonSchema[] {
  const known: Record<string, unknown> = { ...pathParams?.shape, ...params.shape };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: schemas.in(known[name!] as z.ZodType) }));
}

function queryParameters({ query }: AnyOperation, schemas: Schemas): JsonSchema[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, pattern, ...rest } = schemas.in(schema as z.ZodType);
    // A number in a query string is parsed from text; the reference speaks of the number.
    if (pattern !== undefined && rest['type'] !== 'integer') rest['pattern'] = pattern;
    return { name, in: 'query', required: !(schema as z.ZodType).isOptional(), ...(description !== undefined && { description }), schema: rest };
  });
}

const isOneItem = (method: Method, { params }: AnyOperation): boolean => method !== 'GET' && method !== 'POST' && Object.keys(params.shape).length > 0;

function headerParameters(method: Method, operation: AnyOperation): JsonSchema[] {
  if (method === 'POST') return [{ name: 'Idempotency-Key', in: 'header', required: false, description: 'The same key and body within 24 hours answers the first response again', schema: { type: 'string', minLength: 1, maxLength: 255 } }];
  if (isOneItem(method, operation)) return [{ name: 'If-Match', in: 'header', required: false, description: 'The ETag of the version to change; 412 when it is stale', schema: { type: 'string' }, example: '"3"' }];
  return [];
}

function success(surface: SurfaceDescription, operation: AnyOperation, schemas: Schemas): JsonSchema {
  const { result } = operation;
  const isDeletion = result instanceof z.ZodUndefined;
  const isList = 'limit' in operation.query.shape && result instanceof z.ZodArray;
  const schema = surface.successSchema(isDeletion ? undefined : schemas.out(result), isList);
  return { description: 'Done', headers: headerRefs(['X-Request-Id', ...(isList ? ['X-Total-Count'] : isVersioned(result) ? ['ETag'] : [])]), content: { 'application/json': { schema } } };
}

/** A stored resource, rather than an answer computed for the caller. */
function isVersioned(result: z.ZodType): boolean {
  if (result instanceof z.ZodUnion) return result.options.every((option) => isVersioned(option as z.ZodType));
  return result instanceof z.ZodObject && 'id' in result.shape && 'updatedAt' in result.shape;
}

function errors(surface: SurfaceDescription, method: Method, operation: AnyOperation, takesBody: boolean): Record<string, JsonSchema> {
  const codes = new Set<FaultCode>(['bad_request', 'unauthorized', 'rate_limited', 'internal', 'unavailable', ...(operation.faults ?? [])]);
  if (surface.name === 'managed') codes.add('forbidden');
  if (method === 'POST') codes.add('conflict');
  if (takesBody) codes.add('payload_too_large').add('unsupported_media_type');
  if (isOneItem(method, operation)) codes.add('precondition_failed');
  return Object.fromEntries([...codes].map((code) => [String(faultCodes[code].status), { $ref: `#/components/responses/${code}` }]));
}

const meanings: Record<FaultCode, string> = {
  bad_request: 'The request is not valid; `errors` names every offending path',
  unauthorized: 'No valid credential was shown',
  forbidden: 'The credential may not do this',
  not_found: 'It does not exist, or belongs to somebody else',
  method_not_allowed: 'The path takes other methods, which `Allow` lists',
  conflict: 'It does not go together with what is there',
  precondition_failed: 'The version in If-Match is not the current one',
  payload_too_large: 'The body is larger than 10 MiB',
  unsupported_media_type: 'The body is not application/json',
  rate_limited: 'Too many requests; `Retry-After` says when to try again',
  internal: 'An unexpected failure',
  unavailable: 'A part of the service cannot be reached; `Retry-After` says when to try again',
  timeout: 'The query took too long',
};
const answeredCodes = Object.keys(faultCodes) as FaultCode[];

function errorResponse(code: FaultCode): JsonSchema {
  const names = ['X-Request-Id', ...(code === 'rate_limited' ? ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Policy'] : code === 'unavailable' ? ['Retry-After'] : code === 'unauthorized' ? ['WWW-Authenticate'] : [])];
  return { description: meanings[code], headers: headerRefs(names), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

const headerRefs = (names: string[]): JsonSchema => Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const header = (description: string, type: 'string' | 'integer'): JsonSchema => ({ description, schema: { type } });
const responseHeaders: Record<string, JsonSchema> = {
  'X-Request-Id': header('Unique id of the request, a UUID v4', 'string'),
  ETag: header('Version of the resource, for If-Match; single resources carry it', 'string'),
  'X-Total-Count': header('How many items there are in all', 'integer'),
  'Retry-After': header('Seconds to wait', 'integer'),
  'WWW-Authenticate': header('The scheme that is wanted', 'string'),
  'X-RateLimit-Limit': header('Requests a window allows', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in this window', 'integer'),
  'X-RateLimit-Reset': header('Seconds until the next window', 'integer'),
  'X-RateLimit-Policy': header('`<requests>;w=<seconds>`', 'string'),
};
