import type { StoredDocument } from '../../ports/store/document-store.ts';

/** `createdAt` and `updatedAt` as every record carries them. */
export function times({ createdAtMs, updatedAtMs }: StoredDocument): {
  createdAt: string;
  updatedAt: string;
} {
  return {
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The properties a caller sent: an explicit undefined would overwrite what is stored. */
export function given<T extends object>(change: T): Given<T> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

/** Without null and undefined: optional fields that are not set are left out of records. */
export function compact<T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], null | undefined> } {
  const set: Record<string, unknown> = {};
  for (const key of Object.keys(fields) as (keyof T & string)[]) {
    const value = fields[key];
    if (value !== null && value !== undefined) {
      set[key] = value;
    }
  }
  return set as { [K in keyof T]: Exclude<T[K], null | undefined> };
}
