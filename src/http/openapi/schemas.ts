import { z } from 'zod';
import type { JsonSchema } from '../surface.ts';

const prefix = '#/components/schemas/';

/**
 * JSON Schemas of zod schemas, named ones collected as components. What goes in and what comes out may differ (defaults): where they do, the
 * one that comes out is called `<name>Result`.
 */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  in(schema: z.ZodType): JsonSchema {
    return this.add(schema, 'input');
  }

  out(schema: z.ZodType): JsonSchema {
    return this.add(schema, 'output');
  }

  private add(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any', override: withoutClosing }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    const names = new Map<string, string>();
    for (const [name, definition] of Object.entries($defs ?? {})) names.set(name, this.nameFor(name, definition));
    for (const [name, definition] of Object.entries($defs ?? {})) this.components[names.get(name)!] = renamed(definition, names);
    return renamed(own, names);
  }

  /** The same name while nothing else has it. */
  private nameFor(name: string, definition: JsonSchema): string {
    const taken = this.components[name];
    if (!taken) return name;
    const plain = new Map([...Object.keys(this.components), name].map((known) => [known, known]));
    return sameShape(taken, renamed(definition, plain)) ? name : `${name}Result`;
  }
}

/** Our answers may grow: a client that refuses unknown properties would break, so the schema does not tell it to. */
function withoutClosing({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

function renamed(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'id' && typeof value === 'string' && names.has(value)) return undefined;
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.slice(value.lastIndexOf('/') + 1);
    return prefix + (names.get(name) ?? name);
  })) as JsonSchema;
}

/** References to `XResult` count as references to `X`: a schema is not different for what it points at. */
function sameShape(left: JsonSchema, right: JsonSchema): boolean {
  const text = (schema: JsonSchema): string => JSON.stringify(schema).replace(/("#\/components\/schemas\/\w+?)Result"/g, '$1"');
  return text(left) === text(right);
}
