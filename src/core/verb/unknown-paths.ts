import { z } from 'zod';
import type { Issue } from '../../contract/errors.ts';

/**
 * Properties of a body that its schema does not know and that mean something: `null` and empty
 * values do not. At the top, fields of the record that only the server sets may be repeated.
 */
export function unknownIssues(
  schema: z.core.$ZodType,
  body: unknown,
  readOnly: readonly string[] = [],
): Issue[] {
  return unknownPaths(schema, body).filter(({ path }) => !readOnly.includes(path));
}

/**
 * Properties of the input that its schema does not know, whether or not the rest is valid: so that
 * one answer can name every mistake.
 */
export function unknownPaths(schema: z.core.$ZodType, input: unknown, parent = ''): Issue[] {
  if (typeof input !== 'object' || input === null) {
    return [];
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Array.isArray(input) ? [] : ofObject(def, input, parent);
    case 'array':
      return Array.isArray(input)
        ? input.flatMap((item, index) =>
            unknownPaths(def.element, item, joined(parent, String(index))),
          )
        : [];
    case 'record':
      return Object.entries(input).flatMap(([key, item]) =>
        unknownPaths(def.valueType, item, joined(parent, key)),
      );
    case 'union':
      return ofUnion(def, input, parent);
    case 'pipe':
      return unknownPaths(def.in, input, parent);
    case 'lazy':
      return unknownPaths(def.getter(), input, parent);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unknownPaths(def.innerType, input, parent);
    default:
      return [];
  }
}

function ofObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  input: object,
  parent: string,
): Issue[] {
  return Object.entries(input).flatMap(([key, item]) => {
    const path = joined(parent, key);
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known) {
      return unknownPaths(known, item, path);
    }
    if (catchall) {
      return unknownPaths(catchall, item, path);
    }
    return isEmpty(item) ? [] : [{ path, message: 'is not a known property' }];
  });
}

/** Clients send such values for fields that are not set. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Of the alternative that is meant: the one whose discriminator fits, else the one that knows most
 * of the input.
 */
function ofUnion(
  def: z.core.$ZodUnionDef & { discriminator?: string },
  input: object,
  parent: string,
): Issue[] {
  const { discriminator } = def;
  const meant =
    discriminator === undefined
      ? def.options.filter((option) => !scalars.has((option as z.core.$ZodTypes)._zod.def.type))
      : def.options.filter((option) =>
          option._zod.propValues?.[discriminator]?.has(
            (input as Record<string, z.core.util.Primitive>)[discriminator],
          ),
        );
  const perOption = meant.map((option) => unknownPaths(option, input, parent));
  return perOption.sort((left, right) => left.length - right.length)[0] ?? [];
}

/** An object is not a mistaken text. */
const scalars: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'bigint',
  'null',
  'undefined',
  'literal',
  'enum',
  'date',
]);

const joined = (parent: string, key: string): string => (parent === '' ? key : `${parent}.${key}`);
