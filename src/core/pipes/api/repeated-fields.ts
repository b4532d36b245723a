import type { z } from 'zod';
import { isCreateOnly } from '../../../contract/pipe/create-only.ts';
import type { Issue } from '../../../contract/errors.ts';
import { isSettings } from '../kinds/sealed-parts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Splits an update into the fields that it may change and those that it may only repeat. */
export function splitRepeats(
  schema: z.core.$ZodType,
  sent: Fields,
): { change: Fields; repeated: Fields } {
  const shape = shapeOf(schema);
  const change: Record<string, unknown> = {};
  const repeated: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = shape?.[name];
    if (field && isCreateOnly(field)) {
      repeated[name] = value;
    } else if (field && shapeOf(field) && isSettings(value)) {
      const inner = splitRepeats(field, value);
      change[name] = inner.change;
      repeated[name] = inner.repeated;
    } else {
      change[name] = value;
    }
  }
  return { change, repeated };
}

function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') {
    return shapeOf(def.innerType);
  }
  return def.type === 'object' ? def.shape : undefined;
}

/**
 * Fields that an update repeats with another value. Empty values say nothing, and an absent switch
 * is off.
 * @param known the fields of the pipe, with the defaults of those that it leaves out
 */
export function repeatIssues(repeated: Fields, known: Fields, parent = ''): Issue[] {
  return Object.entries(repeated).flatMap(([name, value]) => {
    const path = `${parent}${name}`;
    const current = known[name];
    if (isSettings(value)) {
      return repeatIssues(value, isSettings(current) ? current : {}, `${path}.`);
    }
    return repeats(value, current)
      ? []
      : [{ path, message: 'cannot be changed. Omit it, or create a new pipe.' }];
  });
}

function repeats(sent: unknown, current: unknown): boolean {
  if (sent === undefined || sent === null || sent === '') {
    return true;
  }
  if (Array.isArray(sent)) {
    const known: readonly unknown[] = Array.isArray(current) ? current : [];
    return (
      sent.length === 0 ||
      (sent.length === known.length && sent.every((item, index) => repeats(item, known[index])))
    );
  }
  if (isSettings(sent)) {
    return repeatIssues(sent, isSettings(current) ? current : {}).length === 0;
  }
  return sent === current || (sent === false && current === undefined);
}

/** The fields with the defaults of those that are absent, inner objects too. */
export function withDefaults(defaults: Fields, fields: Fields): Fields {
  const merged = Object.entries(defaults).map(([name, value]) => {
    const own = fields[name];
    if (isSettings(value)) {
      return [name, withDefaults(value, isSettings(own) ? own : {})] as const;
    }
    return [name, own ?? value] as const;
  });
  return { ...fields, ...Object.fromEntries(merged) };
}
