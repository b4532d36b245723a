import { z } from 'zod';
import type { JsonSchema } from '../surface.ts';

const prefix = '#/components/schemas/';

type Components = Record<string, JsonSchema>;

/**
 * JSON Schemas of zod schemas, named ones collected as components. Everything that goes in has to
 * be added before anything that comes out: what comes out under a name that goes in with another
 * shape (defaults, closed objects) is called `<name>Result`.
 */
export class Schemas {
  readonly components: Components = {};
  private readonly goingIn = new Set<string>();

  /** Objects that go in say that they take no further properties. */
  in(schema: z.ZodType): JsonSchema {
    const { own, definitions } = converted(schema, 'input', close);
    for (const name of Object.keys(definitions)) {
      this.goingIn.add(name);
    }
    return this.add(
      own,
      definitions,
      new Map(Object.keys(definitions).map((name) => [name, name])),
    );
  }

  /**
   * Our answers may grow: a client that refuses unknown properties would break, so the schema does
   * not tell it to.
   */
  out(schema: z.ZodType): JsonSchema {
    const { own, definitions } = converted(schema, 'output', open);
    const other = this.differing(definitions);
    return this.add(
      own,
      definitions,
      new Map(
        Object.keys(definitions).map((name) => [name, other.has(name) ? `${name}Result` : name]),
      ),
    );
  }

  private add(
    own: JsonSchema,
    definitions: Components,
    names: ReadonlyMap<string, string>,
  ): JsonSchema {
    for (const [name, definition] of Object.entries(definitions)) {
      this.components[names.get(name) ?? name] = renamed(definition, names);
    }
    return renamed(own, names);
  }

  /** Names that stand for something else where they go in, themselves or by what they point at. */
  private differing(definitions: Components): ReadonlySet<string> {
    const same = new Map(Object.keys(definitions).map((name) => [name, name]));
    const shared = Object.entries(definitions).filter(([name]) => this.goingIn.has(name));
    const differing = new Set(
      shared
        .filter(
          ([name, definition]) =>
            JSON.stringify(this.components[name]) !== JSON.stringify(renamed(definition, same)),
        )
        .map(([name]) => name),
    );
    for (let known = -1; known !== differing.size;) {
      known = differing.size;
      for (const [name, definition] of shared) {
        if (references(definition).some((reference) => differing.has(reference))) {
          differing.add(name);
        }
      }
    }
    return differing;
  }
}

type Override = (context: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => void;

const open: Override = ({ zodSchema, jsonSchema }) => {
  simplifyUnion(zodSchema, jsonSchema);
  sizeNumber(jsonSchema);
  if (jsonSchema['additionalProperties'] === false) {
    delete jsonSchema['additionalProperties'];
  }
};

const close: Override = ({ zodSchema, jsonSchema }) => {
  simplifyUnion(zodSchema, jsonSchema);
  sizeNumber(jsonSchema);
  if (zodSchema._zod.def.type === 'object' && jsonSchema['additionalProperties'] === undefined) {
    jsonSchema['additionalProperties'] = false;
  }
};

/**
 * A union of texts in several formats is a text, and one of constants an enumeration: clients need
 * no type for each. Unions that a property tells apart name it.
 */
function simplifyUnion({ _zod: { def } }: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  if (def.type !== 'union') {
    return;
  }
  if ('discriminator' in def) {
    jsonSchema['discriminator'] = { propertyName: def.discriminator };
    return;
  }
  const all = (jsonSchema['anyOf'] ?? []) as JsonSchema[];
  const nothing = all.filter(({ type }) => type === 'null');
  const members = all.filter(({ type }) => type !== 'null');
  const [{ type } = {}] = members;
  if (
    members.length < 2 ||
    typeof type !== 'string' ||
    members.some((one) => one['type'] !== type)
  ) {
    return;
  }
  const constants = members.map((member) => member['const']);
  const simple =
    type === 'string'
      ? { type }
      : { type: constants.every(Number.isInteger) ? 'integer' : type, enum: constants };
  if (type !== 'string' && constants.includes(undefined)) {
    return;
  }
  delete jsonSchema['anyOf'];
  Object.assign(jsonSchema, nothing.length > 0 ? { anyOf: [simple, ...nothing] } : simple);
}

const int32Max = 2 ** 31 - 1;

/** Generated clients hold numbers in 32 bits unless a format says otherwise. */
function sizeNumber(jsonSchema: JsonSchema): void {
  if (jsonSchema['type'] === 'number') {
    jsonSchema['format'] ??= 'double';
  } else if (
    jsonSchema['type'] === 'integer' &&
    Number(jsonSchema['maximum'] ?? Infinity) > int32Max
  ) {
    jsonSchema['format'] ??= 'int64';
  }
}

function converted(
  schema: z.ZodType,
  io: 'input' | 'output',
  override: Override,
): { own: JsonSchema; definitions: Components } {
  const {
    $schema: _dialect,
    $defs: definitions = {},
    ...own
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override,
  }) as JsonSchema & { $defs?: Components };
  return { own, definitions };
}

function renamed(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'id' && typeof value === 'string' && names.has(value)) {
        return undefined;
      }
      if (key !== '$ref' || typeof value !== 'string') {
        return value;
      }
      const name = value.slice(value.lastIndexOf('/') + 1);
      return prefix + (names.get(name) ?? name);
    }),
  ) as JsonSchema;
}

const references = (schema: JsonSchema): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name = '']) => name);
