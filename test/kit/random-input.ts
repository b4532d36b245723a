import type { JsonSchema } from '../../src/http/surface.ts';
import type { OpenapiDocument } from '../../src/http/openapi/document.ts';

/** A small generator of repeatable pseudo-random numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const hostile: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  9007199254740992,
  5e-324,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '💥'.repeat(50),
  'x'.repeat(70_000),
  "'; DROP TABLE documents; --",
  '../../etc/passwd',
  '{{constructor}}',
  '${7*7}',
  '<script>',
  '%00',
  '\r\nX-Injected: 1',
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: { prototype: { polluted: true } } },
  { toString: 1, valueOf: 1 },
];

/**
 * Inputs made from an OpenAPI document: mostly well formed, often with something wrong somewhere.
 */
export class RandomInput {
  private readonly document: OpenapiDocument;
  private readonly random: () => number;
  /** Ids of things that exist, to be found again by chance. */
  readonly ids: string[] = [];
  /** How often a value is replaced by something hostile. */
  private readonly malice: number;

  constructor(document: OpenapiDocument, seed: number, malice = 0.04) {
    this.document = document;
    this.random = seeded(seed);
    this.malice = malice;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }

  /** A value for a schema, or something hostile in its place. */
  value(schema: JsonSchema, depth = 0): unknown {
    if (this.chance(this.malice)) {
      return this.pick(hostile);
    }
    const {
      $ref: reference,
      enum: options,
      const: constant,
      anyOf,
      oneOf,
      type,
    } = schema as {
      $ref?: string;
      enum?: unknown[];
      const?: unknown;
      anyOf?: JsonSchema[];
      oneOf?: JsonSchema[];
      type?: string | string[];
    };
    if (reference?.endsWith('/ObjectId')) {
      return this.id();
    }
    if (reference !== undefined) {
      return this.value(
        this.document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]!,
        depth,
      );
    }
    if (constant !== undefined) {
      return constant;
    }
    if (options) {
      return this.pick(options);
    }
    const alternatives = anyOf ?? oneOf;
    if (alternatives) {
      return this.value(this.pick(alternatives), depth);
    }
    return this.ofType(Array.isArray(type) ? this.pick(type) : type, schema, depth);
  }

  id(): string {
    const known = this.ids.length > 0 && this.chance(0.8) ? this.pick(this.ids) : undefined;
    return known ?? Array.from({ length: 24 }, () => this.pick([...'0123456789abcdef'])).join('');
  }

  private ofType(type: string | undefined, schema: JsonSchema, depth: number): unknown {
    switch (type) {
      case 'string':
        return this.text(schema);
      case 'integer':
        return Math.floor(this.number(schema));
      case 'number':
        return this.number(schema);
      case 'boolean':
        return this.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return Array.from({ length: this.length(schema, depth) }, () =>
          this.value((schema['items'] ?? {}) as JsonSchema, depth + 1),
        );
      case 'object':
        return this.object(schema, depth);
      default:
        return this.pick(hostile);
    }
  }

  private object(
    {
      properties = {},
      required = [],
      additionalProperties,
    }: {
      properties?: Record<string, JsonSchema>;
      required?: string[];
      additionalProperties?: JsonSchema;
    },
    depth: number,
  ): unknown {
    const entries = Object.entries(properties)
      .filter(([name]) =>
        required.includes(name) ? !this.chance(this.malice / 2) : this.chance(0.4),
      )
      .map(([name, schema]): [string, unknown] => [name, this.value(schema, depth + 1)]);
    if (typeof additionalProperties === 'object') {
      entries.push([
        this.pick(['X-Key', 'a', '__proto__', 'constructor', 'ü']),
        this.value(additionalProperties, depth + 1),
      ]);
    }
    if (this.chance(this.malice)) {
      entries.push([this.pick(['extra', '__proto__', 'toJSON', '$where']), this.pick(hostile)]);
    }
    // From text, so that `__proto__` is a property like any other.
    return JSON.parse(
      `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
    );
  }

  private text({
    pattern,
    format,
    minLength = 0,
    maxLength = 40,
    example,
  }: JsonSchema & {
    pattern?: string;
    format?: string;
    minLength?: number;
    maxLength?: number;
  }): string {
    if (pattern?.includes('mhd')) {
      return this.pick(['1m', '5m', '90m', '1h', '7d', '8d', '0m']);
    }
    if (format === 'date-time') {
      return this.pick([
        '2027-01-15T10:20:30Z',
        '2027-01-15T10:20:30.123+02:00',
        '2027-02-30T00:00:00Z',
        '9999-12-31T23:59:59Z',
      ]);
    }
    if (typeof example === 'string') {
      return example;
    }
    const length = Math.min(maxLength, minLength + Math.floor(this.random() * 12));
    return Array.from({ length }, () => this.pick([...'abcXYZ 09_-:."\'\\/*()<>{}[]|&ü\t'])).join(
      '',
    );
  }

  private number({
    minimum = -1000,
    maximum = 1000,
  }: JsonSchema & { minimum?: number; maximum?: number }): number {
    return this.pick([
      minimum,
      maximum,
      minimum - 1,
      maximum + 1,
      minimum + this.random() * (maximum - minimum),
    ]);
  }

  private length(
    { minItems = 0, maxItems = 5 }: JsonSchema & { minItems?: number; maxItems?: number },
    depth: number,
  ): number {
    if (this.chance(0.02)) {
      return Math.min(maxItems + 1, 600);
    }
    return Math.min(maxItems, minItems + Math.floor(this.random() * (depth > 3 ? 1 : 3)));
  }
}
