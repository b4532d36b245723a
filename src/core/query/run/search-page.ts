import { invalid } from '../../../contract/errors.ts';
import type { SearchResult } from '../../../contract/query/search.ts';
import type { QueryResult, Value } from '../../../ports/telemetry.ts';
import type { SearchPart } from '../emit/emit-search.ts';
import { newestSecond, type CountRows } from './newest-part.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import { writeCursor, writeIdentity, type Cursor, type RowContent } from './search-cursor.ts';

const rowGone =
  'the row at which the previous page ended was deleted; start the search again without a cursor';

type ReadPart = (part: SearchPart, limit: number) => Promise<QueryResult>;

/** What a page asks the engine. */
export interface PageEngine {
  /** Runs the query for a part of the search. */
  read: ReadPart;
  countRows: CountRows;
  isStored(row: RowContent): Promise<boolean>;
}

interface FoundRow extends RowContent {
  values: Value[];
  /** Rows with the same rank and time are ties: the requested order does not separate them. */
  rank: string;
  /** Position among equal rows. */
  occurrence: number;
}

/**
 * Reads one page. Ties are in order of their hash. The engine hashes only rows of the page and ties
 * at its ends, because the first query orders by the requested order alone.
 */
export async function readPage(
  plan: SearchPlan,
  { read, countRows, isStored }: PageEngine,
): Promise<SearchResult> {
  const reader = new PageReader(plan, read, countRows);
  const rows = await reader.rows();
  if (rows.length === 0 && plan.cursor && plan.order.length > 0 && !(await isStored(plan.cursor))) {
    throw invalid([{ path: 'cursor', message: rowGone }]);
  }
  const page = rows.slice(0, plan.limit);
  const result: SearchResult = {
    columns: plan.columns.map(({ name }, index) => ({ name, type: reader.types[index] ?? '' })),
    rows: page.map((row) => shownRow(plan, row)),
  };
  const [last, following] = [page.at(-1), rows[plan.limit]];
  return last && following
    ? { ...result, cursor: writeCursor(cursorAfter(last, following)) }
    : result;
}

function shownRow({ columns }: SearchPlan, row: FoundRow): Record<string, Value> {
  const values = columns.map(({ name }, index): [string, Value] => [
    name,
    row.values[index] ?? null,
  ]);
  return { ...Object.fromEntries(values), _id: writeIdentity(row) };
}

function cursorAfter(last: FoundRow, following: FoundRow): Cursor {
  const { nanos, hash } = last;
  if (!areTies(last, following)) {
    return { nanos, hash, ties: undefined };
  }
  return { nanos, hash, ties: { equalRows: hash === following.hash ? last.occurrence + 1 : 0 } };
}

const areTies = (one: FoundRow, other: FoundRow): boolean =>
  one.nanos === other.nanos && one.rank === other.rank;

/** What a page reads until it is full: the newest part of the range, if that is worth it, and all. */
export async function firstParts(plan: SearchPlan, countRows: CountRows): Promise<SearchPart[]> {
  const { cursor } = plan;
  const whole = cursor ? ({ kind: 'after', row: cursor } as const) : ({ kind: 'first' } as const);
  const sinceSecond = await newestSecond(plan, countRows);
  return sinceSecond === undefined ? [whole] : [{ ...whole, sinceSecond }, whole];
}

/** Collects the rows of one page and the row after it. */
class PageReader {
  /** Types of the columns. */
  types: string[] = [];
  private readonly plan: SearchPlan;
  private readonly read: ReadPart;
  private readonly countRows: CountRows;

  constructor(plan: SearchPlan, read: ReadPart, countRows: CountRows) {
    this.plan = plan;
    this.read = read;
    this.countRows = countRows;
  }

  async rows(): Promise<FoundRow[]> {
    const { cursor, limit } = this.plan;
    const wanted = limit + 1;
    const continued = cursor?.ties ? await this.remainingTies(cursor, cursor.ties, wanted) : [];
    if (continued.length >= wanted) {
      return continued;
    }
    const rest = await this.inOrder(wanted - continued.length);
    return [...continued, ...(await this.withTies(rest, wanted - continued.length))];
  }

  /**
   * The first rows after the cursor. The newest part of the range often has all of them. Then the
   * engine does not read the rest.
   */
  private async inOrder(wanted: number): Promise<FoundRow[]> {
    let rows: FoundRow[] = [];
    for (const part of await firstParts(this.plan, this.countRows)) {
      rows = await this.part(part, wanted);
      if (rows.length === wanted) {
        break;
      }
    }
    return rows;
  }

  /** The ties that the previous page did not return. */
  private async remainingTies(
    cursor: Cursor,
    { equalRows }: { equalRows: number },
    wanted: number,
  ): Promise<FoundRow[]> {
    const equal =
      equalRows === 0
        ? []
        : await this.part({ kind: 'equal', row: cursor, offset: equalRows }, wanted);
    numbered(equal, equalRows);
    if (equal.length >= wanted) {
      return equal;
    }
    const others = await this.part(
      { kind: 'ties', row: cursor, afterHash: cursor.hash },
      wanted - equal.length,
    );
    return [...equal, ...numbered(others, 0)];
  }

  /**
   * If ties stand on both sides of the page's end, the engine returned any of them. Reads those with
   * the lowest hashes instead.
   */
  private async withTies(rows: FoundRow[], wanted: number): Promise<FoundRow[]> {
    const [last, following] = [rows[wanted - 2], rows[wanted - 1]];
    if (!last || !following || !areTies(last, following)) {
      return numbered(byHash(rows), 0);
    }
    const complete = rows.filter((row) => !areTies(row, following));
    const ties = await this.part(
      { kind: 'ties', row: following, afterHash: undefined },
      wanted - complete.length,
    );
    return numbered([...byHash(complete), ...ties], 0);
  }

  private async part(part: SearchPart, limit: number): Promise<FoundRow[]> {
    const { columns, rows } = await this.read(part, limit);
    this.types = columns.map(({ type }) => type);
    return rows.map((values): FoundRow => {
      const [nanos, hash, rank] = values.slice(this.plan.columns.length).map(String);
      return { values, nanos: nanos ?? '', hash: hash ?? '', rank: rank ?? '', occurrence: 0 };
    });
  }
}

/** Sorts ties by hash; they stand side by side. */
function byHash(rows: readonly FoundRow[]): FoundRow[] {
  const groups: FoundRow[][] = [];
  let previous: FoundRow | undefined;
  for (const row of rows) {
    if (previous && areTies(previous, row)) {
      groups.at(-1)?.push(row);
    } else {
      groups.push([row]);
    }
    previous = row;
  }
  return groups.flatMap((ties) =>
    ties.length === 1
      ? ties
      : ties.sort((left, right) => (left.hash < right.hash ? -1 : Number(left.hash > right.hash))),
  );
}

/** Numbers equal rows, which stand side by side, from `first`. */
function numbered(rows: FoundRow[], first: number): FoundRow[] {
  let previous: FoundRow | undefined;
  for (const row of rows) {
    const isEqual = previous?.hash === row.hash && previous.nanos === row.nanos;
    row.occurrence = previous && isEqual ? previous.occurrence + 1 : first;
    previous = row;
  }
  return rows;
}
