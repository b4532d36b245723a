import { virtualFields } from '../../../contract/pipe/destination.ts';
import type { ObjectFormat } from '../../../contract/pipe/object-storage.ts';
import type { Column } from '../../../ports/telemetry.ts';
import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import { longType, wideType } from '../../../sql/wide-type.ts';
import { hasHeader, hasTuples, isOrdered } from './object-format.ts';

export interface FieldStructure {
  /** The engine's structure text: names and types of what is read. */
  text: string;
  /** The fields by their names, `_path`, `_filled` (whether any value was there), and `_etag` where that is asked for. */
  select: Sql;
  /** `_filled` tells something. */
  tells: boolean;
}

const virtual: readonly string[] = virtualFields.objectStorage;
/** Types that take NULL, so that a column that is not there can be told from an empty value. */
const nullable = /^(?:U?Int|Float|BFloat|Decimal|String|FixedString|Date|Bool|UUID|IPv[46]|Enum)/;
const numbered = /^c(\d{1,4})$/;

interface ReadField extends Column {
  /** Integers are read wider than this and cast strictly: the engine by itself would take what does not fit modulo the width. */
  strict?: string;
}

/** What to read of objects of this format for those fields. Types are texts that a checker of ours printed. */
export function fieldStructure(
  fields: readonly Column[],
  format: ObjectFormat,
  withVersions = false,
): FieldStructure {
  const real = fields.filter(({ name }) => !virtual.includes(name));
  const extra = fields
    .filter(({ name }) => virtual.includes(name) && name !== '_path')
    .map(({ name }) => identifier(name));
  const checked = hasHeader(format);
  const read = real.map(({ name, type }) =>
    readField(name, checked && nullable.test(type) ? `Nullable(${type})` : type, format),
  );
  const told = checked ? real.filter(({ type }) => nullable.test(type)) : [];
  const filled =
    told.length === 0
      ? sql`1`
      : join(
          told.map(({ name }) => sql`${identifier(name)} IS NOT NULL`),
          ' OR ',
        );
  const values = read.map(({ name, strict }) =>
    valueOf(
      name,
      hasTuples(format) && name.includes('.') ? member(name) : identifier(name),
      strict,
    ),
  );
  return {
    text: hasTuples(format)
      ? nestedText(read)
      : isOrdered(format)
        ? orderedText(read)
        : plainText(read),
    select: join(
      [
        ...values,
        ...extra,
        sql`_path`,
        sql`${filled} AS _filled`,
        ...(withVersions ? [sql`_etag`] : []),
      ],
      ', ',
    ),
    tells: told.length > 0,
  };
}

function readField(name: string, type: string, format: ObjectFormat): ReadField {
  // Avro has integers of 64 bits and no others; unsigned ones are written into it as they lie in memory, so those are left as they come.
  const wide = format === 'Avro' ? longType(type) : wideType(type);
  return wide === undefined ? { name, type } : { name, type: wide, strict: type };
}

function valueOf(name: string, value: Sql, strict: string | undefined): Sql {
  if (strict !== undefined) {
    return sql`accurateCast(${value}, ${strict}) AS ${identifier(name)}`;
  }
  return value.text === identifier(name).text ? value : sql`${value} AS ${identifier(name)}`;
}

const columnText = (name: string, type: string): string => `${identifier(name).text} ${type}`;
const plainText = (fields: readonly Column[]): string =>
  fields.map(({ name, type }) => columnText(name, type)).join(', ') || '`-` String';

/** `c1`, `c2`, … are places in a line; other names stand in the order of the destination's columns. */
function orderedText(fields: readonly Column[]): string {
  const places = fields.map(({ name }) => Number(numbered.exec(name)?.[1] ?? 0));
  if (fields.length === 0 || places.some((place) => place < 1)) {
    return plainText(fields);
  }
  const types = new Map(fields.map(({ type }, index) => [places[index]!, type]));
  return Array.from({ length: Math.max(...places) }, (_, index) =>
    columnText(`c${index + 1}`, types.get(index + 1) ?? 'String'),
  ).join(', ');
}

type Tree = Map<string, Tree | string>;

/** `a.b` is the field b of a tuple a, which may have others. */
function nestedText(fields: readonly Column[]): string {
  const root: Tree = new Map();
  for (const { name, type } of fields) {
    const parts = name.split('.');
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const next = at.get(part);
      const tree: Tree = next instanceof Map ? next : new Map();
      at.set(part, tree);
      at = tree;
    }
    if (!(at.get(parts.at(-1)!) instanceof Map)) {
      at.set(parts.at(-1)!, type);
    }
  }
  return treeText(root) || '`-` String';
}

const treeText = (tree: Tree): string =>
  [...tree]
    .map(([name, type]) =>
      columnText(name, typeof type === 'string' ? type : `Tuple(${treeText(type)})`),
    )
    .join(', ');

function member(path: string): Sql {
  const [first, ...rest] = path.split('.');
  return rest.reduce((value, part) => sql`tupleElement(${value}, ${part})`, identifier(first!));
}
