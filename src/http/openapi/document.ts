import { z } from 'zod';
import { tags, type AnyOperation } from '../../contract/operation.ts';
import type { JsonSchema, Method, SurfaceDescription } from '../surface.ts';
import { changesOneItem, failureResponses, responseHeaders, responsesOf } from './responses.ts';
import { namedParts } from './named-parts.ts';
import { Schemas } from './schemas.ts';

export interface OpenapiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, JsonSchema>;
    headers: Record<string, JsonSchema>;
    securitySchemes: Record<string, JsonSchema>;
  };
}

export interface OpenapiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  /** Empty: needs no credential. */
  security?: Record<string, string[]>[];
  responses: Record<string, JsonSchema>;
}

/**
 * OpenAPI 3.1 of a surface, from the very schemas that validate. Pure: the same description gives
 * the same document.
 */
export function openapiDocument(surface: SurfaceDescription): OpenapiDocument {
  const schemas = new Schemas();
  for (const [, , { body, params, query }] of surface.routes) {
    for (const schema of [
      body,
      ...Object.values({ ...surface.pathParams?.shape, ...params.shape, ...query.shape }),
    ]) {
      schemas.in(schema as z.ZodType);
    }
  }
  const paths: OpenapiDocument['paths'] = {};
  for (const [method, path, operation] of surface.routes) {
    (paths[path] ??= {})[method.toLowerCase()] = describe(
      surface,
      method,
      path,
      operation,
      schemas,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.basePath.slice(surface.basePath.lastIndexOf('/') + 1),
      description: surface.description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: surface.basePath }],
    security: [{ [surface.security.name]: [] }],
    tags: [...new Set(surface.routes.map(([, , { tag }]) => tag))].map((name) => ({
      name,
      description: tags[name],
    })),
    paths,
    components: {
      schemas: sorted(namedParts({ ...schemas.components, ...surface.components })),
      responses: failureResponses(surface),
      headers: responseHeaders,
      securitySchemes: {
        [surface.security.name]: surface.security.scheme,
        ...(surface.routes.some(([, , { tag }]) => tag === 'Sessions') && {
          session: sessionScheme,
        }),
      },
    },
  };
}

const sessionScheme: JsonSchema = {
  type: 'apiKey',
  in: 'cookie',
  name: 'sightline',
  description:
    'Session of a user, on the port of the web interface. ' +
    'If SIGHTLINE_PUBLIC_URL is https, the cookie is named `__Host-sightline`.',
};

const sorted = (components: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(components).sort(([left], [right]) => left.localeCompare(right)),
  );

function describe(
  surface: SurfaceDescription,
  method: Method,
  path: string,
  operation: AnyOperation,
  schemas: Schemas,
): OpenapiOperation {
  const parameters = [
    ...pathParameters(surface, path, operation, schemas),
    ...queryParameters(operation, schemas),
    ...headerParameters(method, operation),
  ];
  const takesBody = !(operation.body instanceof z.ZodUndefined);
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody && {
      requestBody: {
        required: !operation.body.isOptional(),
        content: {
          'application/json': {
            schema: schemas.in(operation.body),
            ...(operation.example !== undefined && { example: operation.example }),
          },
        },
      },
    }),
    ...(operation.tag === 'Sessions' && {
      security: operation.anonymous === true ? [] : [{ session: [] }],
    }),
    responses: responsesOf(surface, method, operation, schemas),
  };
}

/** In the order of the path. */
function pathParameters(
  { pathParams }: SurfaceDescription,
  path: string,
  { params }: AnyOperation,
  schemas: Schemas,
): JsonSchema[] {
  const known: Record<string, unknown> = { ...pathParams?.shape, ...params.shape };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.in(known[name] as z.ZodType),
  }));
}

function queryParameters({ query }: AnyOperation, schemas: Schemas): JsonSchema[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, pattern, ...rest } = schemas.in(schema as z.ZodType);
    // A number in a query string is parsed from text; the reference speaks of the number.
    if (pattern !== undefined && rest['type'] !== 'integer') {
      rest['pattern'] = pattern;
    }
    return {
      name,
      in: 'query',
      required: !(schema as z.ZodType).isOptional(),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function headerParameters(method: Method, operation: AnyOperation): JsonSchema[] {
  if (method === 'POST' && operation.anonymous !== true && operation.unkept !== true) {
    return [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'A second request with the same key and body within 24 hours returns the first response.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ];
  }
  if (changesOneItem(method, operation)) {
    return [
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'ETag of the version to change. If it is not current, the response is 412.',
        schema: { type: 'string' },
        example: '"3"',
      },
    ];
  }
  return [];
}
