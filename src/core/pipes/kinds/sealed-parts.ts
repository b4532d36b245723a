import type { z } from 'zod';
import type { SourceSettings } from '../../../contract/pipe/source-contract.ts';
import type { SourceKind } from './source-kind.ts';

/** The sealed parts of a source, by their name in the sealed text. */
export type SealedParts = Readonly<Record<string, unknown>>;

/**
 * Splits a source into what answers may show and what must be sealed. The `record` schema of the
 * kind is the list of what may be shown: any part of the source that it does not have is sealed.
 */
export function splitSource(
  { contract, sealedNames }: SourceKind,
  source: SourceSettings,
): { shown: SourceSettings; sealed: SealedParts } {
  const sealed: Record<string, unknown> = {};
  const seal = (path: string, value: unknown): void => {
    sealed[sealedNames[path] ?? path] = value;
  };
  const shown = shownFields(source, contract.record.shape, '', { masks: contract.masks, seal });
  return { shown, sealed };
}

interface Split {
  masks: SourceKind['contract']['masks'];
  seal(path: string, value: unknown): void;
}

function shownFields(
  source: object,
  shape: z.core.$ZodShape,
  parentPath: string,
  split: Split,
): SourceSettings {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const path = joined(parentPath, name);
    const mask = Object.hasOwn(split.masks, path) ? split.masks[path] : undefined;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (value === undefined) {
      continue;
    }
    if (mask !== undefined && typeof value === 'string') {
      split.seal(path, value);
      shown[name] = mask(value);
    } else if (mask !== undefined || schema === undefined) {
      split.seal(path, value);
    } else {
      shown[name] = shownValue(value, schema, path, split);
    }
  }
  return shown;
}

function shownValue(value: unknown, schema: z.core.$ZodType, path: string, split: Split): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') {
    return shownValue(value, def.innerType, path, split);
  }
  if (def.type === 'object' && typeof value === 'object' && value !== null) {
    return shownFields(value, def.shape, path, split);
  }
  if (def.type === 'array' && Array.isArray(value)) {
    return value.map((item, wanted) =>
      shownValue(item, def.element, joined(path, String(wanted)), split),
    );
  }
  return value;
}

/** Puts a stored source together again, as it was sent. */
export function joinSource(
  { sealedNames }: SourceKind,
  shown: SourceSettings,
  sealed: SealedParts,
): SourceSettings {
  const paths = new Map(Object.entries(sealedNames).map(([path, name]) => [name, path]));
  let source = shown;
  for (const [name, value] of Object.entries(sealed)) {
    source = withPart(source, (paths.get(name) ?? name).split('.'), value);
  }
  return source;
}

function withPart(
  source: SourceSettings,
  [name, ...rest]: readonly string[],
  value: unknown,
): SourceSettings {
  if (name === undefined) {
    return source;
  }
  return { ...source, [name]: rest.length === 0 ? value : withInner(source[name], rest, value) };
}

function withInner(outer: unknown, path: readonly string[], value: unknown): unknown {
  if (!Array.isArray(outer)) {
    return withPart(isSettings(outer) ? outer : {}, path, value);
  }
  const [wanted, ...rest] = path;
  return outer.map((item: unknown, index) => {
    if (String(index) !== wanted) {
      return item;
    }
    return rest.length === 0 ? value : withInner(item, rest, value);
  });
}

export function isSettings(value: unknown): value is SourceSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
