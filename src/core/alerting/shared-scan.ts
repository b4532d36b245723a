import type { Value } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';
import { emitKeys, emitRows } from '../query/emit/emit-rows.ts';
import {
  emitCondition,
  emitExpression,
  emitRange,
  joined,
  type Condition,
  type Operand,
} from '../query/index.ts';
import type { ShapedAsked } from './asked.ts';
import { emptyAnswer, groupsMax, tooManyGroups, type Answer, type Groups } from './readings.ts';
import { withRows, valueReading } from './row-readings.ts';
import type { Window } from './schedule.ts';
import { equalTo, type RowScan, type Shape } from './shapes.ts';

/** Rows of one scan for many alerts; with more, fewer alerts are asked at once. */
const rowsMax = 100_000;

/**
 * One scan for alerts of one shape. What does not change from window to window is worked out once: the text of the keys, and whose each of them is.
 * A key that all of them share is a plain condition.
 */
export class SharedScan {
  readonly members: readonly ShapedAsked[];
  readonly #shape: Shape;
  readonly #varying: readonly number[];
  readonly #scan: RowScan;
  readonly #among: readonly Sql[];
  /** Places in `members`, by what comes back of the keys. */
  readonly #places = new Map<string, number | number[]>();
  readonly #words: readonly string[] | undefined;
  readonly #limit: number;

  constructor(members: readonly ShapedAsked[]) {
    const { shape } = members[0]!.shaped;
    this.members = members;
    this.#shape = shape;
    this.#varying = shape.operands.flatMap((_, index) =>
      members.some(({ shaped }) => shaped.values[index] !== members[0]!.shaped.values[index])
        ? [index]
        : [],
    );
    this.#scan = this.#scanFor(members[0]!);
    this.#among = this.#varying.map((index) =>
      oneOf(shape.operands[index]!, distinct(members.map(({ shaped }) => shaped.values[index]!))),
    );
    this.#words = shape.wordOperand && distinct(members.map(({ shaped }) => shaped.word!));
    this.#limit = Math.min(members.length * groupsMax, rowsMax);
    members.forEach((member, place) => this.#put(keyOf(this.#keysOf(member)), place));
  }

  /** The query for one window. */
  statement(window: Window): Sql {
    const range = { fromMs: window.startMs, toMs: window.endMs };
    if (this.#words && this.#shape.wordOperand) {
      return this.#wordStatement(this.#shape.wordOperand, this.#words, range);
    }
    return emitRows(
      { ...this.#scan, readings: withRows(this.#scan.readings) },
      range,
      this.#limit,
      this.#among,
    );
  }

  /** The rows of the scan, dealt out to the alerts that asked. @throws RangeError where there are too many for one scan. */
  answers(rows: readonly Value[][]): Answer[] {
    if (rows.length > this.#limit) {
      throw new RangeError('too many groups for one scan');
    }
    const found: Answer[] = this.members.map(({ groupBy }) => emptyAnswer(groupBy));
    const keyCount = this.#varying.length + (this.#words ? 1 : 0);
    for (const row of rows) {
      const places = this.#places.get(
        keyCount === 1 ? (row[0] as string) : keyOf(row.slice(0, keyCount) as string[]),
      );
      if (places === undefined) {
        continue;
      }
      if (typeof places === 'number') {
        this.#take(found, places, row, keyCount);
      } else {
        for (const place of places) {
          this.#take(found, place, row, keyCount);
        }
      }
    }
    return found;
  }

  #take(found: Answer[], place: number, row: readonly Value[], keyCount: number): void {
    const groupCount = this.#shape.scan.groups.length;
    const reading = valueReading(this.#shape.counts, row, keyCount + groupCount);
    const before = found[place]!;
    if (before.kind === 'too_many_groups') {
      return;
    }
    if (groupCount === 0) {
      found[place] = reading;
    } else if ((before as Groups).readings.size >= groupsMax) {
      found[place] = tooManyGroups;
    } else {
      (before as Groups).readings.set(
        JSON.stringify(row.slice(keyCount, keyCount + groupCount)),
        reading,
      );
    }
  }

  #scanFor(first: ShapedAsked): RowScan {
    const { scan, operands } = this.#shape;
    const same = operands.flatMap((operand, index) =>
      this.#varying.includes(index) ? [] : [equalTo(operand, first.shaped.values[index]!)],
    );
    const reading = scan.readings[0]!;
    return {
      ...scan,
      groups: [...this.#varying.map((index) => operands[index]!), ...scan.groups],
      readings: [{ ...reading, condition: joined('and', [reading.condition, ...same]) }],
    };
  }

  #keysOf({ shaped: { values, word } }: ShapedAsked): string[] {
    return [...this.#varying.map((index) => values[index]!), ...(word === undefined ? [] : [word])];
  }

  #put(key: string, place: number): void {
    const known = this.#places.get(key);
    if (known === undefined) {
      this.#places.set(key, place);
    } else if (typeof known === 'number') {
      this.#places.set(key, [known, place]);
    } else {
      known.push(place);
    }
  }

  /**
   * Counts rows by the words they hold, in one pass for any number of words. What leaves out rows goes first, because most hold none.
   */
  #wordStatement(
    operand: Operand,
    words: readonly string[],
    range: { fromMs: number; toMs: number },
  ): Sql {
    const scan = this.#scan;
    const text = sql`lower(${emitExpression(operand.expression)})`;
    const wanted = join(words.map(literal), ', ');
    const { select } = emitKeys(scan, range);
    const keys = select.map((_, index) => identifier(`__group_${index}`));
    const [before, after] = [keys.slice(0, this.#varying.length), keys.slice(this.#varying.length)];
    const found = sql`arrayJoin(${words.length <= fewMax ? searched(text, words, wanted) : cut(text, wanted)}) AS ${wordColumn}`;
    const where = join(
      [
        emitRange(scan.time, range),
        ...conditions(scan.readings[0]!.condition),
        ...this.#among,
        ...holdingAny(text, words, wanted),
      ],
      ' AND ',
    );
    const rows = sql`SELECT ${join([...select, found], ', ')} FROM ${qualified(scan.table.database, scan.table.name)} WHERE ${where}`;
    const columns = join([...before, wordColumn, ...after], ', ');
    return sql`SELECT ${columns}, toFloat64(count()) FROM (${rows}) GROUP BY ${columns} LIMIT ${this.#limit + 1}`;
  }
}

/** Up to here looking for each word in every row costs less than the engine's search for any of them, which cuts every row into tokens. */
const eachMax = 16;
/**
 * Up to here each word is looked for by itself in a row that holds one: no dearer than cutting the row into words, and far cheaper where many rows do. And
 * up to here the index of tokens is asked about each of them: with more, hardly a part of a table is without any.
 */
const fewMax = 32;

/** Rows that hold one of the words. The search for any of them does not ask the index by itself; a hint asks it, and is true of every row. */
function holdingAny(text: Sql, words: readonly string[], wanted: Sql): Sql[] {
  const each = (): Sql =>
    join(
      words.map((word) => sql`hasToken(${text}, ${word})`),
      ' OR ',
    );
  if (words.length <= eachMax) {
    return [sql`(${each()})`];
  }
  return [
    ...(words.length <= fewMax ? [sql`indexHint(${each()})`] : []),
    sql`hasAnyTokens(${text}, [${wanted}])`,
  ];
}

/** The words that a row holds, each looked for by itself. */
function searched(text: Sql, words: readonly string[], wanted: Sql): Sql {
  return sql`arrayFilter((word, here) -> here, [${wanted}], [${join(
    words.map((word) => sql`hasToken(${text}, ${word})`),
    ', ',
  )}])`;
}

/** The same, the text cut into the engine's own tokens once, and each looked up in a set. */
function cut(text: Sql, wanted: Sql): Sql {
  return sql`arrayDistinct(arrayFilter(word -> word IN (${wanted}), tokens(${text})))`;
}

const wordColumn = identifier('__word');

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

const conditions = (condition: Condition): Sql[] =>
  condition.kind === 'all' ? [] : [emitCondition(condition)];

/** One text for several: each with its length before it, so that no two lists have the same. */
function keyOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : parts.map((part) => `${part.length} ${part}`).join('');
}

/** The engine reads one long text and cuts it far faster than it reads as many literals. */
const worthJoining = 16;
const separators = [',', '|', '\n', '\u001f'];

function oneOf({ expression, type }: Operand, values: readonly string[]): Sql {
  const column = emitExpression(expression);
  if (type.base === 'number') {
    return sql`(${column} IN (${join(
      values.map((value) => literal(Number(value))),
      ', ',
    )}))`;
  }
  const separator =
    type.anyText === true && values.length >= worthJoining
      ? separators.find((one) => !values.some((value) => value.includes(one)))
      : undefined;
  if (separator === undefined) {
    return sql`(${column} IN (${join(values.map(literal), ', ')}))`;
  }
  return sql`(${column} IN splitByChar(${separator}, ${values.join(separator)}))`;
}
