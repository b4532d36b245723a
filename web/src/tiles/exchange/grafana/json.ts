export type Json = Record<string, unknown>;

export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

/** The objects of a list; nothing if it is none. */
export function listOf(value: unknown): Json[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return list.map(objectOf).filter((one) => one !== undefined);
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
