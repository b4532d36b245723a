import type { JsonSchema } from '../surface.ts';

const prefix = '#/components/schemas/';

type Components = Record<string, JsonSchema>;

/**
 * The same schemas, where every object and union inside another schema is a component of its own.
 * Client generators make up names for nested schemas; such names collide, or nothing is generated.
 * The name is that of the parent and the property: `AlertPreviewWindows`.
 */
export function namedParts(components: Components): Components {
  const named: Components = {};
  const usedNames = new Set(Object.keys(components).map((name) => name.toLowerCase()));
  const lift = (name: string, schema: JsonSchema): JsonSchema => {
    if (usedNames.has(name.toLowerCase())) {
      throw new TypeError(`two schemas have the name ${name}: give one of them an id`);
    }
    usedNames.add(name.toLowerCase());
    named[name] = inside(name, schema, lift);
    return { $ref: prefix + name };
  };
  for (const [name, schema] of Object.entries(components)) {
    named[name] = inside(name, schema, lift);
  }
  return withMappings(named);
}

type Lift = (name: string, schema: JsonSchema) => JsonSchema;

/** A schema whose parts are named. */
function inside(name: string, schema: JsonSchema, lift: Lift): JsonSchema {
  const { properties, items, additionalProperties } = schema as {
    properties?: Components;
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
  };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [
          key,
          part(name + capitalized(key), value, lift),
        ]),
      ),
    }),
    ...(items && { items: part(`${name}Item`, items, lift) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: part(`${name}Value`, additionalProperties, lift),
    }),
    ...unionOf(name, schema, lift),
  };
}

function unionOf(name: string, schema: JsonSchema, lift: Lift): JsonSchema {
  return Object.fromEntries(
    unionWords.flatMap((word) => {
      const members = schema[word] as JsonSchema[] | undefined;
      return members
        ? [[word, members.map((member) => part(name + memberName(member), member, lift))]]
        : [];
    }),
  );
}

const unionWords = ['anyOf', 'oneOf', 'allOf'] as const;

/** A part of a schema: a reference if it is an object or a union, with its description beside it. */
function part(name: string, schema: JsonSchema, lift: Lift): JsonSchema {
  if (!isNamed(schema)) {
    return inside(name, schema, lift);
  }
  const { description, ...rest } = schema;
  return { ...lift(name, rest), ...(description !== undefined && { description }) };
}

/** Objects with properties and unions of several types have a name. `X | null` has none. */
function isNamed(schema: JsonSchema): boolean {
  const members = unionWords.flatMap((word) => (schema[word] as JsonSchema[] | undefined) ?? []);
  return (
    schema['properties'] !== undefined || members.filter(({ type }) => type !== 'null').length > 1
  );
}

/** A member of a union is called by the value that tells it from the others. */
function memberName(member: JsonSchema): string {
  const constant = Object.values((member['properties'] as Components | undefined) ?? {}).find(
    (property) => typeof property['const'] === 'string',
  );
  return constant ? capitalized(String(constant['const'])) : '';
}

const capitalized = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Tells which values of the discriminator stand for which component. */
function withMappings(components: Components): Components {
  const named = (reference: string): JsonSchema => components[reference.slice(prefix.length)] ?? {};
  const valuesOf = (reference: string, property: string): string[] => {
    const properties = named(reference)['properties'] as Components | undefined;
    const schema = properties?.[property] ?? {};
    const { const: only, enum: all } =
      typeof schema['$ref'] === 'string' ? named(schema['$ref']) : schema;
    return only === undefined ? ((all ?? []) as string[]) : [only as string];
  };
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const discriminator = schema['discriminator'] as { propertyName: string } | undefined;
      if (!discriminator) {
        return [name, schema];
      }
      const references = (schema['oneOf'] as { $ref: string }[]).map(({ $ref }) => $ref);
      const mapping = Object.fromEntries(
        references.flatMap(($ref) =>
          valuesOf($ref, discriminator.propertyName).map((value) => [value, $ref]),
        ),
      );
      return [name, { ...schema, discriminator: { ...discriminator, mapping } }];
    }),
  );
}
