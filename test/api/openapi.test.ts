import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openapiDocument } from '../../src/http/openapi/document.ts';
import { referencePage } from '../../src/http/openapi/reference-page.ts';
import { managedDescription } from '../../src/http/surfaces/managed.ts';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { wrongExamples } from '../kit/openapi-examples.ts';

const document = openapiDocument(openDescription);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

type Schema = { [key: string]: unknown };

/** Places of objects and unions inside a component that are no component themselves. */
function unnamedParts([name, schema]: [string, Schema]): string[] {
  const parts: [string, Schema][] = [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>),
    ...(['anyOf', 'oneOf'] as const).flatMap((word) =>
      ((schema[word] ?? []) as Schema[]).map((part): [string, Schema] => [word, part]),
    ),
    ...(typeof schema['items'] === 'object'
      ? ([['items', schema['items']]] as [string, Schema][])
      : []),
  ];
  return parts.flatMap(([key, part]) => {
    const members = ((part['anyOf'] ?? part['oneOf'] ?? []) as Schema[]).filter(
      ({ type }) => type !== 'null',
    );
    const place = `${name}.${key}`;
    return part['properties'] !== undefined || members.length > 1
      ? [place]
      : unnamedParts([place, part]);
  });
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, references resolved', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const known = new Set(
      Object.entries(document.components).flatMap(([part, entries]) =>
        Object.keys(entries).map((name) => `#/components/${part}/${name}`),
      ),
    );
    for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      expect(known).toContain(reference);
    }
  });

  it.each([
    ['open-source', document],
    ['managed', openapiDocument(managedDescription)],
  ] as const)('of %s gives client generators a name for every type', (_name, { components }) => {
    const names = Object.keys(components.schemas).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(Object.entries(components.schemas).flatMap(unnamedParts)).toEqual([]);
  });

  it('has every route, each under an id of its own, with what can go wrong', () => {
    expect(operations).toHaveLength(openDescription.routes.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { responses, operationId, description } of operations) {
      expect(description, operationId).toMatch(/\S/);
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['200', '400', '401', '408', '429', '431', '500', '503']),
      );
    }
    for (const [method, path, { params }] of openDescription.routes) {
      expect(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        `${method} ${path}`,
      ).toEqual(Object.keys(params.shape));
    }
  });

  it('tells for every value of a discriminator what stands for it', () => {
    const unions = Object.entries(document.components.schemas).filter(
      ([, schema]) => schema['discriminator'] !== undefined,
    );
    expect(unions.length).toBeGreaterThan(0);
    for (const [name, { discriminator, oneOf }] of unions) {
      const { mapping } = discriminator as { mapping: Record<string, string> };
      const members = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
      expect(new Set(Object.values(mapping)), name).toEqual(new Set(members));
      expect(Object.keys(mapping), name).not.toContain('undefined');
    }
    expect(document.components.schemas['Filter']).toMatchObject({
      discriminator: {
        mapping: { field: expect.any(String), lucene: expect.any(String), sql: expect.any(String) },
      },
    });
  });

  it('shows an example of every answer and every failure, each as its schema says', () => {
    expect(wrongExamples(document)).toEqual([]);
  });

  it.each(
    openDescription.routes
      .filter(([, , { example }]) => example !== undefined)
      .map(([, , operation]) => [operation.name, operation] as const),
  )('the example of %s is one that the operation takes', (_name, operation) => {
    expect(operation.body.safeParse(operation.example).error).toBeUndefined();
  });

  it('every operation with a body has an example', () => {
    for (const { requestBody, operationId } of operations) {
      if (requestBody) {
        expect(JSON.stringify(requestBody), operationId).toContain('"example"');
      }
    }
  });

  it('comes out the same every time', () => {
    expect(JSON.stringify(openapiDocument(openDescription))).toBe(JSON.stringify(document));
  });
});

describe('the reference page', () => {
  const page = referencePage(document);

  it('has every operation and schema, and every link in it leads somewhere', () => {
    for (const { operationId } of operations) {
      expect(page).toContain(`id="${operationId}"`);
    }
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) {
      expect(ids).toContain(target);
    }
  });

  it('needs nothing from elsewhere and runs no script', () => {
    expect(page).not.toMatch(/<script|src=|https?:\/\/(?!hooks\.example\.com)/);
  });
});
