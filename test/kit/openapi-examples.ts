import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OpenapiDocument, OpenapiOperation } from '../../src/http/openapi/document.ts';
import type { JsonSchema } from '../../src/http/surface.ts';

type Content = { content: Record<string, { schema: JsonSchema; example?: unknown }> };

/** Compiles a schema that refers to the document's components. */
export function schemaCompiler({
  components,
}: OpenapiDocument): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  return (schema) => ajv.compile({ ...schema, components });
}

/**
 * Every example of a document that its own schema refuses, and everything that should have one and
 * has none.
 */
export function wrongExamples(document: OpenapiDocument): string[] {
  const compile = schemaCompiler(document);
  const problem = (name: string, { content }: Content): string[] =>
    Object.values(content).flatMap(({ schema, example }) => {
      if (example === undefined) {
        return [`${name}: no example`];
      }
      const validate = compile(schema);
      return validate(example) ? [] : [`${name}: ${JSON.stringify(validate.errors)}`];
    });
  const ofOperation = ({ operationId, requestBody, responses }: OpenapiOperation): string[] => [
    ...(requestBody ? problem(`${operationId} body`, requestBody as unknown as Content) : []),
    ...problem(`${operationId} 200`, responses['200'] as unknown as Content),
  ];
  return [
    ...Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(ofOperation),
    ),
    ...Object.entries(document.components.responses).flatMap(([name, response]) =>
      problem(name, response as unknown as Content),
    ),
  ];
}

/** Objects, at any depth below a body, that do not say that they take no other property. */
export function openObjects(
  document: OpenapiDocument,
  schema: unknown,
  path: string,
  seen = new Set<string>(),
): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const {
    $ref: reference,
    properties,
    additionalProperties,
    example: _example,
    ...rest
  } = schema as JsonSchema & { $ref?: string; properties?: Record<string, unknown> };
  const name = reference?.slice(reference.lastIndexOf('/') + 1);
  if (name !== undefined && !seen.has(name)) {
    return openObjects(document, document.components.schemas[name], name, seen.add(name));
  }
  return [
    ...(properties !== undefined && additionalProperties !== false ? [path] : []),
    ...Object.entries({ ...properties, ...rest }).flatMap(([key, value]) =>
      openObjects(document, value, `${path}.${key}`, seen),
    ),
  ];
}
