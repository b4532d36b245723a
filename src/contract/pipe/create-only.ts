import { z } from 'zod';

const marked = new WeakSet<z.core.$ZodType>();

/** Fields that only a creation sets, as an update takes them. */
export type CreateOnly<S extends z.core.$ZodShape, Changed extends keyof S> = {
  [K in Exclude<keyof S, Changed>]: z.ZodOptional<S[K]>;
};

/**
 * The fields of `shape` without `changed`. Clients send them back in an update: the core takes them
 * if they are empty or equal to the stored ones.
 */
export function createOnly<S extends z.core.$ZodShape, Changed extends keyof S>(
  shape: S,
  changed: readonly Changed[],
): CreateOnly<S, Changed> {
  const names: ReadonlySet<unknown> = new Set(changed);
  const fields = Object.entries(shape)
    .filter(([name]) => !names.has(name))
    .map(([name, schema]) => [name, createOnlyField(schema)] as const);
  return Object.fromEntries(fields) as CreateOnly<S, Changed>;
}

function createOnlyField(schema: z.core.$ZodType): z.core.$ZodType {
  const field = z.optional(schema).meta({
    description: 'Cannot be changed. An update may repeat the stored value.',
  });
  marked.add(field);
  return field;
}

/** Whether the update of a pipe may only repeat this field. */
export const isCreateOnly = (schema: z.core.$ZodType): boolean => marked.has(schema);
