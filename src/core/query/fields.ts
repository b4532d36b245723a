import type { Column } from '../../ports/telemetry.ts';
import type { Field } from './expression/expression.ts';
import { ExpressionError } from './expression-error.ts';
import { readType, unknownType, type ValueType } from './value-type.ts';

/**
 * The columns of one table, by the names callers use. The only place where a name becomes a column: `Body`, or
 * `LogAttributes.http.method` for a key of a map column.
 */
export interface Fields {
  /** @throws ExpressionError naming the unknown column, with the nearest name there is. */
  resolve(path: string, at: number): Field;
  /** Undefined where the whole text is no column or map key. */
  find(path: string): Field | undefined;
  type(column: string): ValueType | undefined;
  readonly columns: readonly Column[];
}

/**
 * Text that can be a whole path by itself. Keys with other characters are written `Map.\`key\`` or `Map['key']`; without this
 * rule `Map.a + Map.b` would be the key `a + Map.b`.
 */
const plainPath = /^[\p{L}_][\p{L}\p{N}_.\-/:@]*$/u;

const known = new WeakMap<readonly Column[], Fields>();

/** Built once for each list of columns that the telemetry port hands out. */
export function fieldsOf(columns: readonly Column[]): Fields {
  let fields = known.get(columns);
  if (!fields) {
    known.set(columns, (fields = build(columns)));
  }
  return fields;
}

/** Takes every name: for a source whose table does not exist yet. */
export const anyField: Fields = {
  columns: [],
  type: () => undefined,
  find: (path) =>
    plainPath.test(path) ? { kind: 'column', name: path, type: unknownType } : undefined,
  resolve: (path) => ({ kind: 'column', name: path, type: unknownType }),
};

/** How many names of a table are remembered: keys of maps are as many as callers make up. */
const rememberedMax = 1000;

function build(columns: readonly Column[]): Fields {
  const types = new Map(columns.map(({ name, type }) => [name, readType(type)]));
  const found = new Map<string, Field | undefined>();
  // The same name is the same object, so that whoever compares or renders thousands of conditions can go by that.
  const find = (path: string): Field | undefined => {
    if (found.has(path)) {
      return found.get(path);
    }
    const type = types.get(path);
    const field: Field | undefined = type
      ? { kind: 'column', name: path, type }
      : mapKey(types, path);
    if (found.size >= rememberedMax) {
      found.clear();
    }
    found.set(path, field);
    return field;
  };
  return {
    columns,
    type: (column) => types.get(column),
    find: (path) => (types.has(path) || plainPath.test(path) ? find(path) : undefined),
    resolve(path, at) {
      const field = find(path);
      if (!field) {
        throw new ExpressionError(unknownColumn(path, [...types.keys()]), at);
      }
      return field;
    },
  };
}

/** The longest column name that ends at a dot wins, so that a column `a.b` beside a map `a` can be reached. */
function mapKey(types: Map<string, ValueType>, path: string): Field | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const column = path.slice(0, dot);
    const type = types.get(column);
    if (type?.base === 'map' && type.element) {
      return { kind: 'map_key', column, key: path.slice(dot + 1), type: type.element };
    }
  }
  return undefined;
}

function unknownColumn(path: string, names: string[]): string {
  const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
  const near = nearest(path.split('.')[0]!, names);
  return `unknown column "${shown}"${near === undefined ? '' : ` (did you mean "${near}${path.includes('.') ? path.slice(path.indexOf('.')) : ''}"?)`}`.slice(
    0,
    300,
  );
}

function nearest(name: string, names: string[]): string | undefined {
  const wanted = normal(name);
  if (wanted === '' || wanted.length > 64) {
    return undefined;
  }
  const ranked = names
    .map((candidate) => ({ candidate, distance: distance(wanted, normal(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best && best.distance <= Math.max(1, Math.floor(wanted.length / 3))) {
    return best.candidate;
  }
  return names.find(
    (candidate) =>
      normal(candidate).startsWith(wanted) ||
      (wanted.length > 3 && normal(candidate).includes(wanted)),
  );
}

const normal = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Edits between two short names. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row[right.length]!;
}
