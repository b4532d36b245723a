import type { Telemetry } from '../../ports/telemetry.ts';
import { inSlot, type RowSlot } from '../../sql/row-slot.ts';
import { identifier, literal, sql } from '../../sql/sql.ts';
import { wideType } from '../../sql/wide-type.ts';
import type { RowCast } from './engine.ts';

interface TableColumn {
  name: string;
  type: string;
  /** DEFAULT expression; '' = none. */
  fallback: string;
}

/**
 * How rows are read that do not go in as they are. Kept by table and columns.
 *
 * - Outside rows, so that an integer out of range is refused: into 256 bits, and cast strictly.
 * - Rows of which only one slot is stored: the values get the names of their columns, and a condition
 *   chooses the rows.
 */
export class CastPlans {
  readonly #telemetry: Pick<Telemetry, 'query'>;
  readonly #plans = new Map<string, Map<string, RowCast | undefined>>();
  readonly #columns = new Map<string, readonly TableColumn[]>();

  constructor(telemetry: Pick<Telemetry, 'query'>) {
    this.#telemetry = telemetry;
  }

  /**
   * Undefined where the rows may go in as they are: no integers, or a table that cannot be looked
   * at.
   */
  async plan(
    database: string,
    table: string,
    columns: readonly string[],
  ): Promise<RowCast | undefined> {
    const key = keyOf(database, table);
    const list = columns.join('\n');
    const known = this.#plans.get(key);
    if (known?.has(list)) {
      return known.get(list);
    }
    const given = await this.#columnsOf(database, table);
    if (given.length === 0) {
      return undefined;
    }
    const plan = rowCast(columns, given);
    const plans = this.#plans.get(key) ?? new Map<string, RowCast | undefined>();
    this.#plans.set(key, plans.set(list, plan));
    return plan;
  }

  /** @param isStrict the rows come from outside */
  async slotPlan(
    database: string,
    table: string,
    columns: readonly string[],
    { slot, isStrict }: { slot: RowSlot; isStrict: boolean },
  ): Promise<RowCast> {
    const cacheKey = keyOf(database, table);
    const given = this.#columns.get(cacheKey) ?? (await this.#columnsOf(database, table));
    if (given.length > 0) {
      this.#columns.set(cacheKey, given);
    }
    const read = columnsAmong(columns, given);
    const strict = isStrict ? strictPlans(columns, read) : undefined;
    // Of a column that is not there, the engine says so itself.
    const plans =
      strict ??
      columns.map((name) =>
        plainPlan(
          name,
          read.find((column) => column.name === name),
        ),
      );
    return {
      structure: plans.map(({ structure }) => structure).join(', '),
      values: plans.map(({ name, value }) => `${value} AS ${identifier(name).text}`).join(', '),
      condition: inSlot(slot).text,
    };
  }

  forget(database: string, table: string): void {
    this.#plans.delete(keyOf(database, table));
    this.#columns.delete(keyOf(database, table));
  }

  clear(): void {
    this.#plans.clear();
    this.#columns.clear();
  }

  async #columnsOf(database: string, table: string): Promise<TableColumn[]> {
    const statement = sql`SELECT name, type, if(default_kind = 'DEFAULT', default_expression, '')
FROM system.columns WHERE database = ${database} AND table = ${table}`;
    const { rows } = await this.#telemetry.query(statement, {
      purpose: 'admin',
      timeoutMs: 60_000,
    });
    return rows.map(([name, type, fallback]) => ({
      name: String(name),
      type: String(type),
      fallback: String(fallback),
    }));
  }
}

const keyOf = (database: string, table: string): string => JSON.stringify([database, table]);

function rowCast(columns: readonly string[], given: readonly TableColumn[]): RowCast | undefined {
  const plans = strictPlans(columns, columnsAmong(columns, given));
  return (
    plans && {
      structure: plans.map(({ structure }) => structure).join(', '),
      values: plans
        .map(({ name, value, isSeen }) => (isSeen ? `${value} AS ${identifier(name).text}` : value))
        .join(', '),
    }
  );
}

function columnsAmong(
  columns: readonly string[],
  given: readonly TableColumn[],
): readonly TableColumn[] {
  const byName = new Map(given.map((column) => [column.name, column]));
  return columns.map((name) => byName.get(name)).filter((column) => column !== undefined);
}

interface ColumnPlan {
  name: string;
  structure: string;
  value: string;
  /** The defaults of other columns see the value under the name of its column. */
  isSeen: boolean;
}

function plainPlan(name: string, column: TableColumn | undefined): ColumnPlan {
  const value = identifier(name).text;
  return { name, structure: `${value} ${column?.type ?? 'String'}`, value, isSeen: false };
}

/** Undefined where integers cannot be checked, or there are none. */
function strictPlans(
  columns: readonly string[],
  read: readonly TableColumn[],
): ColumnPlan[] | undefined {
  const wide = read.map(({ type }) => wideType(type));
  // A column that is not there: the engine says so itself. A default made from columns that are not
  // read could not be computed.
  if (
    read.length < columns.length ||
    wide.every((type) => type === undefined) ||
    !read.every(({ fallback }) => madeOf(fallback, columns))
  ) {
    return undefined;
  }
  return read.map((column, index) => strictPlan(column, wide[index]));
}

/**
 * How one column is read and cast. Types and expressions are as the engine itself wrote them.
 *
 * The engine applies no DEFAULT to what `input` reads, so a column with one is read as Nullable and
 * NULL (missing, or sent as null) becomes the default. An array or a map cannot be Nullable: there
 * an empty one becomes the default.
 */
function strictPlan({ name, type, fallback }: TableColumn, wide: string | undefined): ColumnPlan {
  const column = identifier(name).text;
  const readAs = wide ?? type;
  const cast = (value: string): string =>
    wide === undefined ? value : `accurateCast(${value}, ${literal(type).text})`;
  if (fallback === '') {
    return { name, structure: `${column} ${readAs}`, value: cast(column), isSeen: false };
  }
  const composite = /^(Array|Map|Tuple|Nested|Variant|Dynamic|JSON|Object)\b/.test(type);
  const value = composite
    ? `if(empty(${column}), ${fallback}, ${column})`
    : `ifNull(${column}, ${fallback})`;
  return {
    name,
    structure: `${column} ${composite ? readAs : nullable(readAs)}`,
    value: cast(value),
    isSeen: true,
  };
}

function nullable(type: string): string {
  const inner = /^LowCardinality\((.*)\)$/.exec(type)?.[1];
  if (inner !== undefined) {
    return `LowCardinality(${nullable(inner)})`;
  }
  return type.startsWith('Nullable(') ? type : `Nullable(${type})`;
}

/** Whether an expression mentions no column but these. Words before a bracket are functions. */
function madeOf(expression: string, columns: readonly string[]): boolean {
  const names =
    expression
      .replaceAll(/'(?:[^'\\]|\\.|'')*'/g, '')
      .match(/`(?:[^`\\]|\\.)*`|[A-Za-z_][A-Za-z0-9_.]*(?!\s*\(|[A-Za-z0-9_.])/g) ?? [];
  return names.every(
    (name) =>
      columns.includes(name.replaceAll('`', '')) ||
      /^(NULL|true|false|AND|OR|NOT|IN|IS|CASE|WHEN|THEN|ELSE|END|AS|LIKE|BETWEEN|INTERVAL|nan|inf)$/i.test(
        name,
      ),
  );
}
