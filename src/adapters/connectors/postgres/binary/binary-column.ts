import { quoteName } from '../wire/quote.ts';
import type { ColumnMapping } from '../types/column-of.ts';
import { baseOf, type PgType } from '../types/pg-column.ts';
import { FixedColumn, type FixedType } from './fixed-column.ts';
import { fixedTypes } from './fixed-types.ts';
import type { NativeColumn } from './native-column.ts';
import { decimalType, writeNumeric } from './numeric.ts';
import type { TableMemory } from './table-memory.ts';
import { TextColumn, type WriteText } from './text-column.ts';

/** How a column is read in COPY's binary format. */
export interface BinaryColumn {
  /** Expression to select. */
  select: string;
  /** An empty column for about this many rows. */
  create(rowsHint: number, memory: TableMemory): NativeColumn;
}

/**
 * Undefined if the column can only be read as text: an array, a map or a composite. A type that
 * this process does not read in binary form is sent as its text.
 */
export function binaryColumn(
  { column, wire }: ColumnMapping,
  type: PgType,
): BinaryColumn | undefined {
  const root = rootOf(type);
  const name = quoteName(column.name);
  // The engine makes its dictionary from plain texts.
  const stored = column.type.replace(/^LowCardinality\((.*)\)$/s, '$1');
  const plain = stored.replace(/^Nullable\((.*)\)$/s, '$1');
  // Without the cast, a column whose type has changed since would be misread.
  const select = `${name}::pg_catalog.${quoteName(root.name)}`;
  const fixed = fixedType(root, plain);
  if (fixed) {
    return {
      select: `${select}${digitsOf(root, plain)}`,
      create: (rowsHint, memory) => new FixedColumn(stored, fixed, rowsHint, memory),
    };
  }
  const write = isBuiltIn(root) ? writers.get(root.name) : undefined;
  if (write) {
    return {
      select,
      create: (rowsHint, memory) => new TextColumn(stored, write, rowsHint, memory),
    };
  }
  if (plain !== 'String' || wire === 'coded') {
    return undefined;
  }
  return {
    // A cast to text would change some values: it cuts the padding of char(n), for example.
    select: `CASE WHEN ${name} IS NOT NULL THEN pg_catalog.format('%s', ${name}) END`,
    create: (rowsHint, memory) => new TextColumn(stored, copyText, rowsHint, memory),
  };
}

const rootOf = (type: PgType): PgType => (type.kind === 'domain' ? rootOf(baseOf(type)) : type);

/** Another schema's type may share the name of a built-in type but mean something else. */
const isBuiltIn = ({ kind, schema }: PgType): boolean => kind === 'base' && schema === 'pg_catalog';

function fixedType(type: PgType, stored: string): FixedType | undefined {
  if (!isBuiltIn(type)) {
    return undefined;
  }
  const digits = /^\((\d+), (\d+)\)$/.exec(digitsOf(type, stored));
  return digits ? decimalType(Number(digits[1]), Number(digits[2])) : fixedTypes.get(type.name);
}

/** `(precision, scale)` of a numeric that is stored as a Decimal. */
const digitsOf = ({ name }: PgType, stored: string): string =>
  (name === 'numeric' ? /^Decimal(.*)$/.exec(stored)?.[1] : undefined) ?? '';

const copyText: WriteText = (to, source, start, end) => {
  to.copy(source, start, end);
};

const writers: ReadonlyMap<string, WriteText> = new Map<string, WriteText>([
  ['text', copyText],
  ['varchar', copyText],
  ['bpchar', copyText],
  ['name', copyText],
  ['json', copyText],
  // A version stands in front of the text.
  ['jsonb', (to, source, start, end) => to.copy(source, start + 1, end)],
  ['bytea', (to, source, start, end) => to.text(source.toString('hex', start, end))],
  ['numeric', writeNumeric],
]);
