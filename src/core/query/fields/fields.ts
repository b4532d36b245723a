import type { Column } from '../../../ports/telemetry.ts';
import type { Field } from '../expression/expression.ts';
import { ExpressionError } from './expression-error.ts';
import { readType, unknownType, type ValueType } from './value-type.ts';

/**
 * The columns of one table, by the names callers use. The only place where a name becomes a column:
 * `Body`, or `LogAttributes.http.method` for a key of a map column.
 */
export interface Fields {
  /** @throws ExpressionError naming the unknown column, with the nearest name there is. */
  resolve(path: string, position: number): Field;
  /** Undefined if the whole text is neither a column nor a map key. */
  find(path: string): Field | undefined;
  type(column: string): ValueType | undefined;
  readonly columns: readonly Column[];
}

/**
 * Text that can be a whole path by itself. Keys with other characters are written `Map.\`key\`` or
 * `Map['key']`; without this rule `Map.a + Map.b` would be the key `a + Map.b`.
 */
const plainPath = /^[\p{L}_][\p{L}\p{N}_.\-/:@]*$/u;

/** The text that names a key of a map column in conditions and expressions. */
export function mapKeyPath(column: string, key: string): string {
  const path = `${column}.${key}`;
  return plainPath.test(path) ? path : `${column}.\`${key.replace(/[\\`]/g, String.raw`\$&`)}\``;
}

const known = new WeakMap<readonly Column[], Fields>();

/** Built once for each list of columns that the telemetry port hands out. */
export function fieldsOf(columns: readonly Column[]): Fields {
  let fields = known.get(columns);
  if (!fields) {
    known.set(columns, (fields = build(columns)));
  }
  return fields;
}

/** Accepts every name. For a source whose table does not exist yet. */
export const anyField: Fields = {
  columns: [],
  type: () => undefined,
  find: (path) =>
    plainPath.test(path) ? { kind: 'column', name: path, type: unknownType } : undefined,
  resolve: (path) => ({ kind: 'column', name: path, type: unknownType }),
};

/** Maximum number of names to cache for a table. Callers may use any number of map keys. */
const cachedMax = 1000;

function build(columns: readonly Column[]): Fields {
  const types = new Map(columns.map(({ name, type }) => [name, readType(type)]));
  const cached = new Map<string, Field | undefined>();
  // The same name gives the same object, so that code which compares or renders thousands of
  // conditions can compare objects.
  const find = (path: string): Field | undefined => {
    if (cached.has(path)) {
      return cached.get(path);
    }
    const type = types.get(path);
    const field: Field | undefined = type
      ? { kind: 'column', name: path, type }
      : mapKey(types, path);
    if (cached.size >= cachedMax) {
      cached.clear();
    }
    cached.set(path, field);
    return field;
  };
  return {
    columns,
    type: (column) => types.get(column),
    find: (path) => (types.has(path) || plainPath.test(path) ? find(path) : undefined),
    resolve(path, position) {
      const field = find(path);
      if (!field) {
        throw new ExpressionError(unknownColumn(path, [...types.keys()]), position);
      }
      return field;
    },
  };
}

/**
 * The longest column name before a dot wins, so that callers can name a column `a.b` beside a map
 * `a`.
 */
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
  const dot = path.indexOf('.');
  const near = nearest(dot < 0 ? path : path.slice(0, dot), names);
  const rest = dot < 0 ? '' : path.slice(dot);
  const hint = near === undefined ? '' : ` (did you mean "${near}${rest}"?)`;
  return `unknown column "${shown}"${hint}`.slice(0, 300);
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

/** Edit distance of two short names. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const [above = 0, diagonal = 0, before = 0] = [row[j], row[j - 1], next[j - 1]];
      const replaced = diagonal + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(above + 1, before + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
