/** What may stand in a piece of SQL besides other SQL; quoted by `literal`. */
export type Quotable = string | number | bigint | boolean | null;

const made = Symbol('made');

/**
 * ClickHouse SQL that is safe to run: written in this project's source, every value in it quoted by
 * this module. Made only by the functions below, so that caller text cannot become a statement by
 * accident.
 */
export class Sql {
  readonly text: string;

  constructor(text: string, key: typeof made) {
    if (key !== made) {
      throw new TypeError('Sql is made by the sql tag');
    }
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

const make = (text: string): Sql => new Sql(text, made);

/**
 * A piece of SQL as written in the source; other `Sql` goes in as it is, any other value quoted.
 */
export function sql(parts: TemplateStringsArray, ...values: (Sql | Quotable)[]): Sql {
  let text = parts[0]!;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    text += (value instanceof Sql ? value.text : quote(value)) + parts[index + 1]!;
  }
  return make(text);
}

/** One value as a ClickHouse literal. */
export function literal(value: Quotable): Sql {
  return make(quote(value));
}

/** A name in backquotes. Dots are part of the name: qualify with `qualified`. */
export function identifier(name: string): Sql {
  if (name === '') {
    throw new TypeError('an identifier must not be empty');
  }
  return make('`' + escape(name, '`') + '`');
}

/** `` `database`.`table` `` */
export function qualified(database: string, table: string): Sql {
  return make(`${identifier(database).text}.${identifier(table).text}`);
}

/** Joins pieces with a separator. Only separators from this list are possible. */
export function join(
  pieces: readonly Sql[],
  separator: ', ' | ' AND ' | ' OR ' | ' ' | '\n' | ' UNION ALL ',
): Sql {
  return make(pieces.map((piece) => piece.text).join(separator));
}

/**
 * Text that one of our checkers has parsed and printed again (the SQL guard, the type parser).
 * test/house/trusted-sql.test.ts lists every caller: review each addition.
 */
export function trusted(text: string): Sql {
  return make(text);
}

function quote(value: Quotable): string {
  switch (typeof value) {
    case 'string':
      return `'${escape(value, "'")}'`;
    case 'number':
      return quoteNumber(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return 'NULL';
  }
}

function quoteNumber(value: number): string {
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'inf' : '-inf';
  }
  return Object.is(value, -0) ? '0' : String(value);
}

const named: Record<string, string> = {
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};
const special = /[\0\b\f\n\r\t\\'`]/g;

function escape(text: string, delimiter: "'" | '`'): string {
  return text
    .toWellFormed()
    .replace(special, (char) => named[char] ?? (char === delimiter ? `\\${char}` : char));
}
