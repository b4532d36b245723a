import { objectStorageContract } from '../../../../contract/pipe/object-storage.ts';
import type { ObjectFormat } from '../../../../contract/pipe/object-storage.ts';
import type { Column } from '../../../../ports/telemetry.ts';
import { identifier, join, sql, type Sql } from '../../../../sql/sql.ts';
import { longType, wideType } from '../../../../sql/wide-type.ts';
import { hasHeader, hasTuples, isOrdered } from './object-format.ts';

export interface FieldStructure {
  /** The engine's structure text: names and types of what is read. */
  text: string;
  /**
   * The fields by their names, `_path`, `_filled` (whether any value was there), and `_etag` where
   * that is asked for.
   */
  select: Sql;
  /** `_filled` can be 0. */
  tells: boolean;
}

const virtual: readonly string[] = objectStorageContract.virtualFields;
/** Types that take NULL, which distinguishes a missing column from an empty value. */
const nullable = /^(?:U?Int|Float|BFloat|Decimal|String|FixedString|Date|Bool|UUID|IPv[46]|Enum)/;
const numbered = /^c(\d{1,4})$/;

interface ReadField extends Column {
  /**
   * Integers are read wider than this type and cast strictly: the engine would store a value that
   * does not fit modulo the width.
   */
  strict?: string;
}

/** What to read from objects of this format for these fields. The types were checked and printed. */
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
  const detectable = checked ? real.filter(({ type }) => nullable.test(type)) : [];
  const isFilled = detectable.map(({ name }) => sql`${identifier(name)} IS NOT NULL`);
  const filled = isFilled.length === 0 ? sql`1` : join(isFilled, ' OR ');
  const values = read.map(({ name, strict }) =>
    valueOf(
      name,
      hasTuples(format) && name.includes('.') ? member(name) : identifier(name),
      strict,
    ),
  );
  return {
    text: structureText(read, format),
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
    tells: detectable.length > 0,
  };
}

function structureText(fields: readonly Column[], format: ObjectFormat): string {
  if (hasTuples(format)) {
    return nestedText(fields);
  }
  return isOrdered(format) ? orderedText(fields) : plainText(fields);
}

function readField(name: string, type: string, format: ObjectFormat): ReadField {
  // Avro has only integers of 64 bits. Writers store unsigned ones by their bits, so those stay
  // unchanged.
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

/** `c1`, `c2`, … are places in a line; other names follow the order of the destination's columns. */
function orderedText(fields: readonly Column[]): string {
  const types = new Map(
    fields.map(({ name, type }) => [Number(numbered.exec(name)?.[1] ?? 0), type]),
  );
  const places = [...types.keys()];
  if (fields.length === 0 || places.some((place) => place < 1)) {
    return plainText(fields);
  }
  return Array.from({ length: Math.max(...places) }, (_, index) =>
    columnText(`c${index + 1}`, types.get(index + 1) ?? 'String'),
  ).join(', ');
}

type Tree = Map<string, Tree | string>;

/** `a.b` is the field b of a tuple a, which may have more fields. */
function nestedText(fields: readonly Column[]): string {
  const root: Tree = new Map();
  for (const { name, type } of fields) {
    const parents = name.split('.');
    const member = parents.pop() ?? '';
    let tree = root;
    for (const parent of parents) {
      const known = tree.get(parent);
      const inner: Tree = known instanceof Map ? known : new Map();
      tree.set(parent, inner);
      tree = inner;
    }
    if (!(tree.get(member) instanceof Map)) {
      tree.set(member, type);
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
  const [first = '', ...rest] = path.split('.');
  return rest.reduce((value, part) => sql`tupleElement(${value}, ${part})`, identifier(first));
}
