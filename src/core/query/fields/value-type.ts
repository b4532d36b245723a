/** What the query engine needs to know of a ClickHouse type. */
export interface ValueType {
  base: 'string' | 'number' | 'boolean' | 'time' | 'map' | 'array' | 'other' | 'unknown';
  nullable: boolean;
  /** 64 bits and more: sums are kept in 128 bits so that they cannot wrap. */
  wide: boolean;
  /** Floats can hold NaN and infinities, which are not values. */
  float: boolean;
  /** A number with a fixed number of decimals. */
  decimal?: boolean;
  /** Type of a map's values or an array's elements. */
  element?: ValueType;
  /** For a string: whether it accepts any text. An enumeration or a fixed length does not. */
  anyText?: boolean;
  /**
   * Whether a row takes few bytes: numbers, times, dictionary-coded text. The engine tests such
   * columns first.
   */
  compact?: boolean;
  /** For a time: number of digits after the second. -1 for a date. */
  precision?: number;
}

export const unknownType: ValueType = {
  base: 'unknown',
  nullable: true,
  wide: false,
  float: false,
};
export const stringType: ValueType = { base: 'string', nullable: false, wide: false, float: false };
export const numberType: ValueType = { base: 'number', nullable: true, wide: false, float: true };
export const booleanType: ValueType = {
  base: 'boolean',
  nullable: true,
  wide: false,
  float: false,
};

/** Reads the type text the engine gives for a column. */
export function readType(text: string): ValueType {
  const [name, inner] = outer(text);
  switch (name) {
    case 'LowCardinality':
      return { ...readType(inner), compact: true };
    case 'Nullable':
      return { ...readType(inner), nullable: true };
    case 'SimpleAggregateFunction':
      return readType(splitArguments(inner)[1] ?? '');
    case 'Map':
      return { ...plain('map'), element: readType(splitArguments(inner)[1] ?? '') };
    case 'Array':
      return { ...plain('array'), element: readType(inner) };
    case 'DateTime64':
      return { ...plain('time'), compact: true, precision: Number.parseInt(inner, 10) };
    case 'DateTime':
      return { ...plain('time'), compact: true, precision: 0 };
    case 'Date':
    case 'Date32':
      return { ...plain('time'), compact: true, precision: -1 };
    case 'String':
      return { ...plain('string'), anyText: true };
    case 'FixedString':
    case 'Enum8':
    case 'Enum16':
      return plain('string');
    case 'Bool':
      return { ...plain('boolean'), compact: true };
    default:
      return numeric(name);
  }
}

const plain = (base: ValueType['base']): ValueType => ({
  base,
  nullable: false,
  wide: false,
  float: false,
});

function numeric(name: string): ValueType {
  const integer = /^U?Int(\d+)$/.exec(name);
  if (integer) {
    return { ...plain('number'), compact: true, wide: Number(integer[1]) >= 64 };
  }
  if (/^B?Float\d+$/.test(name)) {
    return { ...plain('number'), compact: true, float: true };
  }
  if (/^Decimal\d*$/.test(name)) {
    return { ...plain('number'), decimal: true };
  }
  return plain('other');
}

/** `Map(String, UInt8)` is ['Map', 'String, UInt8']. */
function outer(text: string): [string, string] {
  const open = text.indexOf('(');
  return open === -1
    ? [text.trim(), '']
    : [text.slice(0, open).trim(), text.slice(open + 1, text.lastIndexOf(')'))];
}

function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') {
      depth++;
    } else if (text[index] === ')') {
      depth--;
    } else if (text[index] === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}
