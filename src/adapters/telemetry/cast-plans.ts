import type { Telemetry } from '../../ports/telemetry.ts';
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
 * How outside rows are read so that an integer out of range is refused: into 256 bits, and cast
 * strictly. Kept by table and columns.
 */
export class CastPlans {
  readonly #telemetry: Pick<Telemetry, 'query'>;
  readonly #plans = new Map<string, Map<string, RowCast | undefined>>();

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

  forget(database: string, table: string): void {
    this.#plans.delete(keyOf(database, table));
  }

  clear(): void {
    this.#plans.clear();
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
  const byName = new Map(given.map((column) => [column.name, column]));
  const read = columns.map((name) => byName.get(name)).filter((column) => column !== undefined);
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
  const plans = read.map((column, index) => columnPlan(column, wide[index]));
  return {
    structure: plans.map(({ structure }) => structure).join(', '),
    values: plans.map(({ value }) => value).join(', '),
  };
}

/**
 * How one column is read and cast. Types and expressions are as the engine itself wrote them.
 *
 * The engine applies no DEFAULT to what `input` reads, so a column with one is read as Nullable and
 * NULL (missing, or sent as null) becomes the default. An array or a map cannot be Nullable: there
 * an empty one becomes the default.
 */
function columnPlan(
  { name, type, fallback }: TableColumn,
  wide: string | undefined,
): { structure: string; value: string } {
  const column = identifier(name).text;
  const readAs = wide ?? type;
  const cast = (value: string): string =>
    wide === undefined ? value : `accurateCast(${value}, ${literal(type).text})`;
  if (fallback === '') {
    return { structure: `${column} ${readAs}`, value: cast(column) };
  }
  const composite = /^(Array|Map|Tuple|Nested|Variant|Dynamic|JSON|Object)\b/.test(type);
  const value = composite
    ? `if(empty(${column}), ${fallback}, ${column})`
    : `ifNull(${column}, ${fallback})`;
  // The alias is what the defaults of other columns see.
  return {
    structure: `${column} ${composite ? readAs : nullable(readAs)}`,
    value: `${cast(value)} AS ${column}`,
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
